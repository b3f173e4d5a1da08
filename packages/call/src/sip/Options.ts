/**
 * How to reach a trunk: options for programs, and the URLs that settings hold.
 */
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isIP } from "node:net"
import type { Protocol, TlsOptions } from "./Endpoint.ts"
import type { Resolver } from "./Resolver.ts"

/** One trunk. {@link trunk} fills in the defaults. */
export interface TrunkOptions {
  readonly host: string
  /** Null for the port that DNS names (SRV), or else the usual one. */
  readonly port: number | null
  readonly protocol: Protocol
  /** `sips` asks for TLS on every hop. */
  readonly scheme: "sip" | "sips"
  readonly tls: TlsOptions
  /** Empty for a trunk that knows us by our address. */
  readonly user: string
  readonly password: Redacted.Redacted
  /** Calls a second that the trunk allows; null for as many as there are. */
  readonly cps: number | null
  /** Time between two OPTIONS; null for none. */
  readonly keepAlive: Duration.Duration | null
  /** A proxy that every request goes through, with a Route header. */
  readonly proxy: { readonly host: string; readonly port: number | null } | null
  /** The domain of the caller's address; null for the trunk's host. */
  readonly domain: string | null
  /** Whose name is in From: the caller id, or our account at the trunk. */
  readonly from: "caller" | "account"
  /** The header that carries the caller id besides From (RFC 3325, or what came before it). */
  readonly identity: "asserted" | "preferred" | "remote-party" | "none"
  /** The Privacy header: null for none at all. Source: RFC 3323 §4.2. */
  readonly privacy: "none" | "id" | null
  /** Whether numbers are written with their plus. */
  readonly plus: boolean
  /** Whether `user=phone` marks numbers. */
  readonly phone: boolean
  /** The direction that the offer names; no media is ever sent. */
  readonly media: "sendrecv" | "inactive"
}

/** RFC 3261's timer values in milliseconds (§17.1.1.1, table 4). */
export interface TimerValues {
  readonly t1: number
  readonly t2: number
  readonly t4: number
}

export interface Options {
  /** In order of preference. */
  readonly trunks: ReadonlyArray<TrunkOptions>
  /** The local address, 127.0.0.1:0 by default; port 0 for any that is free. */
  readonly listen?: Address
  /** How long a call may take to ring, over all trunks; 20 seconds by default. */
  readonly setupTimeout?: Duration.Input
  /** How long a trunk may say nothing at all before the next one is tried; 3 seconds by default. */
  readonly silence?: Duration.Input
  /** How long a call may wait for a trunk's calls-per-second limit; 2 seconds by default. */
  readonly patience?: Duration.Input
  /** How long closing waits for calls to end; 5 seconds by default. */
  readonly drain?: Duration.Input
  readonly resolver?: Resolver
  readonly timers?: TimerValues
}

export interface Address {
  readonly host: string
  readonly port: number
}

const defaults = {
  port: null,
  protocol: "udp",
  scheme: "sip",
  tls: {},
  user: "",
  password: Redacted.make("", { label: "SIP password" }),
  cps: null,
  keepAlive: Duration.seconds(20),
  proxy: null,
  domain: null,
  from: "caller",
  identity: "asserted",
  privacy: null,
  plus: true,
  phone: true,
  media: "sendrecv"
} as const satisfies Partial<TrunkOptions>

/** What a trunk needs at least. */
export type TrunkInput = Pick<TrunkOptions, "host"> & Partial<TrunkOptions>

/** A trunk with defaults for what is not given. */
export const trunk = (input: TrunkInput): TrunkOptions => ({ ...defaults, ...input })

/** A setting that cannot be read or used. `message` is one sentence that names it; no password is ever in it. */
export class SipOptionsError extends Schema.TaggedError<SipOptionsError>()("SipOptionsError", {
  setting: Schema.String,
  message: Schema.String
}) {}

/**
 * Reads `sip:user:password@host:5060;transport=udp` (or tcp, tls), or `sips:`; several, separated by commas, are
 * in order of preference. What is not a letter or digit in a user or password is percent-encoded. Without a port
 * the trunk is looked up in DNS (SRV).
 *
 * Settings follow as parameters: `cps` (calls a second), `keepalive` (seconds, 0 for none), `proxy` (host or
 * host:port), `domain`, `from` (caller, account), `identity` (asserted, preferred, remote-party, none), `privacy`
 * (none, id), `plus` and `phone` (yes, no), `media` (sendrecv, inactive), `servername`.
 *
 * @example
 * ```ts
 * import * as Options from "@watchword/call/sip/Options"
 *
 * Options.fromUrls("sip:id:secret@a.example;cps=20,sip:id:secret@b.example:5061;transport=tls")
 * ```
 */
export const fromUrls = (urls: string): Result.Result<Options, SipOptionsError> => {
  const trunks: Array<TrunkOptions> = []
  for (const [index, url] of urls.split(",").entries()) {
    const read = fromUrl(url.trim(), index === 0 ? "The SIP URL" : `SIP URL number ${index + 1}`)
    if (Result.isFailure(read)) return Result.fail(read.failure)
    trunks.push(read.success)
  }
  return Result.succeed({ trunks })
}

/**
 * Reads the local address of the client, `host:port`.
 *
 * @example
 * ```ts
 * import * as Options from "@watchword/call/sip/Options"
 *
 * Options.listenAt("192.0.2.10:5060")
 * ```
 */
export const listenAt = (text: string): Result.Result<Address, SipOptionsError> => {
  const address = readAddress(text.trim())
  return address === undefined || address.port === null || isIP(address.host) === 0
    ? Result.fail(fault("listen", "The SIP listen address", "must be an IP address and a port, like 127.0.0.1:0"))
    : Result.succeed({ host: address.host, port: address.port })
}

const fault = (setting: string, subject: string, problem: string): SipOptionsError =>
  new SipOptionsError({ setting, message: `${subject} ${problem}.` })

const fromUrl = (text: string, subject: string): Result.Result<TrunkOptions, SipOptionsError> => {
  const wrong = (setting: string, problem: string) => Result.fail(fault(setting, subject, problem))

  const [scheme = "", rest] = cut(text, ":")
  const isSecure = scheme.toLowerCase() === "sips"
  // A password may hold anything but what ends it, and so may be the place of a mistake: it is never repeated.
  const at = rest?.lastIndexOf("@") ?? -1
  const [address = "", ...parameters] = (rest ?? "").slice(at + 1).split(";")
  const place = readAddress(address)
  if (rest === undefined || place === undefined || !["sip", "sips"].includes(scheme.toLowerCase())) {
    return wrong("url", "must look like sip:user:password@host:5060, with other characters percent-encoded")
  }
  if (place.port === 0) return wrong("port", "must have a port from 1 to 65535")
  const [userText, passwordText = ""] = cut(at < 0 ? "" : rest.slice(0, at), ":")
  const user = decoded(userText)
  if (user === undefined || !/^[\x21-\x7e]*$/.test(user) || (at >= 0 && user === "")) {
    return wrong("user", "must have a user of ASCII characters, percent-encoded, before the password")
  }
  const password = decoded(passwordText)
  if (password === undefined) return wrong("password", "must have a password that is percent-encoded")

  let options = trunk({
    ...place,
    protocol: isSecure ? "tls" : "udp",
    scheme: isSecure ? "sips" : "sip",
    user,
    password: Redacted.make(password, { label: "SIP password" })
  })
  for (const each of parameters) {
    const [name, value = ""] = cut(each, "=")
    const setting = settings.get(name.toLowerCase())
    if (setting === undefined)
      return wrong("parameter", `has a setting that is none of ${[...settings.keys()].join(", ")}`)
    const change = setting.read(value, options)
    if (change === undefined) return wrong(name, `has a wrong "${name.toLowerCase()}": it must be ${setting.expected}`)
    options = { ...options, ...change }
  }
  return Result.succeed(options)
}

interface Setting {
  /** What the value must be, to end a sentence. */
  readonly expected: string
  readonly read: (value: string, options: TrunkOptions) => Partial<TrunkOptions> | undefined
}

const choice = <A extends string>(values: ReadonlyArray<A>, change: (value: A) => Partial<TrunkOptions>): Setting => ({
  expected: values.join(" or "),
  read: (text) => {
    const value = values.find((value) => value === text.toLowerCase())
    return value === undefined ? undefined : change(value)
  }
})

const settings: ReadonlyMap<string, Setting> = new Map<string, Setting>([
  [
    "transport",
    {
      expected: "udp, tcp or tls, and tls with sips:",
      read: (text, { scheme }) => {
        const protocol = (["udp", "tcp", "tls"] as const).find((protocol) => protocol === text.toLowerCase())
        return protocol === undefined || (scheme === "sips" && protocol !== "tls") ? undefined : { protocol }
      }
    }
  ],
  [
    "cps",
    {
      expected: "a number of calls a second from 0.1 to 100000",
      read: (text) => {
        const cps = decimal(text, 0.1, 100_000)
        return cps === undefined ? undefined : { cps }
      }
    }
  ],
  [
    "keepalive",
    {
      expected: "a number of seconds from 1 to 3600, or 0 for none",
      read: (text) => {
        if (text === "0") return { keepAlive: null }
        const seconds = decimal(text, 1, 3600)
        return seconds === undefined ? undefined : { keepAlive: Duration.millis(Math.round(seconds * 1000)) }
      }
    }
  ],
  [
    "proxy",
    {
      expected: "a host, or a host and a port",
      read: (text) => {
        const proxy = readAddress(text)
        return proxy === undefined || proxy.port === 0 ? undefined : { proxy }
      }
    }
  ],
  ["domain", { expected: "a host", read: (domain) => (isHost(domain) ? { domain } : undefined) }],
  ["from", choice(["caller", "account"], (from) => ({ from }))],
  ["identity", choice(["asserted", "preferred", "remote-party", "none"], (identity) => ({ identity }))],
  ["privacy", choice(["none", "id"], (privacy) => ({ privacy }))],
  ["plus", choice(["yes", "no"], (value) => ({ plus: value === "yes" }))],
  ["phone", choice(["yes", "no"], (value) => ({ phone: value === "yes" }))],
  ["media", choice(["sendrecv", "inactive"], (media) => ({ media }))],
  [
    "servername",
    {
      expected: "the name on the certificate",
      read: (servername, { tls }) => (isHost(servername) ? { tls: { ...tls, servername } } : undefined)
    }
  ]
])

/** The text before and after the first separator; nothing after it where there is none. */
const cut = (text: string, separator: string): readonly [string, string?] => {
  const index = text.indexOf(separator)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}

const decoded = (component: string): string | undefined => {
  try {
    return decodeURIComponent(component)
  } catch {
    return undefined
  }
}

const isHost = (text: string): boolean => isIP(text) !== 0 || /^[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9.])?$/i.test(text)

const readAddress = (text: string): { readonly host: string; readonly port: number | null } | undefined => {
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::([0-9]{1,5}))?$/.exec(text)
  const host = match?.[1] ?? match?.[2] ?? ""
  const port = match?.[3] === undefined ? null : Number(match[3])
  if (match === null || !isHost(host) || (match[1] !== undefined && isIP(host) !== 6)) return undefined
  return port !== null && port > 65_535 ? undefined : { host, port }
}

const decimal = (text: string, least: number, most: number): number | undefined =>
  /^[0-9]{1,9}(?:\.[0-9]{1,9})?$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined
