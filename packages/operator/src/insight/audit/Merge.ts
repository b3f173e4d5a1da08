/**
 * A merge join of streams that are in the order of one key, which holds a page of each stream and the rows of one key.
 */
import type { AttemptRow, DeliveryRow, EntryRow, EventRow, RefRow } from "@watchword/store/Snapshots"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Pull from "effect/Pull"
import type { Scope } from "effect/Scope"
import * as Stream from "effect/Stream"

type Rows<Row> = Stream.Stream<Row, StoreError>

/** The streams, each in the order of the delivery that its rows name. */
export interface Streams {
  readonly deliveries: Rows<DeliveryRow>
  readonly entries: Rows<EntryRow>
  readonly refs: Rows<RefRow>
  readonly attempts: Rows<AttemptRow>
  readonly events: Rows<EventRow>
}

/** A delivery, null if the database does not have it, and the rows that name it. */
export interface Group {
  readonly id: string
  readonly delivery: DeliveryRow | null
  readonly entries: ReadonlyArray<EntryRow>
  readonly refs: ReadonlyArray<RefRow>
  /** The sends of a verification. */
  readonly attempts: ReadonlyArray<AttemptRow>
  readonly events: ReadonlyArray<EventRow>
}

/** The groups of all deliveries that the streams have or name. */
export const groups = (streams: Streams): Rows<Group> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const deliveries = yield* reader(streams.deliveries, ({ id }) => id)
      const entries = yield* reader(streams.entries, ({ delivery }) => delivery ?? "")
      const refs = yield* reader(streams.refs, ({ delivery }) => delivery)
      const attempts = yield* reader(streams.attempts, ({ verification }) => verification)
      const events = yield* reader(streams.events, ({ delivery }) => delivery)

      const next = Effect.gen(function* () {
        const keys = yield* Effect.all([deliveries.key, entries.key, refs.key, attempts.key, events.key])
        const id = keys.filter((key) => key !== null).reduce<string | null>(lesser, null)
        if (id === null) return [[], Option.none()] as const
        const [delivery = null] = yield* deliveries.rowsOf(id)
        const group: Group = {
          id,
          delivery,
          entries: yield* entries.rowsOf(id),
          refs: yield* refs.rowsOf(id),
          attempts: yield* attempts.rowsOf(id),
          events: yield* events.rowsOf(id)
        }
        return [[group], Option.some(null)] as const
      })
      return Stream.paginate(null, () => next)
    })
  )

const lesser = (one: string | null, other: string): string => (one === null || other < one ? other : one)

interface Reader<Row> {
  /** The key of the next row; null at the end. */
  readonly key: Effect.Effect<string | null, StoreError>
  /** The next rows, as long as they have a key. */
  readonly rowsOf: (key: string) => Effect.Effect<ReadonlyArray<Row>, StoreError>
}

const reader = <Row>(stream: Rows<Row>, keyOf: (row: Row) => string): Effect.Effect<Reader<Row>, never, Scope> =>
  Effect.map(Stream.toPull(stream), (pull) => {
    let page: ReadonlyArray<Row> = []
    let place = 0

    const turn = pull.pipe(
      Effect.map((rows: ReadonlyArray<Row>) => rows),
      Pull.catchDone(() => Effect.succeed<ReadonlyArray<Row>>([])),
      Effect.map((rows) => {
        page = rows
        place = 0
      })
    )

    let isOver = false
    const key = Effect.gen(function* () {
      if (place === page.length && !isOver) {
        yield* turn
        isOver = page.length === 0
      }
      const row = page[place]
      return row === undefined ? null : keyOf(row)
    })

    const rowsOf = Effect.fnUntraced(function* (wanted: string) {
      const rows: Array<Row> = []
      while ((yield* key) === wanted) {
        const row = page[place++]
        if (row !== undefined) rows.push(row)
      }
      return rows
    })

    return { key, rowsOf }
  })
