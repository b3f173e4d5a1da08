/**
 * Receipts and late answers.
 */
import { same } from "@watchword/store/checks"
import { StoreError } from "@watchword/store/StoreError"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Numbers } from "./Harness.ts"
import type { Receipt } from "../../SmsGateway.ts"
import { type SmsCase, THREE_PARTS, listen, message, possible, refsOf, sendOne } from "./kit.ts"

export const events = ({ delivered, undelivered, late }: Numbers, patience: Duration.Input): ReadonlyArray<SmsCase> => [
  {
    name: "each ref has a receipt, which matches no other message",
    check: Effect.fnUntraced(function* ({ gateway }) {
      const heard = yield* listen(gateway, patience)
      const sent = yield* message(delivered, THREE_PARTS)
      const refs = refsOf(yield* gateway.send(sent))
      const isLast = ({ status }: Receipt) => status !== "sent"
      yield* heard.until("a receipt for each ref", () => refs.every((ref) => heard.receipts(ref).some(isLast)))
      for (const receipt of refs.flatMap(heard.receipts).filter(isLast)) {
        same("whether it is about all parts", receipt.isOfAllParts ?? false, refs.length === 1)
        same("status", receipt.status, "delivered")
        same("recipient", receipt.to ?? sent.to, sent.to)
        same("reference", receipt.reference ?? sent.reference, sent.reference)
      }
    })
  },
  {
    name: "a receipt that comes before there is a handler waits for it",
    check: Effect.fnUntraced(function* ({ gateway }) {
      const ref = yield* sendOne(gateway, delivered)
      yield* Effect.sleep("1500 millis")
      const heard = yield* listen(gateway, patience)
      yield* heard.until("the receipt", () => heard.receipts(ref).length > 0)
    })
  },
  {
    name: "a receipt that the handler fails with comes again",
    check: Effect.fnUntraced(function* ({ gateway }) {
      let failures = 2
      const heard = yield* listen(gateway, patience, () => (failures-- > 0 ? Effect.fail(unavailable) : Effect.void))
      const ref = yield* sendOne(gateway, delivered)
      yield* heard.until("the receipt for the third time", () => heard.receipts(ref).length >= 3)
    })
  },
  {
    name: "a handler whose scope is closed gets no more events, and another takes its place",
    check: Effect.fnUntraced(function* ({ gateway }) {
      const scope = yield* Scope.make()
      const closed = yield* Scope.provide(listen(gateway, patience), scope)
      yield* Scope.close(scope, Exit.void)
      const heard = yield* listen(gateway, patience)
      const ref = yield* sendOne(gateway, delivered)
      yield* heard.until("the receipt", () => heard.receipts(ref).length > 0)
      same("number of events of the closed handler", closed.events.length, 0)
    })
  },
  ...possible(undelivered, (to) => [
    {
      name: "the receipt of a message that does not arrive says so",
      check: Effect.fnUntraced(function* ({ gateway }) {
        const heard = yield* listen(gateway, patience)
        const ref = yield* sendOne(gateway, to)
        const isBad = ({ status }: Receipt) => status === "undelivered" || status === "failed"
        yield* heard.until("the receipt", () => heard.receipts(ref).some(isBad))
      })
    }
  ]),
  ...possible(late, (to) => [
    {
      name: "a late answer settles a message that was unknown",
      check: Effect.fnUntraced(function* ({ gateway }) {
        const heard = yield* listen(gateway, patience)
        const sent = yield* message(to)
        const outcome = yield* gateway.send(sent)
        same("outcome", outcome._tag, "Unknown")
        const settling = () =>
          heard.events.find((event) => event._tag === "LateOutcome" && event.delivery === sent.delivery)
        yield* heard.until("the late outcome", () => settling() !== undefined)
        const event = settling()
        same("late outcome", event?._tag === "LateOutcome" ? event.outcome._tag : event?._tag, "Accepted")
      })
    }
  ])
]

const unavailable = new StoreError({ reason: "Unavailable", message: "The test's database is away." })
