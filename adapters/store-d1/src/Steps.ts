/**
 * `open`, `close` and `report`: reads the facts, decides, and writes if the facts are unchanged; otherwise starts over.
 */
import type { MicroEuros } from "@watchword/schemas/Money"
import { StoreError } from "@watchword/store/StoreError"
import type { Closed, Opened, Reported, Service } from "@watchword/store/Store"
import * as Step from "@watchword/store/step"
import type { Partitions } from "@watchword/store/sql"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Apply from "./Apply.ts"
import { type Connection, type Statement, UNKNOWN_TRIES, pause, rowsOf } from "./Connection.ts"
import * as Facts from "./Facts.ts"
import { nextToken } from "./tokens.ts"

/** A step that has lost this often has let that many others go first. */
const TRIES = 100

export const make = (connection: Connection, partitions: Partitions): Pick<Service, "open" | "close" | "report"> => {
  const { decode, ifUnchanged, select } = Facts.make(partitions)

  const take = <Answer extends Opened | Closed | Reported>(
    lookup: Step.Lookup,
    decide: (snapshot: Step.Snapshot) => Step.Decision<Answer>
  ): Effect.Effect<Answer, StoreError> =>
    Effect.gen(function* () {
      const token = nextToken()
      // The answer of an attempt if D1 did not say whether it happened.
      let uncertain: Answer | null = null
      let doubts = 0
      for (let tries = 0; tries < TRIES; tries++) {
        const texts = yield* read(lookup)
        const facts = decode(texts)
        const snapshot = Step.snapshotOf(facts)
        const { answer, changes } = decide(snapshot)
        if (uncertain !== null && facts.tokens.has(token)) return asWritten(uncertain, snapshot)
        if (Step.changesNothing(changes)) return answer
        const statements = [
          ifUnchanged(lookup, texts),
          ...Apply.statements(partitions, changes, token),
          selectAvailable(lookup)
        ]
        const results = yield* Effect.result(connection.once(statements))
        if (Result.isSuccess(results)) return withAvailable(answer, availableIn(results.success.at(-1)))
        if (results.failure._tag === "StoreError") {
          if (results.failure.reason === "Unavailable" || ++doubts > UNKNOWN_TRIES) return yield* results.failure
          uncertain = answer
          yield* pause(doubts)
        } else {
          doubts = 0
        }
      }
      return yield* new StoreError({ reason: "Unavailable", message: "Too many others write about the same delivery." })
    })

  const read = (lookup: Step.Lookup) =>
    Effect.map(
      connection.run(() => [select(lookup)]),
      ([result]) => {
        const [texts] = rowsOf<Facts.Texts>(result)
        if (texts === undefined) throw new Error("a select without a table has one row")
        return texts
      }
    )

  return {
    open: (request) => take(Step.lookupOfOpen(request), (snapshot) => Step.open(snapshot, request)),
    close: (request) => take(Step.lookupOfClose(request), (snapshot) => Step.close(snapshot, request)),
    report: (request) => take(Step.lookupOfReport(request), (snapshot) => Step.report(snapshot, request))
  }
}

const selectAvailable = ({ id }: Step.Lookup): Statement => ({
  sql: "SELECT available FROM accounts WHERE n = (SELECT partition / 512 FROM deliveries WHERE id = ?1)",
  values: [id]
})

const availableIn = (result: Parameters<typeof rowsOf>[0]): MicroEuros | undefined =>
  rowsOf<{ readonly available: MicroEuros }>(result)[0]?.available

/** The answer of an attempt that did happen, with the record and the money as they are now. */
const asWritten = <Answer extends Opened | Closed | Reported>(answer: Answer, snapshot: Step.Snapshot): Answer => {
  const delivery = "delivery" in answer ? snapshot.delivery(answer.delivery.id) : undefined
  if (delivery === undefined) return answer
  return withAvailable({ ...answer, delivery }, snapshot.account(delivery.account)?.balance.available)
}

/** The answer with the account's current balance: others may have moved its money since the facts were read. */
const withAvailable = <Answer extends object>(answer: Answer, available: MicroEuros | undefined): Answer =>
  "available" in answer && available !== undefined ? { ...answer, available } : answer
