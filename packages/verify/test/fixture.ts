/** Verifications on a store in memory, over channels with scripted gateways. */
import { assert } from "@effect/vitest"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { bizchat } from "@watchword/bizchat/Bizchat"
import {
  type BizchatEvent,
  BizchatGateway,
  type MessageStatus,
  type TextMessage
} from "@watchword/bizchat/BizchatGateway"
import { call } from "@watchword/call/Call"
import { type Call, CallGateway, type Dialled, type Ended } from "@watchword/call/CallGateway"
import { withGateway } from "@watchword/send/channel/Channel"
import * as Features from "@watchword/send/channel/Features"
import * as Receiving from "@watchword/send/channel/Receiving"
import { chatgw } from "@watchword/chatgw/Chatgw"
import { ChatgwGateway, type CodeMessage, type Probe, type RequestStatus } from "@watchword/chatgw/ChatgwGateway"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import * as PriceTable from "@watchword/ledger/PriceTable"
import { ListBody } from "@watchword/pagination/Page"
import * as Records from "@watchword/records/Records"
import { TemporaryUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import type { Principal } from "@watchword/schemas/Account"
import type { SmsStatus } from "@watchword/schemas/Sms"
import {
  type Bind,
  CheckVerification,
  StartVerification,
  type Step,
  type StepChannel,
  type Verification
} from "@watchword/schemas/Verification"
import { InstallationSecret, heartbeatLayer, observedStore, setCallers } from "@watchword/send/pipeline"
import { type RequestKeys, noKeys } from "@watchword/send/Claims"
import { type Outcome, accepted, rejected, unknown } from "@watchword/send/Outcome"
import * as Send from "@watchword/send/Send"
import * as Settings from "@watchword/store/Settings"
import { sms as smsChannel } from "@watchword/sms/Sms"
import { type Message, type SmsEvent, SmsGateway } from "@watchword/sms/SmsGateway"
import { makeMemory } from "@watchword/store/MemoryStore"
import { type Service as StoreService, Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Verify from "../src/internal/Verify.ts"
import { Options, type VerifyOptions } from "../src/internal/VerifyOptions.ts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { whatIsSet } from "../../../test/whatIsSet.ts"

export const number = "+4915123456789"

type Handle<Event> = (event: Event) => Effect.Effect<void, StoreError>

/** Keeps the handler of a gateway's events, and gives it events. */
const listener = <Event>() => {
  let handle: Handle<Event> | null = null
  return {
    events: (given: Handle<Event>) => Effect.sync(() => void (handle = given)),
    tell: (event: Event): Effect.Effect<void> =>
      Effect.suspend(() => (handle === null ? Effect.die("no handler of events") : Effect.orDie(handle(event))))
  }
}

export const refusal = () => rejected(new TemporaryUnavailable({ message: "refused" }))
export const lost = () => unknown(new TemporaryUnavailable({ message: "no answer" }))

/** A carrier that takes each text, unless `answer` says otherwise. */
const smsGateway = () => {
  const sends: Array<Message> = []
  const { events, tell } = listener<SmsEvent>()
  const sms = {
    sends,
    /** Its links, which are up or down. */
    links: new Array<{ readonly name: string; up: boolean; readonly window: { used: number; size: number } }>(),
    answer: (_message: Message): Effect.Effect<Outcome> => Effect.succeed(accepted([`sms-${sends.length}`])),
    /** The receipt of the text of a place, from 1 on. */
    receipt: (place: number, status: SmsStatus) =>
      tell({
        _tag: "Receipt",
        refs: [`sms-${place}`],
        to: null,
        reference: null,
        status,
        carrierStatus: null,
        carrierError: null
      })
  }
  const service = SmsGateway.of({
    send: (message) => Effect.suspend(() => (sends.push(message), sms.answer(message))),
    events,
    health: Effect.sync(() => sms.links)
  })
  return Object.assign(sms, { service })
}

/** A chat app's gateway on which each number has an account. A message is unread unless `isRead`. */
const chatGateway = () => {
  const sends: Array<CodeMessage> = []
  const revoked: Array<string> = []
  const { events, tell } = listener<RequestStatus>()
  const chat = {
    sends,
    revoked,
    probes: 0,
    isRead: false,
    answer: ({ requestId }: CodeMessage): Effect.Effect<Outcome> =>
      Effect.succeed(accepted([String(requestId)], { request_id: String(requestId) })),
    probe: (place: number): Effect.Effect<Probe> =>
      Effect.succeed({ _tag: "Reachable", requestId: `request-${place}` }),
    status: (requestId: string, status: "delivered" | "read" | "failed") =>
      tell({ requestId, of: null, delivery: { status, updatedAt: 1 }, verification: null, isRefunded: false })
  }
  const status = (requestId: string): RequestStatus => {
    const isRevoked = revoked.includes(requestId) && !chat.isRead
    const delivery = { status: isRevoked ? "revoked" : chat.isRead ? "read" : "expired", updatedAt: 1 } as const
    return { requestId, of: null, delivery, verification: null, isRefunded: isRevoked }
  }
  const service = ChatgwGateway.of({
    send: (message) => Effect.suspend(() => (sends.push(message), chat.answer(message))),
    checkSendAbility: () => Effect.suspend(() => chat.probe(++chat.probes)),
    checkVerificationStatus: (requestId, code) =>
      code === null ? Effect.sync(() => status(requestId)) : Effect.die("a verification checks its code itself"),
    revoke: (requestId) =>
      Effect.sync(() => {
        revoked.push(requestId)
        return status(requestId)
      }),
    events,
    health: Effect.succeed([]),
    webhook: null
  })
  return Object.assign(chat, { service })
}

/** A business messaging platform that takes each text, unless `answer` says otherwise. */
const businessGateway = () => {
  const sends: Array<TextMessage> = []
  const { events, tell } = listener<BizchatEvent>()
  const business = {
    sends,
    answer: (refs: ReadonlyArray<string>): Outcome => accepted(refs),
    /** A status of the text of a place, from 1 on. */
    status: (place: number, status: MessageStatus["status"], errorCode: number | null = null) =>
      tell({
        _tag: "Status",
        ref: `text-${place}`,
        of: null,
        status,
        at: 1,
        errorCode,
        notOnPlatform: errorCode === 131026
      })
  }
  const service = BizchatGateway.of({
    check: () => Effect.void,
    send: (message) => Effect.sync(() => business.answer([`text-${sends.push(message)}`])),
    events,
    health: Effect.succeed([]),
    webhook: null
  })
  return Object.assign(business, { service })
}

/** A trunk on which each phone rings, unless `answer` says otherwise. */
const callGateway = () => {
  const calls: Array<Call> = []
  const ringing = new Set<DeliveryId>()
  const { events, tell } = listener<Ended>()
  const trunk = {
    calls,
    /** How many were hung up before they ended. */
    hungUp: 0,
    answer: (_call: Call): Effect.Effect<Dialled> =>
      Effect.succeed({ _tag: "Ringing", postDialDelay: 100, dialog: "dialog" }),
    /** Ends the calls that ring. */
    end: (hangupCause: string) =>
      Effect.forEach(
        [...ringing],
        (delivery) => {
          ringing.delete(delivery)
          const cause = { hangupCause, sipStatus: null, q850: null }
          return tell({ _tag: "Ended", delivery, cause, answeredAt: null, endedAt: 0 })
        },
        { discard: true }
      )
  }
  const service = CallGateway.of({
    dial: (placed, beforeInvite) =>
      Effect.suspend(() => {
        calls.push(placed)
        return Effect.andThen(beforeInvite("dialog"), trunk.answer(placed))
      }).pipe(
        Effect.tap(({ _tag }) =>
          Effect.sync(() => (_tag === "Ringing" ? void ringing.add(placed.delivery) : undefined))
        )
      ),
    hangup: (delivery, reason) =>
      Effect.suspend(() => {
        if (!ringing.has(delivery)) return Effect.succeed(false)
        if (reason === "ORIGINATOR_CANCEL") trunk.hungUp++
        return Effect.as(trunk.end(reason), true)
      }),
    recover: () => Effect.suspend(() => trunk.end("SYSTEM_SHUTDOWN")),
    drain: Effect.suspend(() => trunk.end("ORIGINATOR_CANCEL")),
    events,
    health: Effect.succeed([])
  })
  return Object.assign(trunk, { service })
}

export interface World {
  readonly store: StoreService
  readonly sms: ReturnType<typeof smsGateway>
  readonly chat: ReturnType<typeof chatGateway>
  readonly business: ReturnType<typeof businessGateway>
  readonly trunk: ReturnType<typeof callGateway>
  /** The channels that have a live gateway. */
  readonly live: ReadonlyArray<"sms" | "chatgw" | "bizchat" | "call">
  readonly secrets: ReadonlyArray<string>
  readonly options: VerifyOptions
}

export const makeWorld = (changes: Partial<World> = {}): World => ({
  store: makeMemory(),
  sms: smsGateway(),
  chat: chatGateway(),
  business: businessGateway(),
  trunk: callGateway(),
  live: ["sms", "chatgw", "call"],
  secrets: ["0123456789abcdef0123456789abcdef"],
  options: {},
  ...changes
})

/**
 * In euros: a text, which is sold only to Germany, costs five cents, a chat message three cents including one for its
 * probe, a call two cents.
 */
const prices = {
  sms: { "49": "0.05" },
  chatgw: { "*": "0.03" },
  chatgw_probe: { "*": "0.01" },
  bizchat: { "*": "0.04" },
  call: { "*": "0.02" }
}

/** The service of one process. Further processes on the same store are made from the same world. */
export const processOf = ({ business, chat, live, options, secrets, sms, store, trunk }: World) => {
  const running = Features.layer([
    live.includes("call") ? withGateway(call, Layer.succeed(CallGateway, trunk.service)) : call,
    live.includes("sms") ? withGateway(smsChannel, Layer.succeed(SmsGateway, sms.service)) : smsChannel,
    live.includes("chatgw") ? withGateway(chatgw, Layer.succeed(ChatgwGateway, chat.service)) : chatgw,
    live.includes("bizchat") ? withGateway(bizchat, Layer.succeed(BizchatGateway, business.service)) : bizchat
  ])
  const channels = Layer.effect(Features.Channels, Features.Features)
  return Verify.layer.pipe(
    Layer.provide(Layer.merge(Layer.provide(channels, running), Layer.succeed(Options, options))),
    Layer.provideMerge(Layer.mergeAll(Send.layer, Records.layer, Ledger.layer, Accounts.layer, Settings.layer)),
    Layer.provide(Layer.succeed(PriceTable.Prices, Result.getOrThrow(PriceTable.parse(prices)))),
    Layer.provide(
      Layer.succeed(
        InstallationSecret,
        secrets.map((secret) => Redacted.make(secret))
      )
    ),
    Layer.provideMerge(Receiving.layer),
    Layer.provideMerge(whatIsSet),
    Layer.provideMerge(heartbeatLayer),
    Layer.provideMerge(Layer.provide(observedStore, Layer.succeed(Store, store))),
    Layer.provide(ChannelRegistry.layerBuiltIn)
  )
}

type Services = Layer.Success<ReturnType<typeof processOf>>

/** A test in a world of its own. */
export const inWorld = <A, E, R>(
  test: (world: World) => Effect.Effect<A, E, R>,
  changes: Partial<World> = {}
): Effect.Effect<A, E | StoreError, Exclude<R, Services>> =>
  Effect.suspend(() => {
    const world = makeWorld(changes)
    return Effect.provide(test(world), processOf(world))
  })

/** An account with a sender, a pool of 2,000 callers, and money. */
export const principal = Effect.fnUntraced(function* (
  mode: Principal["mode"] = "live",
  euros = 10,
  callers: ReadonlyArray<string> = ["+4930901820000-+4930901821999"]
) {
  const { create } = yield* Accounts.Accounts
  const ledger = yield* Ledger.Ledger
  const account = yield* create({ smsSender: "Acme" })
  if (euros > 0) yield* ledger.credit(account.id, MicroEuros.make(euros * 1_000_000))
  if (callers.length > 0) yield* setCallers(account.id, { callers })
  const made: Principal = { account, mode, key: null, scopes: null }
  return made
})

/** The balance of an account, in cents. */
export const centsOf = Effect.fnUntraced(function* ({ account }: Principal) {
  const { available, held } = yield* Ledger.Ledger.use((ledger) => ledger.balance(account.id))
  return { available: available / 10_000, held: held / 10_000 }
})

const decodeStart = Schema.decodeUnknownSync(StartVerification)
const decodeCheck = Schema.decodeUnknownSync(CheckVerification)

export const start = (by: Principal, more: object = {}, keys: Partial<RequestKeys> = {}) =>
  Verify.Verify.use((verify) => verify.start(by, decodeStart({ to: number, ...more }), { ...noKeys, ...keys }))

export const check = (
  by: Principal,
  subject: Verification | object,
  code: string,
  keys: Partial<RequestKeys> = {},
  bind?: Bind
) =>
  Verify.Verify.use((verify) => {
    const payment = bind === undefined ? {} : { bind }
    const body = { code, ...payment, ...("id" in subject ? { verification_id: subject.id } : subject) }
    return verify.check(by, decodeCheck(body), { ...noKeys, ...keys })
  })

/** The last text, of GSM 7-bit as if it were ASCII: letters beyond that are wrong. */
export const textOf = ({ sms }: World): string =>
  String.fromCharCode(...(sms.sends.at(-1)?.text.parts[0] ?? [])).replaceAll("\0", "@")

/** The code in the last text. */
export const codeOf = (world: World): string => {
  const [code] = /[0-9]{4,10}/.exec(textOf(world)) ?? []
  if (code === undefined) throw new Error("no text has a code")
  return code
}

/** Another code of the same length. */
export const wrong = (code: string): string => code.replace(/^./, (digit) => String((Number(digit) + 1) % 10))

/** A result once it is as expected: background work waits for WebCrypto, which no test clock drives. */
export const eventually = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  isExpected: (value: A) => boolean,
  rounds = 2_000
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    for (let round = 0; round < rounds; round++) {
      const value = yield* effect
      if (isExpected(value)) return value
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust(0)
    }
    return yield* effect
  })

/** A verification once its sends have come so far. */
export const expectAttempts = (by: Principal, subject: { readonly id: string }, expected: ReadonlyArray<string>) =>
  Effect.tap(
    eventually(get(by, subject), (found) => outcomesOf(found).join() === expected.join()),
    (found) => Effect.sync(() => assert.deepStrictEqual(outcomesOf(found), expected))
  )

/** Channels and outcomes of sends, such as `sms accepted`. */
export const outcomesOf = ({ attempts }: Pick<Verification, "attempts">): ReadonlyArray<string> =>
  attempts.map(({ channel, status }) => `${channel} ${status}`)

/** Lets background work run. */
export const settled = eventually(Effect.void, () => false, 20)

interface Workflow {
  readonly workflow: ReadonlyArray<Step>
}

export const SMS: Workflow = { workflow: [{ channel: "sms", timeout: 60 }] }
export const SMS_THEN_CALL: Workflow = {
  workflow: [
    { channel: "sms", timeout: 60 },
    { channel: "call", timeout: 60 }
  ]
}
export const CHAT_THEN_SMS: Workflow = {
  workflow: [
    { channel: "chatgw", timeout: 30 },
    { channel: "sms", timeout: 60 }
  ]
}

export const get = (by: Principal, { id }: { readonly id: string }) =>
  Verify.Verify.use((verify) => verify.get(by, id, {}))

export const next = (by: Principal, { id }: { readonly id: string }, channel?: StepChannel) =>
  Verify.Verify.use((verify) => verify.next(by, id, channel === undefined ? {} : { channel }))

export const cancel = (by: Principal, { id }: { readonly id: string }) =>
  Verify.Verify.use((verify) => verify.cancel(by, id))

export const report = (by: Principal, { id }: { readonly id: string }, status: "approved" | "failed") =>
  Verify.Verify.use((verify) => verify.report(by, id, { status }))

const decodeList = Schema.decodeUnknownSync(ListBody)

export const list = (by: Principal, body: object = {}) =>
  Effect.map(
    Verify.Verify.use((verify) => verify.list(by, decodeList(body))),
    ({ list: rows, total }) => ({ rows, total })
  )

/** The life of one process. */
export const life =
  (world: World) =>
  <A, E>(work: Effect.Effect<A, E, Layer.Success<ReturnType<typeof processOf>>>): Effect.Effect<A, E | StoreError> =>
    Effect.provide(work, Layer.fresh(processOf(world)))

/** An account whose verification was cut off in the middle of its start. */
export const cutOff = (dying: World, body: object) =>
  life(dying)(Effect.tap(principal(), (owner) => Effect.exit(start(owner, body))))

/** Opens verifications, and is away for their sends. */
export const withoutSends =
  (store: World["store"]): World["store"]["open"] =>
  (step) => {
    const away = Effect.fail(new StoreError({ reason: "Unavailable", message: "away" }))
    if (step.delivery.channel === "verify") return store.open(step)
    return step.whole === undefined ? away : Effect.andThen(store.open(step.whole), away)
  }

/** Steps of a store in which no verification follows its sends. */
export const unfollowed = (store: World["store"]): Pick<World["store"], "close" | "report"> => ({
  close: (request) => {
    const { follow: _, ...close } = request
    return store.close(close)
  },
  report: (request) => {
    const { follow: _, ...report } = request
    return store.report(report)
  }
})
