import { describe, expect } from "@effect/vitest"
import * as Ledger from "@watchword/ledger/Ledger"
import { noKeys } from "@watchword/send/Claims"
import * as Sms from "@watchword/sms/Sms"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import { eventually, test } from "../../../../test/live.ts"
import { startBound, startCarrier } from "./fixture.ts"
import { FUNDS, PRICE, body, funded, layer } from "./service.ts"
import type { Answer, Submit } from "@watchword/sandbox/smsc"

/** How a carrier treats one part. */
const treatment = FastCheck.constantFrom("takes", "takes", "takes", "refuses", "is full", "is silent", "is late")
const texts = FastCheck.array(treatment, { minLength: 1, maxLength: 5 })

const answers: Readonly<Record<string, Answer>> = {
  takes: {},
  refuses: { status: 0x0b },
  "is full": { status: 0x14 },
  "is silent": "silence",
  "is late": { after: 2500 }
}

describe("the ledger beside the carrier's own count", () => {
  test(
    "has every text paid for of which the carrier took a part, and no other",
    Effect.fnUntraced(function* () {
      const sends = FastCheck.sample(texts, { numRuns: 60, seed: 17 })
      // The number tells which text a part belongs to.
      const numberOf = (text: number) => `+49151234${String(text).padStart(5, "0")}`
      const treat = ({ part, to }: Submit) => {
        const treatments = sends[Number(to.slice(-5))]
        return answers[treatments?.[(part?.[2] ?? 1) - 1] ?? ""] ?? {}
      }
      const carrier = yield* startCarrier({ submit: treat })
      const gateway = yield* startBound(carrier.url("window=1000&timeout=2&enquire=3600"), { deadline: "1 second" })
      const { charged, held } = yield* Effect.gen(function* () {
        const ledger = yield* Ledger.Ledger
        const sms = yield* Sms.Sms
        const principal = yield* funded
        yield* Effect.forEach(
          sends,
          (parts, index) => {
            const text = "a".repeat(parts.length === 1 ? 160 : 153 * parts.length)
            return Effect.exit(sms.send(principal, body({ to: numberOf(index), text }), noKeys))
          },
          { concurrency: "unbounded" }
        )
        // All late answers have come once only unanswered texts are held.
        const balance = Effect.orDie(ledger.balance(principal.account.id))
        yield* eventually(Effect.map(balance, ({ held }) => held === unanswered(sends)))
        const { held, posted } = yield* balance
        return { charged: FUNDS - posted, held }
      }).pipe(Effect.provide(layer(gateway)))
      const taken = new Set(carrier.submits.filter(({ id }) => id !== "").map(({ to }) => Number(to.slice(-5))))
      const isOpen = (text: number) => isUnanswered(sends[text] ?? [])
      const priceOf = (text: number) => PRICE * (sends[text]?.length ?? 0)
      const due = [...taken].filter((text) => !isOpen(text)).reduce((sum, text) => sum + priceOf(text), 0)
      expect(charged).toBe(due)
      expect(held).toBe(unanswered(sends))
      expect(taken.size).toBeGreaterThan(30)
    })
  )
})

/**
 * What stays held: texts with a part that was never answered, and none that was accepted together with a refused one.
 */
const unanswered = (sends: ReadonlyArray<ReadonlyArray<string>>): number =>
  sends.filter(isUnanswered).reduce((sum, { length }) => sum + PRICE * length, 0)

const isUnanswered = (parts: ReadonlyArray<string>): boolean => {
  const has = (...treatments: ReadonlyArray<string>) => parts.some((part) => treatments.includes(part))
  return has("is silent") && !(has("refuses", "is full") && has("takes", "is late"))
}
