/**
 * The move of an account from one installation to another.
 *
 * Each step is one transaction of one database, and finds out by itself whether it was done before: a move may be
 * killed at any point, and is begun again. The copy has the money first, and is suspended; a debit whose id was written
 * down before then takes the money from where it was; only afterwards the copy acts. What comes back to the first
 * account later, such as a refund, follows by a debit and a credit of one id.
 */
import * as Applications from "@watchword/auth/Applications"
import { ARRIVING, MOVE } from "@watchword/ledger/Accounts"
import { NotFound } from "@watchword/schemas/Errors"
import { type AccountId, EntryId, nextEntryId } from "@watchword/schemas/Ids"
import { MicroEuros, PositiveMicroEuros, zero } from "@watchword/schemas/Money"
import type { Adjusted } from "@watchword/store/step"
import * as AccountSettings from "@watchword/store/Settings"
import * as Setting from "@watchword/store/Setting"
import { type Service, Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"

/** The functions of a store-postgres mover. */
export interface Mover {
  readonly alone: (account: AccountId) => Effect.Effect<void, StoreError, Scope>
  readonly underWay: (account: AccountId) => Effect.Effect<number, StoreError>
  readonly copy: (account: AccountId, move: EntryId) => Effect.Effect<Copied, StoreError>
}

interface Copied {
  readonly isRepeated: boolean
  readonly available: MicroEuros
  readonly entries: number
  readonly deliveries: number
}

export interface Installations {
  readonly from: Service
  readonly to: Service
  readonly mover: Mover
  /** The other installation, without a password: a move that has begun continues to no other one. */
  readonly name: string
}

const State = Schema.Struct({
  to: Schema.String,
  /** Of the debit, and the copy. */
  entry: EntryId,
  wasSuspended: Schema.Boolean,
  /** The balance of the copy; null until it exists. */
  copied: Schema.NullOr(MicroEuros),
  /** Money that has come back since and is being moved. */
  rest: Schema.NullOr(Schema.Struct({ entry: EntryId, amount: PositiveMicroEuros })),
  /** Whether less is there than was copied, so that money has to be given back before the move continues. */
  isShort: Schema.optionalKey(Schema.Boolean),
  isDone: Schema.Boolean
})
type State = typeof State.Type

const setting = Setting.make({ name: MOVE, title: "move", schema: State })

/** The points between the steps. */
export const points = [
  "begun",
  "suspended",
  "copied",
  "noted",
  "debited",
  "rest",
  "returned",
  "arrived",
  "resumed"
] as const
export type Point = (typeof points)[number]

export interface Options {
  /** How long to wait for sends in flight, in milliseconds. */
  readonly wait: number
  /** Runs at each point; nothing unless given. */
  readonly at?: (point: Point) => Effect.Effect<void>
}

export interface Moved {
  readonly deliveries: number
  readonly entries: number
  /** The amount moved by this and earlier runs, without money that came back later. */
  readonly amount: MicroEuros
  /** Money that came back since, and was moved now. */
  readonly returned: MicroEuros
}

/** How often sends in flight are looked for. */
const LOOK_EVERY = "500 millis"

/** Moves an account, or continues with a move. */
export const move = (
  installations: Installations,
  account: AccountId,
  options: Options
): Effect.Effect<Moved, NotFound | StoreError> =>
  Effect.scoped(Effect.andThen(installations.mover.alone(account), moved(installations, account, options)))

/** Takes a move back that has copied nothing: the account acts again, unless it did not before. */
export const giveUp = (
  { from, mover, to }: Installations,
  account: AccountId
): Effect.Effect<void, NotFound | StoreError> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* mover.alone(account)
      const settings = yield* Effect.provideService(AccountSettings.make, Store, from)
      const state = Option.getOrNull(yield* settings.get(account, setting))
      if (state === null || state.isDone) return yield* refused("No move of the account is under way.")
      if (state.copied !== null || Option.isSome(yield* to.account(account))) {
        return yield* refused(
          "The account has already been copied: run the command again without --give-up to continue."
        )
      }
      yield* from.changeSetting({ account, name: MOVE, value: null })
      if (!state.wasSuspended) yield* from.changeAccount({ account, suspended: false })
    })
  )

const moved = Effect.fnUntraced(function* (
  { from, mover, name, to }: Installations,
  account: AccountId,
  { at = () => Effect.void, wait }: Options
): Effect.fn.Return<Moved, NotFound | StoreError> {
  const settings = yield* Effect.provideService(AccountSettings.make, Store, from)
  let state = yield* begun(from, settings, account, name)
  const note = Effect.fnUntraced(function* (change: Partial<State>) {
    state = { ...state, ...change }
    yield* settings.note(account, setting, state)
  })
  yield* note({})
  yield* at("begun")
  yield* from.changeAccount({ account, suspended: true })
  yield* at("suspended")
  yield* quiet(mover, account, wait)
  const { available, deliveries, entries } = yield* mover.copy(account, state.entry)
  yield* at("copied")
  // Of a copy that acts already the balance is another one.
  const copied = state.copied ?? available
  yield* note({ copied })
  yield* at("noted")
  if (copied > 0) {
    const amount = PositiveMicroEuros.make(copied)
    yield* Effect.tapError(taken(from, { account, id: state.entry, amount }, name), () => note({ isShort: true }))
    if (state.isShort === true) yield* note({ isShort: false })
  }
  yield* at("debited")

  let returned = zero
  for (;;) {
    const rest = state.rest ?? (yield* restOf(from, account))
    if (rest === null) break
    yield* note({ rest })
    yield* at("rest")
    const { amount, entry: id } = rest
    yield* taken(from, { account, id, amount }, name)
    yield* at("returned")
    const now = yield* Clock.currentTimeMillis
    yield* Effect.flatMap(
      to.credit({ id, account, amount, reason: "was returned to the account in its old cell", at: now }),
      done
    )
    yield* note({ rest: null })
    returned = MicroEuros.make(returned + amount)
  }

  const there = yield* Effect.provideService(AccountSettings.make, Store, to)
  yield* Effect.provideService(Applications.arrived(account), AccountSettings.Settings, there)
  // From here on an operator may let the copy act, and change its money.
  yield* to.changeSetting({ account, name: ARRIVING, value: null })
  yield* at("arrived")
  if (!state.isDone && !state.wasSuspended) yield* to.changeAccount({ account, suspended: false })
  yield* at("resumed")
  yield* note({ isDone: true })
  return { deliveries, entries, amount: copied, returned }
})

const begun = Effect.fnUntraced(function* (
  from: Service,
  settings: AccountSettings.Service,
  account: AccountId,
  to: string
): Effect.fn.Return<State, NotFound | StoreError> {
  const found = yield* from.account(account)
  if (Option.isNone(found)) return yield* new NotFound({ message: "There is no such account." })
  if ((yield* from.settings(account)).some(({ name }) => name === ARRIVING)) {
    return yield* refused("The account's move here has not finished: continue it in the old cell.")
  }
  const state = yield* settings.get(account, setting)
  if (Option.isSome(state)) {
    if (state.value.to === to) return state.value
    return yield* refused(`The account is being moved to ${state.value.to}: name this one.`)
  }
  return {
    to,
    entry: nextEntryId(yield* Clock.currentTimeMillis),
    wasSuspended: found.value.account.suspendedAt !== null,
    copied: null,
    rest: null,
    isDone: false
  }
})

/** Waits until nothing is under way: an account that is suspended begins nothing. */
const quiet = Effect.fnUntraced(function* (mover: Mover, account: AccountId, wait: number) {
  const until = (yield* Clock.currentTimeMillis) + wait
  for (;;) {
    const open = yield* mover.underWay(account)
    if (open === 0) return
    if ((yield* Clock.currentTimeMillis) >= until) {
      return yield* refused(
        `${open === 100 ? "A hundred or more" : open} messages or verifications of the account are still under way: run it again. ` +
          "The account stays suspended until then."
      )
    }
    yield* Effect.sleep(LOOK_EVERY)
  }
})

interface Taking {
  readonly account: AccountId
  readonly id: EntryId
  readonly amount: PositiveMicroEuros
}

const taken = Effect.fnUntraced(function* (from: Service, taking: Taking, name: string) {
  const at = yield* Clock.currentTimeMillis
  yield* Effect.flatMap(from.debit({ ...taking, reason: `moved to ${name}`, at }), done)
})

const done = (adjusted: Adjusted): Effect.Effect<void, StoreError> =>
  adjusted._tag === "Adjusted" || adjusted._tag === "Repeated"
    ? Effect.void
    : refused(
        "The account has less money than was copied: return the debited money with account credit, and run the command again."
      )

const restOf = Effect.fnUntraced(function* (from: Service, account: AccountId) {
  const found = yield* from.account(account)
  const amount = Option.match(found, { onNone: () => 0, onSome: ({ balance }) => balance.available })
  if (amount === 0) return null
  return { entry: nextEntryId(yield* Clock.currentTimeMillis), amount: PositiveMicroEuros.make(amount) }
})

const refused = (message: string) => Effect.fail(new StoreError({ reason: "Unavailable", message }))
