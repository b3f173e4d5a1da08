/**
 * Answers of `send`.
 */
import { same } from "@watchword/store/checks"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Numbers } from "./Harness.ts"
import { type SmsCase, THREE_PARTS, listen, message, possible, refsOf, sendOne } from "./kit.ts"

export const send = ({ delivered, refused, silent }: Numbers, patience: Duration.Input): ReadonlyArray<SmsCase> => [
  {
    name: "a message of one part is accepted under one ref",
    check: Effect.fnUntraced(function* ({ gateway }) {
      const refs = refsOf(yield* gateway.send(yield* message(delivered)))
      same("number of refs", refs.length, 1)
    })
  },
  {
    name: "a message of several parts is accepted under a ref for each, or one for all",
    check: Effect.fnUntraced(function* ({ gateway }) {
      const refs = refsOf(yield* gateway.send(yield* message(delivered, THREE_PARTS)))
      same("number of refs", refs.length, refs.length === 1 ? 1 : 3)
      same("number of different refs", new Set(refs).size, refs.length)
    })
  },
  {
    name: "a hundred messages at once have answers and receipts of their own",
    check: Effect.fnUntraced(function* ({ gateway }) {
      const heard = yield* listen(gateway, patience)
      const refs = yield* Effect.all(
        Array.from({ length: 100 }, () => sendOne(gateway, delivered)),
        { concurrency: "unbounded" }
      )
      same("number of different refs", new Set(refs).size, 100)
      yield* heard.until("a receipt for each message", () => refs.every((ref) => heard.receipts(ref).length > 0))
    })
  },
  ...possible(refused, (to) => [
    {
      name: "a message that is refused is rejected, and has no events",
      check: Effect.fnUntraced(function* ({ gateway }) {
        const heard = yield* listen(gateway, patience)
        const outcome = yield* gateway.send(yield* message(to))
        same("outcome", outcome._tag, "Rejected")
        const ref = yield* sendOne(gateway, delivered)
        yield* heard.until("the receipt of another message", () => heard.receipts(ref).length > 0)
        same("number of events", heard.events.length, heard.receipts(ref).length)
      })
    }
  ]),
  ...possible(silent, (to) => [
    {
      name: "a message that is not answered is unknown",
      check: Effect.fnUntraced(function* ({ gateway }) {
        const outcome = yield* gateway.send(yield* message(to))
        same("outcome", outcome._tag, "Unknown")
      })
    }
  ]),
  {
    name: "one of the gateway's connections is up, and they have different names",
    check: Effect.fnUntraced(function* ({ gateway }) {
      const connections = yield* gateway.health
      same("number of different names", new Set(connections.map(({ name }) => name)).size, connections.length)
      same(
        "whether a connection is up",
        connections.some(({ up }) => up),
        connections.length > 0
      )
    })
  }
]
