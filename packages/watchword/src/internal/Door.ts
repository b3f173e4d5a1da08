/**
 * Doors: other interfaces in front of a service, which apps already speak. A door authenticates a request by an API
 * key, makes direct calls as that key's account, and answers in the other interface's words.
 */
import { REQUEST_ID } from "@watchword/api/Headers"
import { keyHash } from "@watchword/auth/Authenticator"
import { InternalServerError, type WatchwordError, isWatchwordError } from "@watchword/client"
import type { Principal } from "@watchword/schemas/Account"
import { Features } from "@watchword/send/channel/Features"
import { InstallationSecret, deriveKey, openSealed, sealWith } from "@watchword/send/pipeline"
import { type ApiRequest, Entrance } from "@watchword/server/http"
import {
  type HandlePromise,
  type HostBody,
  type HostRequest,
  type HostResponse,
  toPromise
} from "@watchword/server/Host"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import type { Services } from "../Services.ts"
import { Admitted } from "./Admitted.ts"
import { type BuiltIn, builtIn } from "./Channels.ts"
import * as Direct from "./Direct.ts"
import * as Inside from "./Inside.ts"
import { type Caller, principalOf } from "./Principals.ts"
import { stopped } from "./Rejections.ts"
import { ServiceScope } from "./ServiceScope.ts"

/** The caller of a request at a door. Direct calls take it: `service.verify.start(caller, …)`. */
export type DoorCaller = Pick<Admitted, "account" | "sandbox" | "ticket">

/** A request's credentials: a key, or an earlier caller's `ticket`, from a token that the door has issued. */
export type DoorCredentials =
  | {
      readonly apiKey: string
      /** The account that the key must belong to; null if the request names no account. */
      readonly account: string | null
    }
  | { readonly ticket: string }

/** The answers of a door. */
export interface DoorAnswers {
  /**
   * Answers a request. A rejection is answered by `failed`.
   *
   * @param route names the request's route in the log and in metrics: a pattern such as `/v2/Services/:sid`, never a
   *   path, because each name is a series of its own
   */
  readonly answer: (request: HostRequest, route: (pattern: string) => void) => Promise<HostResponse>
  /** The answer to an error, in the words of the other interface. */
  readonly failed: (error: WatchwordError, request: HostRequest) => HostResponse
}

/** The direct calls of verifications as programs, which fail with the errors of the interface. */
export interface Verifying extends Direct.Programs<Direct.Direct<BuiltIn["verify"]>> {}

/** The functions of a service for one door. */
export interface Door {
  /**
   * A handler for the adapters of hosts: `watchword({ handle })`. Its requests are logged, counted and traced as
   * requests to the service's own interface are, and `dispose` waits for them.
   */
  readonly handler: (answers: DoorAnswers) => HandlePromise
  /**
   * The caller behind a request's key. The key's mode, scopes and allow-list hold, and the service's `trustedProxies`.
   * Rejects with `Unauthorized`, whose cause the log has.
   */
  readonly authenticate: (request: HostRequest, credentials: DoorCredentials) => Promise<DoorCaller>
  /**
   * An account as a caller without a key, with every scope: for a request that the door has authenticated itself, such
   * as by a signature. Rejects with `NotFound` for an unknown account.
   *
   * @param request has the log of refused requests name the account, if the request is refused after all
   */
  readonly admit: (caller: Caller, request?: HostRequest) => Promise<DoorCaller>
  /**
   * Reads a request's body and uses it, in the memory that the caller's account has. Without a caller, for a request
   * that its body authenticates, the body has at most 8 KB.
   */
  readonly withBody: <A>(
    request: HostRequest,
    caller: DoorCaller | null,
    use: (body: HostBody) => Promise<A>
  ) => Promise<A>
  /** A text under the installation's secret, for tokens: no other party can read or make it. In base64url. */
  readonly seal: (text: string) => Promise<string>
  /** A text that this door has sealed, in any process of the installation; null for other texts. */
  readonly open: (sealed: string) => Promise<string | null>
  /**
   * Authenticates a request, reads its body, and answers it by a program, which costs less than the same by promises.
   * Rejects as `authenticate` and as direct calls do.
   */
  readonly admitted: <E>(
    request: HostRequest,
    credentials: DoorCredentials,
    use: (caller: DoorCaller, body: HostBody) => Effect.Effect<HostResponse, E, Services>
  ) => Promise<HostResponse>
  /** The direct calls of verifications, as programs. */
  readonly verify: Verifying
  /** Runs a program with the service's own services, such as `Settings`. Rejects as direct calls do. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>
}

/**
 * The functions of a service for a door, a package that answers another interface's requests. Verifications that its
 * callers start have its name, which `watchword why` shows. Make it once for a service.
 *
 * @param name in lower case, such as `twilio`
 * @throws `TypeError` for another name, and for anything other than a service
 *
 * @example
 * ```ts
 * import { watchword } from "@watchword/node"
 * import { createServer } from "node:http"
 * import { createWatchword, doorOf, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const door = doorOf(service, "acme")
 * const json = (status: number, body: object) => ({
 *   status,
 *   headers: { "content-type": "application/json" },
 *   body: JSON.stringify(body)
 * })
 * const handle = door.handler({
 *   answer: async (request, route) => {
 *     route("/codes")
 *     const caller = await door.authenticate(request, { account: null, apiKey: String(request.headers["x-token"]) })
 *     const { id } = await service.verify.start(caller, { to: "+4915123456789" })
 *     return json(202, { id })
 *   },
 *   failed: ({ code, status = 500 }) => json(status, { problem: code })
 * })
 * createServer(watchword({ handle }, { basePath: "/acme" })).listen(8082)
 * ```
 */
export const doorOf = (service: Inside.Running, name: string): Door => {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(name)) {
    throw new TypeError("a door's name must be 1 to 32 lower-case letters, digits and hyphens, the first a letter")
  }
  const { context, run } = Inside.of(service, "doorOf")
  const entrance = Context.get(context, Entrance)
  const { open, seal } = sealing(name, Context.get(context, InstallationSecret))
  /** The requests of the door, for the log of refused requests. */
  const requests = new WeakMap<HostRequest, ApiRequest>()
  const admitted = (principal: Principal, ticket: () => string | null, request: ApiRequest | null): DoorCaller =>
    new Admitted({ ...principal, door: name }, ticket, request)
  const authenticated = (request: HostRequest, credentials: DoorCredentials) => {
    const isTicket = "ticket" in credentials
    const given = isTicket
      ? { apiKey: null, accountId: null, keyHash: credentials.ticket, accountRequired: false }
      : { apiKey: credentials.apiKey, accountId: credentials.account, accountRequired: false }
    const ticket = () => (isTicket ? credentials.ticket : keyHash(credentials.apiKey))
    const known = requests.get(request) ?? null
    const witnessed = known === null ? given : { ...given, witness: known }
    return Effect.map(entrance.authenticate(request, witnessed), (principal) => admitted(principal, ticket, known))
  }

  return {
    handler: ({ answer, failed }) => {
      const answered = (request: ApiRequest) => {
        requests.set(request.host, request)
        return answering(request, answer, failed)
      }
      const refuse = (request: HostRequest) => Effect.sync(() => failed(stopped(), request))
      const made = Effect.provideService(
        entrance.handlerOf(answered, refuse),
        Scope.Scope,
        Context.get(context, ServiceScope)
      )
      return toPromise(Effect.runSyncWith(context)(made), context)
    },
    authenticate: (request, credentials) => run(authenticated(request, credentials)),
    admitted: (request, credentials, use) =>
      run(
        Effect.flatMap(authenticated(request, credentials), (caller) =>
          entrance.withBody(request, caller.account, (body) => Effect.provideContext(use(caller, body), context))
        )
      ),
    verify: Direct.programs(Context.get(context, Features), builtIn.verify),
    admit: async (caller, request) => {
      const principal = await run(principalOf(caller))
      const known = (request && requests.get(request)) ?? null
      if (known !== null) known.principal = principal
      return admitted(principal, () => null, known)
    },
    withBody: (request, caller, use) => {
      const used = (body: HostBody) => Effect.promise(() => use(body))
      return run(
        caller === null ? entrance.withStrangersBody(request, used) : entrance.withBody(request, caller.account, used)
      )
    },
    seal,
    open,
    run
  }
}

const answering = (
  request: ApiRequest,
  answer: DoorAnswers["answer"],
  failed: DoorAnswers["failed"]
): Effect.Effect<HostResponse> =>
  Effect.tryPromise({
    try: () =>
      answer(request.host, (pattern) => {
        request.route = pattern
      }),
    catch: (error) => error
  }).pipe(
    Effect.catch((error) => {
      const known = isWatchwordError(error)
        ? error
        : new InternalServerError("The service failed to answer this request.")
      request.refusal = known
      const answered = Effect.sync(() => failed(known, request.host))
      const fault = isWatchwordError(error) ? error.cause : error
      return fault === undefined ? answered : Effect.andThen(logFault(request, fault), answered)
    }),
    Effect.map((response) => ({
      ...response,
      headers: { [REQUEST_ID]: request.requestId, ...response.headers }
    }))
  )

const logFault = ({ method, requestId, route }: ApiRequest, fault: unknown): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logError("a request failed", fault), { request_id: requestId, method, route })

/** Seals texts under the installation's secrets, or without one under a secret of this process. */
const sealing = (name: string, given: ReadonlyArray<Redacted.Redacted>): Pick<Door, "open" | "seal"> => {
  const secrets = given.length > 0 ? given.map(Redacted.value) : [crypto.randomUUID() + crypto.randomUUID()]
  const keyOf = async (secret: string) => (await deriveKey(secret)).key(`watchword door ${name}`)
  let keys: Promise<ReadonlyArray<CryptoKey>> | null = null
  const all = () => (keys ??= Promise.all(secrets.map(keyOf)))
  return {
    seal: async (text) => {
      const [first] = await all()
      if (first === undefined) throw new Error("an installation has a secret")
      return sealWith(first, name, text)
    },
    open: async (sealed) => {
      for (const key of await all()) {
        const text = await openSealed(key, name, sealed)
        if (text !== null) return text
      }
      return null
    }
  }
}
