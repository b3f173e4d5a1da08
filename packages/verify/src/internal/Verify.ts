/**
 * Verifications: does this person hold this number? One question, answered over the channels of a service.
 *
 * A verification makes a code, sends it by the first step of its workflow, continues to the next where nothing arrives,
 * and counts guesses. Each send is an ordinary delivery with its own price and record; the verification is a record
 * that costs nothing. Its plan changes by compare-and-set, and due times are stored in the database, so that any
 * process continues where another one stopped.
 */
import { VerifyGroup } from "@watchword/api/groups"
import * as Feature from "@watchword/send/channel/Features"
import type { Channels } from "@watchword/send/channel/Features"
import * as ChannelRecords from "@watchword/send/channel/ChannelRecords"
import * as Operation from "@watchword/send/channel/Operation"
import { Receiving } from "@watchword/send/channel/Receiving"
import { type Envelope, ListBody } from "@watchword/pagination/Page"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type BadRequest, type Conflict, type NotFound, type TooManyRequests, refused } from "@watchword/schemas/Errors"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import {
  CheckVerification,
  NextStep,
  RECEIVE,
  ReportVerification,
  StartVerification,
  type Verification,
  type VerificationChecked,
  VerificationQuery
} from "@watchword/schemas/Verification"
import type { RequestKeys } from "@watchword/send/Claims"
import type { StoreError } from "@watchword/store/StoreError"
import { makeAdmission } from "@watchword/send/pipeline"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as AccountSettings from "./AccountSettings.ts"
import * as GuardOnce from "./GuardOnce.ts"
import * as Callers from "./Callers.ts"
import * as CodeChannels from "./CodeChannels.ts"
import * as Codes from "./Codes.ts"
import * as DuePlans from "./DuePlans.ts"
import * as Ending from "./Ending.ts"
import * as ExpectedCalls from "./ExpectedCalls.ts"
import * as Hearing from "./Hearing.ts"
import * as Checking from "./Checking.ts"
import * as Resend from "./Resend.ts"
import * as LimitKeys from "./LimitKeys.ts"
import * as Outages from "./Outages.ts"
import * as Owners from "./Owners.ts"
import * as Plans from "./Plans.ts"
import * as Presenting from "./Presenting.ts"
import * as Receipts from "./Receipts.ts"
import * as Starting from "./Starting.ts"
import * as PlanRunner from "./PlanRunner.ts"
import * as AttemptSender from "./AttemptSender.ts"
import * as TestGuesses from "./TestGuesses.ts"
import { events } from "./VerificationEvents.ts"
import { format, toWire } from "./VerificationFormat.ts"
import { type Stored, failed, read } from "./VerificationRecord.ts"
import * as Waiting from "./Waiting.ts"
import * as Workflows from "./Workflows.ts"
import type { CheckError, NextError, StartError } from "./VerifyError.ts"

export interface Service extends Feature.Service {
  /**
   * Starts a verification and answers once a step was taken by its gateway. While one is pending for the number and the
   * purpose, it is sent again instead.
   */
  readonly start: (
    principal: Principal,
    body: StartVerification,
    keys: RequestKeys
  ) => Effect.Effect<Verification, StartError>

  /** Compares a code. A wrong code is not an error; it uses up one of the checks. */
  readonly check: (
    principal: Principal,
    body: CheckVerification,
    keys: RequestKeys
  ) => Effect.Effect<VerificationChecked, CheckError>

  /** Sends the code again by a channel, or by the next step where none is named. */
  readonly next: (principal: Principal, id: string, body: NextStep) => Effect.Effect<Verification, NextError>

  /** Ends a verification, and takes back what may not have been read. */
  readonly cancel: (principal: Principal, id: string) => Effect.Effect<Verification, NotFound | Conflict | StoreError>

  /**
   * A verification, by the id that `start` answered. With `wait`, the answer comes once its user has acted, or after
   * that many seconds.
   */
  readonly get: (
    principal: Principal,
    id: string,
    query: VerificationQuery
  ) => Effect.Effect<Verification, NotFound | TooManyRequests | StoreError>

  /** A page of verifications, newest first unless asked otherwise. */
  readonly list: (
    principal: Principal,
    body: ListBody
  ) => Effect.Effect<Envelope<Verification>, BadRequest | TooManyRequests | StoreError>

  /** Records the outcome that the client saw by means of its own. */
  readonly report: (
    principal: Principal,
    id: string,
    body: ReportVerification
  ) => Effect.Effect<Verification, NotFound | Conflict | StoreError>

  /**
   * Takes steps that are due, and ends verifications that have expired. The service runs it by itself, where it may.
   */
  readonly maintain: Effect.Effect<void, StoreError>
}

export class Verify extends Context.Service<Verify, Service>()("@watchword/verify/internal/Verify") {}

type Requirements = Channels | Feature.Requirements

const make: Effect.Effect<Service, StoreError, Requirements | Scope> = Effect.gen(function* () {
  const codes = yield* Codes.make
  const plans = yield* Plans.make
  const list = yield* ChannelRecords.lists(format)
  const channels = yield* CodeChannels.make
  const receipts = Receipts.make(channels)
  const sender = yield* AttemptSender.make(channels, receipts)
  const settings = yield* AccountSettings.make
  const callers = yield* Callers.make
  const admission = yield* makeAdmission
  const outages = Outages.make(channels)
  const runner = yield* PlanRunner.make({
    plans,
    sender,
    channels,
    receipts,
    codes,
    callers,
    settings,
    outages,
    admission
  })
  const ending = yield* Ending.make({ plans, codes, runner })
  const guardOnce = GuardOnce.make(admission)
  const sendAgain = Resend.make(runner)
  const workflows = yield* Workflows.make(channels, callers)
  const calls = yield* ExpectedCalls.make
  const presenting = yield* Presenting.make({ calls, codes, settings })
  const ownerOf = yield* Owners.make
  const waiting = yield* Waiting.make(plans)
  const start = yield* Starting.make({
    admission,
    guardOnce,
    codes,
    ending,
    settings,
    workflows,
    runner,
    sendAgain,
    presenting
  })
  const testGuesses = yield* TestGuesses.make
  const check = yield* Checking.make({ plans, codes, ending, testGuesses })
  const duePlans = yield* DuePlans.keep({ plans, runner, ending, outages, ownerOf })
  yield* Hearing.keep({ calls, channels, ending, guardOnce, ownerOf, runner })
  yield* (yield* Receiving).instructBy((verification) => {
    const stored = read(verification)
    return Effect.flatMap(ownerOf(stored), (principal) =>
      principal === null ? Effect.succeed([]) : presenting.instructions(principal, stored)
    )
  })

  /** A verification with what its user is to be shown. */
  const shown = (principal: Principal, stored: Stored, { qr = false }: { readonly qr?: boolean } = {}) =>
    Effect.map(presenting.present(principal, stored, qr), (present) =>
      present.length === 0 ? toWire(stored) : { ...toWire(stored), present }
    )

  const next: Service["next"] = Effect.fnUntraced(function* (principal, id, { channel = null }) {
    const wrong = channel === null || channel === RECEIVE ? null : channels.refusal("channel", channel)
    if (wrong !== null) return yield* wrong
    const stored = yield* ending.find(principal, id)
    const about = () => ({
      principal,
      to: E164.make(stored.delivery.to),
      client: PlanRunner.clientOf(stored.terms),
      ownCode: stored.terms.sealed !== null,
      ...LimitKeys.ofTerms(stored.terms)
    })
    const sent = yield* guardOnce(about, (ask) =>
      Effect.catchTag(sendAgain(principal, stored, ask, { channel: () => channel }), "NextRefused", (refused) =>
        Effect.fail(Resend.errorOf(refused))
      )
    )
    return yield* shown(principal, sent)
  }, Effect.uninterruptible)

  const get: Service["get"] = Effect.fnUntraced(function* (principal, id, { qr = false, wait = 0 }) {
    const stored = yield* waiting.news(principal, yield* ending.get(principal, id), wait)
    return yield* shown(principal, stored, { qr })
  })

  return Verify.of({
    start: (principal, body, keys) =>
      Effect.flatMapEager(start(principal, body, keys), (stored) => shown(principal, stored, body)),
    check,
    next,
    cancel: (principal, id) => Effect.map(ending.cancel(principal, id), toWire),
    get,
    list,
    report: (principal, id, body) => Effect.map(ending.report(principal, id, body), toWire),
    maintain: duePlans.pass,
    drain: waiting.end,
    health: Effect.succeed([]),
    webhook: null
  })
})

export const layer: Layer.Layer<Verify, StoreError, Requirements> = Layer.effect(Verify, make)

/** The feature's description: its messages leave over the channels of the service. */
export const verify = Feature.make({
  name: ChannelRegistry.verify.name,
  products: [{ ...ChannelRegistry.verify.products[0], failed }],
  actions: ChannelRegistry.verify.actions,
  group: VerifyGroup,
  service: make,
  events,
  operations: (verify) => ({
    /** Starts a verification. Resolves once a step was taken by its gateway. */
    start: Operation.send(StartVerification, verify.start),
    /** Compares the code that the user has entered. */
    check: Operation.send(CheckVerification, verify.check),
    /** Sends the code again, by a channel or by the next step. */
    next: Operation.update(NextStep, verify.next),
    /** Ends a verification, and revokes unread messages. */
    cancel: Operation.change(verify.cancel),
    /** Looks a verification up. With `wait`, once its user has acted, or after that many seconds. */
    get: Operation.readBy(VerificationQuery, verify.get),
    list: Operation.list(verify.list, ListBody.annotate(refused)),
    report: Operation.update(ReportVerification, verify.report)
  })
})
