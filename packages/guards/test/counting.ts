/** A guard over counters in memory, whose time the test sets. */
import { type Decision, type Guard, countersOf, decide, planOf } from "../src/internal/Decision.ts"
import { compile } from "../src/internal/CompiledRules.ts"
import type { Rules } from "@watchword/guards/Rules"
import { AccountId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { type Bucket, counted, untilOf } from "@watchword/store/Counters"
import * as CounterKeys from "../src/internal/CounterKeys.ts"
import type { Facts } from "../src/internal/Facts.ts"
import { verifiedOf } from "../src/internal/Pumping.ts"

export const german = E164.make("+4915123456789")

export const facts = (fields: Partial<Facts> = {}): Facts => ({
  account: AccountId.make("acc_01KAJ3T8ZZ0000000000000000"),
  mode: "live",
  key: null,
  to: german,
  clientIp: "192.0.2.7",
  clientRef: null,
  limitKeys: {},
  trusted: false,
  ownCode: false,
  requests: 1,
  price: MicroEuros.make(50_000),
  use: "sends",
  ...fields
})

export const guardOf = (rules: Rules, fields: Partial<Guard> = {}): Guard => ({
  compiled: compile(rules),
  blocks: [],
  exceptionOf: () => null,
  key: CounterKeys.make([]),
  ...fields
})

export const counting = (guard: Guard) => {
  const rows = new Map<string, Array<Bucket>>()
  const add = (counters: ReturnType<typeof countersOf>, now: number): void => {
    for (const counter of counters) {
      const until = untilOf(counter, now)
      const others = (rows.get(counter.key) ?? []).filter((bucket) => bucket.until !== until && bucket.until > now)
      const before = rows.get(counter.key)?.find((bucket) => bucket.until === until)?.amount ?? 0
      rows.set(counter.key, [...others, { until, amount: before + counter.amount }])
    }
  }
  return {
    send: (sent: Facts, now: number): Decision => {
      const plan = planOf(guard, sent, now)
      const counters = countersOf(plan)
      const answer = counted(counters, (key) => rows.get(key) ?? [], now)
      if (answer.counted) add(counters, now)
      return decide(plan, answer)
    },
    verify: (sent: Facts, now: number): void =>
      add(verifiedOf(guard.compiled.rules.pumping, sent, CounterKeys.placesOf(sent, guard.key)), now)
  }
}
