/**
 * The door: routes, bearer tokens, correlation ids, and the two calls of the standard as calls of the service.
 */
import { AccountId } from "@watchword/schemas/Ids"
import type { Endpoints, HandlePromise, HostBody, HostRequest, HostResponse } from "@watchword/server/Host"
import { Workflows } from "@watchword/verify/operator"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type DoorCaller, type Watchword, Unauthorized, doorOf } from "watchword"
import { json, noContent, problem } from "./Answers.ts"
import { SendCode, ValidateCode, reading } from "./Bodies.ts"
import { headerOf } from "./Fields.ts"
import { answerOf } from "./Refusals.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"
import * as Tokens from "./Tokens.ts"

/** A running service, as `createWatchword` returns it. */
export type Service = Pick<Watchword, "drain" | "handle" | "verify">

/** The door of a service, which adapters mount as they mount a service. */
export interface CamaraOtp {
  /** Answers a request from any host, wherever the host mounts it. */
  readonly handle: HandlePromise
  /** The door's endpoints, for hosts that mount it at their root. */
  readonly endpoints: Endpoints
}

/** The name of the door, of the purpose of its verifications, and of an account's workflow for them. */
const NAME = "camara"

/** The steps of accounts without a workflow of that name. */
const STEPS = [{ channel: "sms", timeout: 60 }]

/**
 * Serves CAMARA One-Time Password SMS 1.1 in front of a service: `v1/send-code`, `v1/validate-code`, and `oauth2/token`
 * for clients that authenticate by client credentials (id: an account's id, secret: one of its API keys). An API key
 * may be the bearer token itself. Mount it at `/one-time-password-sms`, or `v1` and `oauth2` each: it reads the end of
 * a path.
 *
 * Each code is a verification of the purpose `camara`, sent by the account's workflow `camara`, or else by SMS. Its
 * text is the client's, so an account needs texts of its own: `operator.account.texts`.
 *
 * Throws a `TypeError` for anything other than a service.
 *
 * Source: github.com/camaraproject/OTPValidation, r3.2.
 *
 * @example
 * ```ts
 * import { camaraOtp } from "@watchword/camara-otp"
 * import { watchword } from "@watchword/node"
 * import { createServer } from "node:http"
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * createServer(watchword(camaraOtp(service), { basePath: "/one-time-password-sms" })).listen(8080)
 * ```
 */
export const camaraOtp = (service: Service): CamaraOtp => {
  const door = doorOf(service, NAME)
  const tokens = Tokens.make(door)
  const tokenEndpoint = TokenEndpoint.make(door, tokens)

  const callerOf = async (request: HostRequest): Promise<DoorCaller> => {
    const token = /^bearer +(\S+) *$/i.exec(headerOf(request.headers, "authorization") ?? "")?.[1]
    if (token === undefined) throw new Unauthorized("There is no bearer token.")
    if (token.startsWith("sk_")) return door.authenticate(request, { account: null, apiKey: token })
    const ticket = await tokens.open(token)
    if (ticket === null) throw new Unauthorized("The bearer token is not valid, or has expired.")
    return door.authenticate(request, { ticket })
  }

  /** The workflow of an account's codes: its own of the door's name, the installation's, or else one step. */
  const workflowOf = ({ account }: DoorCaller) =>
    door.run(
      Effect.map(Effect.all([Workflows.list(AccountId.make(account)), Workflows.list(null)]), (named) =>
        named.some((workflows) => workflows.has(NAME)) ? NAME : STEPS
      )
    )

  const sendCode: Call = async (request, caller, body) => {
    const read = readSendCode(request, body)
    if (Result.isFailure(read)) return read.failure
    const { message: text, phoneNumber: to } = read.success
    const workflow = await workflowOf(caller)
    const { id } = await service.verify.start(caller, { to, text, workflow, purpose: NAME, replace: true })
    return json(200, { authenticationId: id })
  }

  const validateCode: Call = async (request, caller, body) => {
    const read = readValidateCode(request, body)
    if (Result.isFailure(read)) return read.failure
    const { authenticationId: id, code } = read.success
    if (!ID.test(id)) return problem("notFound")
    const { checks_left: left, status, valid } = await service.verify.check(caller, id, { code })
    if (valid) return noContent
    if (status === "pending") return problem("wrongCode")
    return problem(status === "failed" && left === 0 ? "failed" : "expired")
  }

  const answer = async (request: HostRequest, route: (pattern: string) => void): Promise<HostResponse> => {
    const path = routeOf(request.path)
    if (path === null) return problem("notFound")
    route(`${ROOT}/${path}`)
    if (request.method !== "POST") return problem("wrongMethod")
    if (correlatorOf(request) === undefined) return badCorrelator
    if (path === TOKEN) return door.withBody(request, null, (body) => tokenEndpoint(request, body))
    const caller = await callerOf(request)
    const call = path === SEND ? sendCode : validateCode
    return door.withBody(request, caller, (body) => call(request, caller, body))
  }

  const handle = door.handler({
    answer: async (request, route) => correlated(request, await answer(request, route)),
    failed: (error, request) =>
      correlated(request, routeOf(request.path) === TOKEN ? TokenEndpoint.unavailable : answerOf(error))
  })
  return { handle, endpoints }
}

type Call = (request: HostRequest, caller: DoorCaller, body: HostBody) => Promise<HostResponse>

const readSendCode = reading(SendCode)
const readValidateCode = reading(ValidateCode)

/** The form of the ids that starts answer. Any other id is unknown. */
const ID = /^vrf_[0-7][0-9A-HJKMNP-TV-Z]{25}$/

const ROOT = "/one-time-password-sms"
const SEND = "v1/send-code"
const VALIDATE = "v1/validate-code"
const TOKEN = "oauth2/token"

const paths = [SEND, VALIDATE, TOKEN] as const

const endpoints: Endpoints = {
  all: paths.map((path) => ({ method: "POST", path: `${ROOT}/${path}` })),
  has: (method, path) => method === "POST" && endpoints.all.some((endpoint) => endpoint.path === withoutQuery(path))
}

/** The endpoint that a path ends in, whatever of it the host has removed; null for none. */
const routeOf = (path: string): (typeof paths)[number] | null => {
  const whole = `${ROOT}${withoutQuery(path)}`
  return paths.find((each) => whole.endsWith(`/${each}`) || whole === `${ROOT}/${each.split("/")[1]}`) ?? null
}

const withoutQuery = (path: string): string => path.split("?", 1)[0] ?? path

const CORRELATOR = "x-correlator"

/** The correlation id of a request; null without one, undefined if it is not valid, and then it is not echoed. */
const correlatorOf = ({ headers }: HostRequest): string | null | undefined => {
  if (headers[CORRELATOR] === undefined) return null
  const value = headerOf(headers, CORRELATOR)
  return value !== null && /^[a-zA-Z0-9\-_:;./<>{}]{0,256}$/.test(value) ? value : undefined
}

const correlated = (request: HostRequest, answered: HostResponse): HostResponse => {
  const correlator = correlatorOf(request)
  return correlator == null ? answered : { ...answered, headers: { ...answered.headers, [CORRELATOR]: correlator } }
}

const badCorrelator = problem("invalid", {
  message: "x-correlator must be up to 256 letters, digits and characters of - _ : ; . / < > { }."
})
