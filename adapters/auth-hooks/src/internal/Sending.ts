/**
 * Delivers an identity server's code: a verification in deliver mode, which tries the channels until the code arrives,
 * or a text message if the channels cannot deliver a code of that form.
 */
import * as IpAddress from "@watchword/schemas/IpAddress"
import type { StartVerification } from "@watchword/schemas/Verification"
import { textOf } from "./Fields.ts"
import type { Hmac } from "./Hmac.ts"
import { toHex } from "./Hmac.ts"

type Start = typeof StartVerification.Encoded

/** A message that an identity server wants delivered. */
export interface Message {
  /** In E.164. */
  readonly to: string
  /** The reason, in the server's own terms, such as `SignIn` or `session.otp.sms.challenged`. */
  readonly type: string
  readonly code: string | null
  /** The text with the code, if the server has written one. */
  readonly text: string | null
  /** Distinguishes this message from another message with the same code: the user. */
  readonly user: string | null
  readonly locale: string | null
  readonly clientIp: string | null
  /** Lifetime of the code in seconds. */
  readonly ttl: number | null
}

/** How a code is sent: the start options that the hook does not set itself. */
export type StartOptions = Omit<Start, "to" | "default_country" | "code" | "replace">

/** The idempotency key of a request: the same whenever an identity server retries a hook. */
export interface Keys {
  readonly requestId: string
}

interface Text {
  readonly to: string
  readonly text: string
}

/** A running service, as returned by `createWatchword`, and the account that pays. */
export interface InProcess<Caller> {
  readonly service: {
    readonly verify: { readonly start: (caller: Caller, message: Start, keys: Keys) => Promise<unknown> }
    readonly sms: { readonly send: (caller: Caller, message: Text, keys: Keys) => Promise<unknown> }
  }
  readonly caller: Caller
}

/** A client of a remote server, whose key has the scopes `verify:send` and `sms:send`. */
export interface OverHttp {
  readonly client: {
    readonly verify: { readonly start: (message: Start, keys: Keys) => Promise<unknown> }
    readonly sms: { readonly send: (message: Text, keys: Keys) => Promise<unknown> }
  }
}

export type Sender<Caller> = InProcess<Caller> | OverHttp

/** The outcome of a message, in words that an app may show to its user. */
export type Outcome =
  | { readonly _tag: "Sent" }
  | {
      readonly _tag: "Refused"
      readonly status: 400 | 403 | 429 | 503
      readonly message: string
      readonly retryAfter: number | null
    }

export const sent: Outcome = { _tag: "Sent" }

const refused = (
  status: Extract<Outcome, { _tag: "Refused" }>["status"],
  message: string,
  retryAfter: number | null = null
): Outcome => ({ _tag: "Refused", status, message, retryAfter })

/** Sends a message. The promise rejects with the service's error. */
export const send = async <Caller>(
  name: string,
  sender: Sender<Caller>,
  message: Message,
  options: StartOptions,
  hmac: Hmac
): Promise<Outcome> => {
  const { code, text, to } = message
  const keys = { requestId: await requestIdOf(name, message, hmac) }
  if (code !== null && CODE.test(code)) {
    // Once a server has made a new code, it accepts no earlier one.
    const start = { ...known(name, message), ...options, to, code, replace: true }
    await ("client" in sender ? sender.client.verify.start(start, keys) : inProcess(sender).start(start, keys))
    return sent
  }
  if (text === null) return refused(400, "The hook has no code of 4 to 10 digits, and no text.")
  await ("client" in sender ? sender.client.sms.send({ to, text }, keys) : inProcess(sender).send({ to, text }, keys))
  return sent
}

const inProcess = <Caller>({ caller, service: { sms, verify } }: InProcess<Caller>) => ({
  start: (message: Start, keys: Keys) => verify.start(caller, message, keys),
  send: (message: Text, keys: Keys) => sms.send(caller, message, keys)
})

/** The codes that every channel can deliver. */
const CODE = /^[0-9]{4,10}$/

/**
 * The start options that a message provides. Malformed values are dropped, because the code matters more than its
 * details.
 */
const known = (name: string, { clientIp, locale, ttl, type }: Message): StartOptions => ({
  purpose: `${name}-${type.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`.slice(0, 64),
  ...(locale !== null && isLocale(locale) ? { locale } : {}),
  ...(clientIp !== null && IpAddress.parse(clientIp) !== null ? { client_ip: clientIp } : {}),
  ...(ttl === null ? {} : { ttl: Math.min(3600, Math.max(60, Math.round(ttl))) })
})

const isLocale = (text: string): boolean => {
  try {
    return new Intl.Locale(text).language !== "und"
  } catch {
    return false
  }
}

/**
 * The request id, which is the same for a hook's retries: an HMAC of the message under the hook's secret, formatted as
 * a UUID of version 8 (RFC 9562). Some servers give every retry a new id.
 */
const requestIdOf = async (name: string, { code, text, to, type, user }: Message, hmac: Hmac): Promise<string> => {
  const bytes = (await hmac.sign(JSON.stringify([name, type, user, to, code ?? text]))).slice(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** Translates an error of the service for the identity server and its user. */
export const outcomeOf = (error: unknown): Outcome => {
  const retryAfter = error instanceof Error && "retryAfter" in error ? error.retryAfter : undefined
  switch (error instanceof Error && "status" in error ? error.status : undefined) {
    case 409:
      // A retry of a hook whose message is on its way or was sent.
      return textOf(error, "reason") === "duplicate_request" ? sent : unavailable
    case 400:
      return refused(400, "The phone number cannot be used.")
    case 403:
      return refused(403, "No code is sent to this phone number.")
    case 429:
      return typeof retryAfter === "number"
        ? refused(429, `A code was sent a moment ago. Try again in ${retryAfter} seconds.`, retryAfter)
        : refused(429, "Too many codes were sent. Try again later.")
    default:
      // No money, no carrier or no route to the number: nothing that the user can fix.
      return unavailable
  }
}

const unavailable = refused(503, "No code can be sent at the moment.")
