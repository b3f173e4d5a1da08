/**
 * The door: finds the part that a request is for, authenticates it, reads its body, and answers.
 */
import { Keys } from "@watchword/auth/Keys"
import { AccountId } from "@watchword/schemas/Ids"
import type { HandlePromise, HostBody, HostRequest, HostResponse } from "@watchword/server/Host"
import * as Effect from "effect/Effect"
import { type DoorCaller, doorOf } from "watchword"
import { Refused, notFound, refused, unserved } from "./Answers.ts"
import type { Answered, Asked, VerifyService } from "./Asked.ts"
import * as Attempts from "./Attempts.ts"
import * as Calls from "./Calls.ts"
import * as Checks from "./Checks.ts"
import { refusalOf } from "./Errors.ts"
import * as Fields from "./Fields.ts"
import * as Services from "./Services.ts"
import { accountOf, keyOf } from "./Sids.ts"
import * as Verifications from "./Verifications.ts"

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
}

export const make = (service: Calls.Service, { call, path: mount = "/twilio", url }: Options): HandlePromise => {
  const door = doorOf(service, "twilio")

  const answered = (request: HostRequest, caller: DoorCaller, route: Route, body: HostBody) =>
    Effect.flatMap(Fields.ofBody(request, body), (fields) => {
      const base = (url ?? `${originOf(request)}${mount}`).replace(/\/+$/, "")
      return route.answer({
        account: caller.account,
        calls: Calls.make(service, door, caller),
        services: Services.make(caller.account),
        fields,
        query: Fields.ofQuery(request.path),
        isFlashCalled: call === "flash",
        urlOf: (path) => base + path
      })
    }).pipe(Effect.catchTag("Refused", (refusal) => Effect.succeed(refused(refusal))))

  /** Whether a caller has the key that the request names; every caller if the request names none. */
  const isNamed = (key: string | null, { account }: DoorCaller) =>
    key === null
      ? Effect.succeed(true)
      : Effect.map(
          Keys.use(({ list }) => list(AccountId.make(account))),
          (keys) => keys.some(({ id }) => id === key)
        )

  return door.handler({
    answer: async (request, named) => {
      const route = routeOf(request)
      named(route.pattern)
      const given = credentialsOf(request)
      if (given === null) return refused(unauthorized)
      return door.admitted(request, given, (caller, body) =>
        Effect.flatMap(isNamed(given.key, caller), (is) =>
          is ? answered(request, caller, route, body) : Effect.succeed(refused(unauthorized))
        )
      )
    },
    failed: (error): HostResponse => refused(refusalOf(error))
  })
}

/** The part of the door that a request is for. */
interface Route {
  /** The path with names instead of ids. */
  readonly pattern: string
  readonly answer: (asked: Asked) => Answered
}

const routeOf = ({ method, path: target }: HostRequest): Route => {
  const path = target.split("?", 1)[0] ?? target
  const [version, kind, ...rest] = path
    .split("/")
    .filter((part) => part !== "")
    .map(decodedPart)
  if (version !== "v2") return { pattern: "none", answer: () => Effect.fail(notFound(path)) }
  switch (kind) {
    case "Services":
      return ofServices(method, path, rest)
    case "Attempts":
      return ofAttempts(method, path, rest)
    default:
      return { pattern: "none", answer: () => Effect.fail(unserved(`${method} ${path}`)) }
  }
}

const ofServices = (method: string, path: string, parts: ReadonlyArray<string>): Route => {
  const [sid, kind, item, ...more] = parts
  const within = (pattern: string, use: (asked: Asked, service: VerifyService) => Answered): Route => ({
    pattern: `/v2/Services/:sid${pattern}`,
    answer: (asked) => Effect.flatMap(asked.services.find(sid ?? "", path), (service) => use(asked, service))
  })
  const shape = [sid, kind, item].map((part, place) => (place === 1 ? part : part && ":sid")).filter(Boolean)
  switch (more.length > 0 ? "" : `${method} ${shape.join("/")}`) {
    case "GET ":
      return { pattern: "/v2/Services", answer: Services.list }
    case "GET :sid":
      return within("", Services.fetch)
    case "POST ":
    case "POST :sid":
    case "DELETE :sid":
      return { pattern: "/v2/Services/:sid", answer: () => Effect.fail(readOnly) }
    case "POST :sid/Verifications":
      return within("/Verifications", Verifications.create)
    case "GET :sid/Verifications/:sid":
      return within("/Verifications/:sid", (asked, service) => Verifications.fetch(asked, service, item ?? "", path))
    case "POST :sid/Verifications/:sid":
      return within("/Verifications/:sid", (asked, service) => Verifications.update(asked, service, item ?? "", path))
    case "POST :sid/VerificationCheck":
      return within("/VerificationCheck", (asked, service) => Checks.create(asked, service, path))
    default:
      return { pattern: "none", answer: () => Effect.fail(unserved(`${method} ${path}`)) }
  }
}

const ofAttempts = (method: string, path: string, [sid, ...more]: ReadonlyArray<string>): Route => {
  if (method !== "GET" || more.length > 0) {
    return { pattern: "none", answer: () => Effect.fail(unserved(`${method} ${path}`)) }
  }
  if (sid === undefined) return { pattern: "/v2/Attempts", answer: Attempts.list }
  if (sid === "Summary") return { pattern: "/v2/Attempts/Summary", answer: Attempts.summary }
  return { pattern: "/v2/Attempts/:sid", answer: (asked) => Attempts.fetch(asked, sid, path) }
}

const readOnly = new Refused({
  code: 20403,
  message: "Services are the account's workflows, which the server's operator sets."
})

/** In a path a plus sign means no space. */
const decodedPart = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

interface Credentials {
  readonly apiKey: string
  /** The account of an `AC…`; null for the user name `SK…`. */
  readonly account: string | null
  /** The id of the key of an `SK…`; null for the user name `AC…`. */
  readonly key: string | null
}

/** The credentials of RFC 7617; null if they do not have Twilio's form. */
const credentialsOf = ({ headers }: HostRequest): Credentials | null => {
  const [, base64 = ""] = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(String(headers["authorization"] ?? "")) ?? []
  const [, user = "", apiKey = ""] = /^([^:]*):(.*)$/s.exec(textOf(base64)) ?? []
  const [account, key] = [accountOf(user), keyOf(user)]
  return (account === null && key === null) || apiKey === "" ? null : { apiKey, account, key }
}

const textOf = (base64: string): string => {
  try {
    return atob(base64)
  } catch {
    return ""
  }
}

const unauthorized = new Refused({ code: 20003, message: "Authenticate" })

/** The address that a request came to: clients follow the pages of a list with their password. */
const originOf = ({ headers }: HostRequest): string => {
  const host = String(headers["host"] ?? headers[":authority"] ?? "localhost")
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http"
  return `${scheme}://${host}`
}
