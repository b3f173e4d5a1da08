/**
 * The door: finds the part that a request is for, reads its credentials and its body, and answers.
 */
import { Bodies, ClientAddresses } from "@watchword/server/http"
import type { HandlePromise, HostBody, HostRequest } from "@watchword/server/Host"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Refused, notFound, refused, unserved } from "./Answers.ts"
import type { Answered, Asked } from "./Asked.ts"
import * as Checks from "./Checks.ts"
import * as Fields from "./Fields.ts"
import * as Interface from "./Interface.ts"
import * as Services from "./Services.ts"
import { accountOf } from "./Sids.ts"
import * as Verifications from "./Verifications.ts"

/** A running service, as `createWatchword` returns it; without the commands of operators in a Worker. */
export interface Service {
  readonly handle: HandlePromise
  readonly operator?: Services.Commands
}

export interface Options {
  /**
   * The public address of the door, such as `https://otp.example.com/twilio`, for the addresses in answers. By default
   * the request's host with `path`.
   */
  readonly url?: string
  /** The path at which the host mounts the door; `/twilio` by default. */
  readonly path?: string
  /**
   * `flash` has `Channel=call` place a flash call, whose code is the end of the caller's number: an app that promises
   * to read the code aloud must say so. By default the channel is refused, because no call reads a code.
   */
  readonly call?: "flash"
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is trusted; as those of the service. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** The clock, in milliseconds since the epoch; `Date.now` by default. */
  readonly now?: () => number
}

/** Larger than any form of Twilio Verify. */
const MAX_BODY_BYTES = 65_536

export const make = (service: Service, options: Options): HandlePromise => {
  const { now = Date.now, operator = null, path: mount = "/twilio", trustedProxies = [] } = { ...service, ...options }
  const clients = Result.getOrThrowWith(
    ClientAddresses.make(trustedProxies),
    ({ entry, message }) => new TypeError(`the trusted proxy ${entry} of twilioVerify ${message}`)
  )
  const withBody = Bodies.ofStrangers(MAX_BODY_BYTES, clients)

  const answer = Effect.fnUntraced(function* (request: HostRequest, body: HostBody) {
    const credentials = yield* credentialsOf(request)
    const base = (options.url ?? `${originOf(request)}${mount}`).replace(/\/+$/, "")
    const asked: Asked = {
      account: credentials.account,
      api: Interface.make(service.handle, request, credentials),
      services: Services.make(credentials.account, operator),
      fields: yield* Fields.ofBody(request, body),
      query: Fields.ofQuery(request.path),
      isFlashCalled: options.call === "flash",
      urlOf: (path) => base + path,
      now
    }
    return yield* routed(asked, request)
  })

  return (request) => {
    const answered = withBody(request, (body) => answer(request, body)).pipe(
      Effect.catchTag("Refused", (refusal) => Effect.succeed(refused(refusal))),
      Effect.catchDefect((defect) => Effect.as(Effect.logError("the Twilio door has a fault", defect), refused(fault)))
    )
    return Effect.runPromise(answered)
  }
}

const fault = new Refused({ code: 20500, message: "Internal server error." })

const routed = (asked: Asked, { method, path: target }: HostRequest): Answered => {
  const path = target.split("?", 1)[0] ?? target
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map(decodedPart)
  const [version, kind, ...rest] = parts
  if (version !== "v2") return Effect.fail(notFound(path))
  switch (kind) {
    case "Services":
      return ofServices(asked, method, path, rest)
    default:
      return Effect.fail(unserved(path))
  }
}

const ofServices = (asked: Asked, method: string, path: string, parts: ReadonlyArray<string>): Answered => {
  const [sid, kind, item, ...more] = parts
  if (sid === undefined) return method === "GET" ? Services.list(asked) : Effect.fail(readOnly)
  const within = (use: (service: Services.VerifyService) => Answered): Answered =>
    Effect.flatMap(asked.services.find(sid, path), use)
  if (more.length > 0) return Effect.fail(unserved(path))
  switch (`${method} ${kind ?? ""}${item === undefined ? "" : "/"}`) {
    case "GET ":
      return within((service) => Services.fetch(asked, service))
    case "POST ":
    case "DELETE ":
      return Effect.fail(readOnly)
    case "POST Verifications":
      return within((service) => Verifications.create(asked, service))
    case "GET Verifications/":
      return within((service) => Verifications.fetch(asked, service, item ?? "", path))
    case "POST Verifications/":
      return within((service) => Verifications.update(asked, service, item ?? "", path))
    case "POST VerificationCheck":
      return within((service) => Checks.create(asked, service, path))
    default:
      return Effect.fail(unserved(`${method} ${path}`))
  }
}

const readOnly = new Refused({
  code: 20403,
  message: "Services are the account's workflows, which the server's operator sets."
})

/** A plus sign stands for itself in a path. */
const decodedPart = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const credentialsOf = ({ headers }: HostRequest): Effect.Effect<Interface.Credentials, Refused> => {
  const [, base64 = ""] = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(String(headers["authorization"] ?? "")) ?? []
  const [, user = "", key = ""] = /^([^:]*):(.*)$/s.exec(textOf(base64)) ?? []
  const account = accountOf(user)
  return account === null || key === "" ? Effect.fail(unauthorized) : Effect.succeed({ account, key })
}

const textOf = (base64: string): string => {
  try {
    return atob(base64)
  } catch {
    return ""
  }
}

const unauthorized = new Refused({ code: 20003, message: "Authenticate" })

/** The address that a request came to: pages of a list are followed with the password. */
const originOf = ({ headers }: HostRequest): string => {
  const host = String(headers["host"] ?? headers[":authority"] ?? "localhost")
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http"
  return `${scheme}://${host}`
}
