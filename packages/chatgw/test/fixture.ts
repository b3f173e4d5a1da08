/** Accounts with money, and the chat channel on a store in memory with a scripted gateway. */
import * as Chatgw from "@watchword/chatgw/Chatgw"
import {
  ChatgwGateway,
  type CodeMessage,
  type DeliveryState,
  type Probe,
  type RequestStatus,
  type Service,
  type VerificationState,
  stale
} from "@watchword/chatgw/ChatgwGateway"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import * as PriceTable from "@watchword/ledger/PriceTable"
import { ListBody } from "@watchword/pagination/Page"
import * as Records from "@watchword/records/Records"
import { SendCode } from "@watchword/schemas/Chatgw"
import { NotFound, TemporaryUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import { type Outcome, accepted, rejected, unknown } from "@watchword/send/Outcome"
import { heartbeatLayer } from "@watchword/send/pipeline"
import * as Send from "@watchword/send/Send"
import * as Settings from "@watchword/store/Settings"
import { makeMemory } from "@watchword/store/MemoryStore"
import { type Service as StoreService, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { whatIsSet } from "../../../test/whatIsSet.ts"

export const german = E164.make("+4915123456789")
export const austrian = E164.make("+436641234567")

/** In the units of the ledger. */
export const EURO = 1_000_000
export const CENT = 10_000

/** A gateway's own idea of a request. */
interface Request {
  readonly to: string
  of: DeliveryId | null
  code: string | null
  delivery: DeliveryState
  verification: VerificationState | null
  isRefunded: boolean
}

const lost = () => new TemporaryUnavailable({ message: "no answer" })
export const refusal = () => new NotFound({ message: "refused" })

/** A gateway in memory that knows its requests. `onSend` and `onProbe` can wrap or replace its actions. */
export const makeGateway = () => {
  const requests = new Map<string, Request>()
  const sends: Array<CodeMessage> = []
  let made = 0
  let handle: ((status: RequestStatus) => Effect.Effect<void, StoreError>) | null = null

  const create = (to: string): string => {
    const id = `request-${++made}`
    requests.set(id, { to, of: null, code: null, delivery: "sent", verification: null, isRefunded: false })
    return id
  }

  const known = (id: string) => {
    const request = requests.get(id)
    return request === undefined ? Effect.fail(new NotFound({ message: "no request" })) : Effect.succeed(request)
  }

  const statusOf = (requestId: string, request: Request): RequestStatus => ({
    requestId,
    of: request.of,
    delivery: { status: request.delivery, updatedAt: 1 },
    verification: request.verification === null ? null : { status: request.verification, updatedAt: 1 },
    isRefunded: request.isRefunded
  })

  const act = (message: CodeMessage): Outcome => {
    const id = message.requestId ?? create(message.to)
    const request = requests.get(id)
    if (request === undefined || request.to !== message.to) return rejected(lost(), stale)
    if (request.code !== null) return unknown(lost())
    request.code = Redacted.value(message.code)
    request.of = message.delivery
    return accepted([id], { request_id: id })
  }

  const gateway = {
    requests,
    sends,
    /** How many probes were asked for. */
    probes: 0,
    onSend: (_message: CodeMessage, act: Effect.Effect<Outcome>): Effect.Effect<Outcome> => act,
    onProbe: (_to: string, act: Effect.Effect<Probe>): Effect.Effect<Probe> => act,
    /** The last request. */
    newest: () => `request-${made}`,
    /** Reports news about a request. */
    tell: (requestId: string, news: Partial<Request> = {}, event: Partial<RequestStatus> = {}) =>
      Effect.suspend(() => {
        const request = requests.get(requestId)
        if (request === undefined || handle === null)
          return Effect.die(`the gateway has no request ${requestId}, or no handler`)
        return handle({ ...statusOf(requestId, Object.assign(request, news)), ...event })
      })
  }

  const service: Service = {
    send: (message) =>
      Effect.suspend(() => {
        sends.push(message)
        return gateway.onSend(
          message,
          Effect.sync(() => act(message))
        )
      }),
    checkSendAbility: (to) =>
      Effect.suspend(() => {
        gateway.probes++
        return gateway.onProbe(
          to,
          Effect.sync(() => ({ _tag: "Reachable", requestId: create(to) }))
        )
      }),
    checkVerificationStatus: (requestId, code) =>
      Effect.map(known(requestId), (request) => {
        if (code !== null && (request.verification === null || request.verification === "code_invalid")) {
          request.delivery = "read"
          request.verification = Redacted.value(code) === request.code ? "code_valid" : "code_invalid"
        }
        return statusOf(requestId, request)
      }),
    revoke: (requestId) =>
      Effect.map(known(requestId), (request) => {
        if (request.delivery === "sent" || request.delivery === "delivered") {
          request.delivery = "revoked"
          request.isRefunded = true
        }
        return statusOf(requestId, request)
      }),
    events: (listener) => Effect.sync(() => void (handle = listener)),
    health: Effect.succeed([]),
    webhook: null
  }
  return Object.assign(gateway, { service })
}

export type TestGateway = ReturnType<typeof makeGateway>

/** Answers that get lost: the gateway has acted, or has not. */
export const loseAnswer = (_: unknown, act: Effect.Effect<Outcome>) => Effect.as(act, unknown(lost()))
export const loseQuestion = () => Effect.succeed(unknown(lost()))
export const refuse = () => Effect.succeed(rejected(refusal()))

export interface World {
  readonly gateway: TestGateway
  readonly prices: { readonly chatgw: string; readonly chatgw_probe: string }
  readonly store: StoreService
  readonly hasGateway: boolean
}

/** Everything the channel needs. */
const layerOf = ({ gateway, hasGateway, prices, store }: World) => {
  const table = Result.getOrThrow(
    PriceTable.parse({ chatgw: { "*": prices.chatgw }, chatgw_probe: { "*": prices.chatgw_probe } })
  )
  return Layer.provide(Chatgw.layer, hasGateway ? Layer.succeed(ChatgwGateway, gateway.service) : Layer.empty).pipe(
    Layer.provideMerge(Layer.mergeAll(Send.layer, Records.layer, Ledger.layer, Accounts.layer, Settings.layer)),
    Layer.provide(Layer.succeed(PriceTable.Prices, table)),
    Layer.provideMerge(whatIsSet),
    Layer.provideMerge(heartbeatLayer),
    Layer.provideMerge(Layer.succeed(Store, store))
  )
}

type Services = Layer.Success<ReturnType<typeof layerOf>>

/** A test in a world of its own: five cents for a code, one for a probe. */
export const inWorld = <A, E, R>(
  test: (world: World) => Effect.Effect<A, E, R>,
  changes: Partial<World> = {}
): Effect.Effect<A, E | StoreError, Exclude<R, Services>> =>
  Effect.suspend(() => {
    const world: World = {
      gateway: makeGateway(),
      prices: { chatgw: "0.05", chatgw_probe: "0.01" },
      store: makeMemory(),
      hasGateway: true,
      ...changes
    }
    return Effect.provide(test(world), layerOf(world))
  })

export const principal = Effect.fnUntraced(function* (
  mode: Principal["mode"] = "live",
  euros = 1,
  account: Accounts.NewAccount = {}
) {
  const accounts = yield* Accounts.Accounts
  const ledger = yield* Ledger.Ledger
  const made: Principal = { account: yield* accounts.create(account), mode, key: null, scopes: null }
  if (euros > 0) yield* ledger.credit(made.account.id, MicroEuros.make(euros * EURO))
  return made
})

/** An account's ledger behind its first credit, as kind and cents. */
export const entriesOf = Effect.fnUntraced(function* ({ account }: Principal) {
  const ledger = yield* Ledger.Ledger
  const entries = yield* Stream.runCollect(ledger.entries(account.id))
  return entries.slice(1).map(({ amount, kind }) => `${kind} ${amount / CENT}`)
})

/** The balance of an account, in cents. */
export const centsOf = Effect.fnUntraced(function* ({ account }: Principal) {
  const { available, held } = yield* Ledger.Ledger.use((ledger) => ledger.balance(account.id))
  return { available: available / CENT, held: held / CENT }
})

const decodeCode = Schema.decodeUnknownSync(SendCode)
export const page = Schema.decodeUnknownSync(ListBody)

/** A code for a number. */
export const codeTo = (to: string = german, more: object = {}) => decodeCode({ to, code: "123456", ...more })
