/**
 * Rules that are to be set, tried on requests of the past: how many each would have refused.
 *
 * Counts begin with the first request, so that a limit over a longer time has refused at least as many. Rules against
 * pumping are not tried: they compare with two weeks.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import type { Mode } from "@watchword/schemas/Channel"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Use } from "@watchword/send/SendGuard"
import { type Bucket, counted } from "@watchword/store/Counters"
import { compile } from "../internal/CompiledRules.ts"
import * as CounterKeys from "../internal/CounterKeys.ts"
import { countersOf, decide, planOf } from "../internal/Decision.ts"
import type { Rules } from "../Rules.ts"

/** A request of the past, as its record has it. */
export interface Past {
  /** In milliseconds since the epoch. */
  readonly at: number
  readonly account: AccountId
  readonly mode: Mode
  readonly to: E164
  readonly clientIp: string | null
  readonly clientRef: string | null
  readonly trusted: boolean
  /** 0 for a send that followed from a request, such as a step of a verification. */
  readonly requests: 0 | 1
  readonly price: MicroEuros
  readonly use: Use
}

/**
 * The reasons for which rules would have refused each request, whether they deny or record; in the order of the
 * requests.
 *
 * @param requests the oldest first
 */
export const rehearse = (rules: Rules, requests: ReadonlyArray<Past>): ReadonlyArray<ReadonlyArray<string>> => {
  const { countries, for: use, limits = [], numbers } = rules
  const denying: Rules = {
    action: "deny",
    limits: limits.map((limit) => ({ ...limit, action: "deny" })),
    ...(use === undefined ? {} : { for: use }),
    ...(countries === undefined ? {} : { countries }),
    ...(numbers === undefined ? {} : { numbers })
  }
  const guard = { compiled: compile(denying), blocks: [], exceptionOf: () => null, key: CounterKeys.make([]) }
  const buckets = new Map<string, ReadonlyArray<Bucket>>()
  return requests.map(({ at, ...request }) => {
    const plan = planOf(guard, { ...request, key: null, limitKeys: {}, ownCode: false }, at)
    const counters = countersOf(plan)
    const answer = counted(counters, (key) => buckets.get(key) ?? [], at)
    for (const added of answer.added) {
      const others = (buckets.get(added.key) ?? []).filter(({ until }) => until > at)
      buckets.set(added.key, [...others, added])
    }
    return decide(plan, answer).refused
  })
}
