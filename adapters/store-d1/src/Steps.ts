/**
 * `close` and `report`: read what is so, decide, and write if it still is so; else the same again.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Delivery } from "@watchword/store/Delivery"
import { StoreError } from "@watchword/store/StoreError"
import type { Close, Closed, Report, Reported } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Connection, type Statement, UNKNOWN_TRIES, pause, rowsOf } from "./Connection.ts"
import * as Reading from "./Reading.ts"
import type { Remembered } from "./Remembered.ts"
import { nextToken } from "./tokens.ts"
import * as World from "./World.ts"
import { write } from "./Writing.ts"

/** Whoever has lost this often has let as many others go first. */
const TRIES = 100

interface Taken<A> {
  readonly answer: A
  /** What is left to the account of the record that the question names; null without one. */
  readonly available: MicroEuros | null
}

export const make = (connection: Connection, remembered: Remembered) => {
  const close = (request: Close): Effect.Effect<Closed, StoreError> => {
    const { id, refs } = request
    const question = { id, channel: null, refs, message: NOTHING }
    const record = remembered.take(id)
    const taken = take(question, (world) => world.close(request), record === undefined ? null : Reading.alone(record))
    return Effect.map(taken, ({ answer, available }): Closed => {
      if (answer._tag === "Missing" || available === null) return { _tag: "Missing" }
      return { ...answer, available }
    })
  }

  const report = (request: Report): Effect.Effect<Reported, StoreError> =>
    Effect.map(
      take(questionOf(request), (world) => world.report(request), null),
      ({ answer }) => answer
    )

  /**
   * @param guess what the facts probably are, where that is known without reading them
   */
  const take = <A extends Closed | Reported | World.Ended>(
    question: Reading.Question,
    decide: (world: World.World) => A,
    guess: string | null
  ): Effect.Effect<Taken<A>, StoreError> =>
    Effect.gen(function* () {
      const token = nextToken()
      let doubtful: A | null = null
      let doubts = 0
      for (let tries = 0; tries < TRIES; tries++) {
        const now = tries === 0 && guess !== null ? { facts: guess, available: null } : yield* read(question)
        const facts = Reading.parse(now.facts)
        const mine = writtenBy(token, facts)
        if (doubtful !== null && mine !== null) return { ...now, answer: { ...doubtful, delivery: mine } }
        const world = World.make(facts)
        const answer = decide(world)
        const statements = write(world.changes(), token)
        if (statements.length === 0 && now.facts !== guess) return { ...now, answer }
        const written = yield* Effect.result(
          connection.once([Reading.unlessMoved(question, now.facts), ...statements, selectAvailable(question.id)])
        )
        if (Result.isSuccess(written)) return { answer, available: availableIn(written.success.at(-1)) }
        if (written.failure._tag === "StoreError") {
          if (written.failure.reason === "Unavailable" || ++doubts > UNKNOWN_TRIES) return yield* written.failure
          doubtful = answer
          yield* pause(doubts)
        } else {
          doubts = 0
        }
      }
      return yield* new StoreError({ reason: "Unavailable", message: "Too many others write about the same delivery." })
    })

  const read = Effect.fnUntraced(function* (question: Reading.Question) {
    const [facts, available] = yield* connection.run(() => [Reading.read(question), selectAvailable(question.id)])
    const [row] = rowsOf<{ readonly facts: string }>(facts)
    if (row === undefined) throw new Error("a select without a table has one row")
    return { facts: row.facts, available: availableIn(available) }
  })

  return { close, report }
}

const NOTHING = { to: null, reference: null }

const questionOf = ({ target }: Report): Reading.Question =>
  target._tag === "Delivery"
    ? { id: target.id, channel: null, refs: [], message: NOTHING }
    : { id: null, channel: target.channel, refs: target.refs, message: target.message }

const writtenBy = (token: number, { deliveries }: Reading.Facts): Delivery | null =>
  deliveries.find((stored) => stored.token === token)?.delivery ?? null

const selectAvailable = (id: DeliveryId | null): Statement => ({
  sql: `SELECT available FROM accounts WHERE n = (SELECT drawer / 16 FROM deliveries WHERE id = ?1)`,
  values: [id]
})

const availableIn = (result: Parameters<typeof rowsOf>[0]): MicroEuros | null =>
  rowsOf<{ readonly available: MicroEuros }>(result)[0]?.available ?? null
