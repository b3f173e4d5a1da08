/**
 * The operator's side of rehearsals: which carriers can be rehearsed with, and one rehearsal from its request to what
 * came of it.
 *
 * A running server takes the request. Only where none runs, the command connects to the carrier itself: a second bind
 * is refused by many carriers, and by others takes the receipts of the server.
 */
import { BadRequest, ServiceUnavailable, invalid } from "@watchword/schemas/Errors"
import { nextUlid } from "@watchword/schemas/Ids"
import { type E164, masked } from "@watchword/schemas/PhoneNumber"
import { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as RouteAdmin from "../routes/RouteAdmin.ts"
import { type By, type Heard, type Rehearsal, withoutNumber } from "./Rehearsal.ts"
import * as Rows from "./RehearsalSettings.ts"

export interface Known {
  readonly channel: string
  readonly name: string
  readonly by: By
}

/** The carriers of the settings that a command has, for when no server runs. */
export interface Own {
  readonly carriers: ReadonlyArray<Known>
  /** Connects to one of them. */
  readonly open: (carrier: Known) => Effect.Effect<Rehearsal, BadRequest | ServiceUnavailable, Scope>
}

export const OwnCarriers = Context.Reference<Effect.Effect<Own, BadRequest>>("@watchword/send/rehearsal/OwnCarriers", {
  defaultValue: () =>
    Effect.succeed({
      carriers: [],
      open: () => Effect.fail(new BadRequest({ message: "There are no settings of carriers here." }))
    })
})

/** A carrier that can be rehearsed with. */
export interface Found {
  readonly channel: string
  readonly name: string
  readonly by: NonNullable<By>
  /** Whether a running server has it. */
  readonly isServed: boolean
}

/**
 * Finds a carrier by its name; fails with a sentence where it cannot be rehearsed with.
 *
 * @param channel null if the name says which
 */
export const find = Effect.fnUntraced(function* (
  name: string,
  channel: string | null
): Effect.fn.Return<Found, BadRequest | StoreError, Settings | Store> {
  const { isServed, known } = yield* all
  const named = known.filter((each) => each.name === name && (channel === null || each.channel === channel))
  const [first, other] = named
  if (first === undefined) return yield* unknown(known, isServed)
  if (other !== undefined) {
    const message = `is the name of a carrier of ${first.channel} and of ${other.channel}: give --channel ${first.channel}, or --channel ${other.channel}`
    return yield* invalid([{ path: "carrier", message }])
  }
  if (first.by === null) return yield* overHttp(name)
  const drain = yield* RouteAdmin.drainOf(name)
  const now = yield* Clock.currentTimeMillis
  if (drain !== null && (drain.until === null || now < drain.until)) {
    return yield* new BadRequest({
      message: `${name} is drained: \`watchword carrier resume ${name}\` first, because a rehearsal uses the connection of live messages.`
    })
  }
  return { channel: first.channel, name, by: first.by, isServed }
})

/** The carriers of all running servers, or of the settings here where none runs. */
const all = Effect.gen(function* () {
  const settings = yield* Settings
  const now = yield* Clock.currentTimeMillis
  const rows = [...(yield* settings.all(null, Rows.known)).values()].filter(({ at }) => now - at < Rows.FRESH)
  const isServed = rows.length > 0 || (yield* Store.use(({ leases }) => leases)).length > 0
  const known = isServed
    ? rows.flatMap(({ carriers, channel }) => carriers.map((each): Known => ({ ...each, channel })))
    : (yield* yield* OwnCarriers).carriers
  const once = new Map(known.map((each) => [`${each.channel} ${each.name}`, each]))
  return { isServed, known: [...once.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
})

const unknown = (known: ReadonlyArray<Known>, isServed: boolean): BadRequest => {
  const names = [...new Set(known.map(({ name }) => name))]
  const where = isServed ? "of a running server" : "of the settings here, and no server runs"
  if (names.length > 0)
    return invalid([{ path: "carrier", message: `is no carrier ${where}; use ${names.join(", ")}` }])
  return new BadRequest({
    message: isServed
      ? "No running server has a carrier of texts or calls."
      : "No server runs, and the settings here have no carrier: set SMPP_URL, SIP_URL or CARRIERS."
  })
}

const overHttp = (name: string): BadRequest =>
  new BadRequest({
    message:
      `${name} is a provider with an HTTP API, whose answers and receipts have one form for all customers: a rehearsal finds ` +
      "nothing to set. Send a text of your own account, and `watchword why` with its number shows the answer and the receipt."
  })

export interface Request {
  readonly found: Found
  readonly to: E164
  readonly from: string
  /** Milliseconds that receipts are waited for. */
  readonly wait: number
}

/** A rehearsal that was sent. */
export interface Result {
  readonly id: string
  readonly heard: ReadonlyArray<Heard>
}

/**
 * Counts a rehearsal, and has it run once.
 *
 * @param hear is called with each thing that is sent or comes in, soon after
 */
export const run = Effect.fnUntraced(function* (
  request: Request,
  hear: (heard: Heard) => Effect.Effect<void>
): Effect.fn.Return<Result, BadRequest | ServiceUnavailable | StoreError, Settings | Store> {
  const store = yield* Store
  const { counted, tallies } = yield* store.count([Rows.ofDay])
  if (!counted) return yield* tooMany(tallies[0]?.freeIn ?? 0)
  const id = nextUlid(yield* Clock.currentTimeMillis)
  const heard = yield* request.found.isServed ? byServer(id, request, hear) : byItself(id, request, hear)
  return { id, heard }
})

const tooMany = (freeIn: number): BadRequest =>
  new BadRequest({
    message:
      `There were ${Rows.MOST_A_DAY} rehearsals in the last day, the most that an installation may run: ` +
      `the next one may be in ${Math.max(1, Math.ceil(freeIn / 3_600_000))} h.`
  })

/** How long a running server may take to begin, and to write that it still runs, in milliseconds. */
const BEGIN = 20_000
const SILENCE = 20_000
const LOOK = 400

/** Makes a running server send, and follows its notes. */
const byServer = Effect.fnUntraced(function* (
  id: string,
  { found, from, to, wait }: Request,
  hear: (heard: Heard) => Effect.Effect<void>
) {
  const settings = yield* Settings
  const store = yield* Store
  const begun = yield* Clock.currentTimeMillis
  const { channel, name: carrier } = found
  yield* settings.note(null, Rows.asked.of(id), { channel, carrier, to, from, wait, until: begun + BEGIN })
  let known = 0
  let seen: Rows.Seen | undefined = undefined
  for (;;) {
    yield* Effect.interruptible(Effect.sleep(LOOK))
    seen = (yield* settings.all(null, Rows.seen)).get(id)
    const now = yield* Clock.currentTimeMillis
    for (const each of seen?.heard.slice(known) ?? []) yield* hear(each)
    known = seen?.heard.length ?? 0
    if (seen?.hasEnded === true) return seen.heard
    if (seen === undefined && now - begun > BEGIN) {
      const { counted } = yield* store.count([Rows.claimOf(id)])
      yield* settings.note(null, Rows.asked.of(id), null)
      return yield* new ServiceUnavailable({ message: counted ? NOT_TAKEN : LOST })
    }
    if (seen !== undefined && now - seen.at > SILENCE) {
      yield* hear({ at: now, kind: "note", raw: "", read: LOST, facts: {} })
      return [...seen.heard]
    }
  }
})

const NOT_TAKEN = "No running server took the rehearsal within 20 seconds. Nothing was sent."
const LOST =
  "The server that took the rehearsal has ended, and did not write what came of it: whether the rest was sent is not known. It is not sent again."

/** Connects to the carrier, sends, and keeps what came for questions that are answered later. */
const byItself = Effect.fnUntraced(function* (
  id: string,
  { found, from, to, wait }: Request,
  hear: (heard: Heard) => Effect.Effect<void>
) {
  const settings = yield* Settings
  const { open } = yield* yield* OwnCarriers
  const heard: Array<Heard> = []
  const rehearsal = yield* Effect.interruptible(open(found))
  let known = 0
  const shown = Effect.suspend(() =>
    Effect.forEach(heard.slice(known, (known = heard.length)), hear, { discard: true })
  )
  const follow = Effect.forever(Effect.andThen(Effect.sleep(LOOK), shown))
  const { by, channel, name: carrier } = found
  const trial = { carrier: found.name, to, from, wait }
  yield* Effect.interruptible(
    Effect.raceFirst(
      rehearsal.run(trial, (each) => void heard.push(withoutNumber(each, to))),
      follow
    )
  )
  yield* shown
  const at = yield* Clock.currentTimeMillis
  const row: Rows.Seen = { at, channel, carrier, number: masked(to), from, by, heard, hasEnded: true }
  yield* settings.note(null, Rows.seen.of(id), row)
  return heard
}, Effect.scoped)

/** The last rehearsal with a carrier within a day; null before one has ended. */
export const last = Effect.fnUntraced(function* (carrier: string, channel: string | null) {
  const settings = yield* Settings
  const rows = [...(yield* settings.all(null, Rows.seen))].filter(
    ([, seen]) => seen.carrier === carrier && (channel === null || seen.channel === channel) && seen.heard.length > 0
  )
  const [id, seen] = rows.at(-1) ?? []
  return id === undefined || seen === undefined ? null : { id, seen }
})
