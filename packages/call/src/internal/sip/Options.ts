/**
 * Options of the SIP gateway and its trunks, and the URLs that they are read from.
 */
import * as ConnectionUrl from "@watchword/schemas/ConnectionUrl"
import { ascii, decimal, fault, hostAndPort, isHost, oneOf, seconds } from "@watchword/schemas/ConnectionUrl"
import { isCallingCode } from "@watchword/schemas/PhoneNumber"
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isIP } from "node:net"
import type { Networks } from "@watchword/auth/Networks"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Protocol, TlsOptions } from "./Endpoint.ts"
import { type Certificate, type IdentityOptions, networks, numbers } from "./inbound/InboundOptions.ts"
import type { Resolver } from "./Resolver.ts"

/** One trunk. {@link trunk} fills in the defaults. */
export interface TrunkOptions {
  readonly host: string
  /** Null for the port of the SRV record in DNS, or else the default port. */
  readonly port: number | null
  readonly protocol: Protocol
  /** `sips` demands TLS on every hop. */
  readonly scheme: "sip" | "sips"
  readonly tls: TlsOptions
  /** Empty for a trunk that authenticates by address. */
  readonly user: string
  readonly password: Redacted.Redacted
  /** Calls a second that the trunk allows; null for no limit. */
  readonly cps: number | null
  /** Time between two OPTIONS; null for none. */
  readonly keepAlive: Duration.Duration | null
  /** A proxy that every request goes through, with a Route header. */
  readonly proxy: { readonly host: string; readonly port: number | null } | null
  /** The domain of the caller's address; null for the trunk's host. */
  readonly domain: string | null
  /** The user in From: the caller id, or our account at the trunk. */
  readonly from: "caller" | "account"
  /** The header that carries the caller id in addition to From (RFC 3325, or the draft before it). */
  readonly identity: "asserted" | "preferred" | "remote-party" | "none"
  /** The Privacy header: null for none at all. Source: RFC 3323 §4.2. */
  readonly privacy: "none" | "id" | null
  /**
   * The place of requests within calls: the trunk's own, or that of the callee's Contact or the last Record-Route. With
   * `contact` a request leaves the trunk's host, but never its protocol, and for a loopback, link-local or private
   * address only when the trunk has such an address too.
   */
  readonly follow: "trunk" | "contact"
  /** Whether numbers are written with their plus, without it, or the numbers of one country in national form. */
  readonly plus: Plus
  /** The same for the callee only; null for the same as {@link plus}. */
  readonly calleePlus: Plus | null
  /**
   * The country of numbers in national form: its calling code, and the trunk prefix that the trunk wants before the
   * number, such as 0. Numbers of other countries keep their plus.
   */
  readonly national: { readonly code: string; readonly prefix: string } | null
  /**
   * The first provisional response that says that the phone rings: 180, or already 183 for trunks that never send 180.
   * The price, the post-dial delay and the time of ringing begin there.
   */
  readonly ringing: 180 | 183
  /** Whether `user=phone` marks numbers. */
  readonly phone: boolean
  /** The direction of the media offer; no media is ever sent. */
  readonly media: "sendrecv" | "inactive"
  /** The name of the carrier on records; null for the trunk's host. */
  readonly carrier: string | null
  /** Our numbers whose calls it brings us; empty if it brings none, and then each call to us is refused. */
  readonly receives: ReadonlyArray<E164>
  /** Addresses and ranges that its requests come from, in addition to its name's; null for no others. */
  readonly inbound: Networks | null
  /** Whether its P-Asserted-Identity is the caller's number for certain. Source: RFC 3325 §4. */
  readonly trusted: boolean
}

export type Plus = boolean | "national"

/** Timer values in milliseconds. Source: RFC 3261 §17.1.1.1 and table 4. */
export interface TimerValues {
  readonly t1: number
  readonly t2: number
  readonly t4: number
}

export interface Options {
  /** In order of preference. */
  readonly trunks: ReadonlyArray<TrunkOptions>
  /** The local address, 127.0.0.1:0 by default; port 0 for any free one. */
  readonly listen?: Address
  /** How long a call may take to ring, over all trunks; 20 seconds by default. */
  readonly setupTimeout?: Duration.Input
  /** How long a trunk may take to respond at all before the next one is tried; 3 seconds by default. */
  readonly silence?: Duration.Input
  /** How long a call may wait for a trunk's calls-per-second limit; 2 seconds by default. */
  readonly patience?: Duration.Input
  /** How long closing waits for calls to end; 5 seconds by default. */
  readonly drain?: Duration.Input
  /**
   * How long the start waits for its local address; 5 seconds by default. Another server may have it that ends the
   * calls of a process that died there.
   */
  readonly bindPatience?: Duration.Input
  /** Requests a second of other addresses than the trunks' that are answered; 0 by default. */
  readonly strangers?: number
  readonly resolver?: Resolver
  readonly timers?: TimerValues
  /** Whose signatures of callers' numbers are believed; no signatures by default. */
  readonly identity?: IdentityOptions | undefined
  /** For calls to us by trunks with TLS. Without it they come over connections of ours only. */
  readonly certificate?: Certificate | undefined
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
  follow: "trunk",
  plus: true,
  calleePlus: null,
  national: null,
  ringing: 180,
  phone: true,
  media: "sendrecv",
  carrier: null,
  receives: [],
  inbound: null,
  trusted: false
} as const satisfies Partial<TrunkOptions>

/** The required options of a trunk, and any others. */
export type TrunkInput = Pick<TrunkOptions, "host"> & Partial<TrunkOptions>

/** A trunk with defaults for options that are not given. */
export const trunk = (input: TrunkInput): TrunkOptions => ({ ...defaults, ...input })

/** A setting is invalid or cannot be used. `message` is one sentence that names it, and never holds a password. */
export class SipOptionsError extends Schema.TaggedError<SipOptionsError>()("SipOptionsError", {
  setting: Schema.String,
  message: Schema.String
}) {}

/**
 * Reads `sip:user:password@host:5060;transport=udp` (or tcp, tls), or `sips:`; several, separated by commas, are
 * in order of preference. Characters of a user or password that are not letters or digits are percent-encoded. Without
 * a port the trunk is looked up in DNS (SRV).
 *
 * Options follow as parameters: `cps` (calls a second), `keepalive` (seconds, 0 for none), `proxy` (host or
 * host:port), `domain`, `from` (caller, account), `identity` (asserted, preferred, remote-party, none), `privacy`
 * (none, id), `follow` (trunk, contact), `plus` and `callee_plus` (yes, no, national), `national` (a calling code),
 * `national_prefix`, `phone` (yes, no), `ringing` (180, 183), `media` (sendrecv, inactive), `carrier` (its name on
 * records), `servername`; for calls to us `receives` (our numbers, with commas between them), `inbound` (addresses and
 * ranges that they come from) and `trusted` (yes, no).
 *
 * @param receives for trunks whose URL has no such option
 *
 * @example
 * ```ts
 * import * as Options from "@watchword/call/options"
 *
 * Options.fromUrls("sip:id:secret@a.example;cps=20,sip:id:secret@b.example:5061;transport=tls")
 * ```
 */
export const fromUrls = (urls: string, receives: ReadonlyArray<E164> = []): Result.Result<Options, SipOptionsError> =>
  Result.mapBoth(ConnectionUrl.parseList(format, "SIP URL", urls, toTrunk(receives)), {
    onFailure: (fault) => new SipOptionsError(fault),
    onSuccess: (trunks) => ({ trunks })
  })

const format: ConnectionUrl.Format = {
  schemes: ["sip", "sips"],
  style: "parameters",
  example: "sip:user:password@host:5060"
}

const toTrunk =
  (usualReceives: ReadonlyArray<E164>) =>
  ({ host, options, password, port, scheme, user }: ConnectionUrl.ConnectionUrl) =>
    Result.gen(function* () {
      if (user !== null && !/^[\x21-\x7e]+$/.test(user)) {
        return yield* fault("user", "must have a user of ASCII characters, percent-encoded, before the password")
      }
      const isSecure = scheme === "sips"
      const transports: ConnectionUrl.Kind<Protocol> = isSecure ? oneOf("tls") : oneOf("udp", "tcp", "tls")
      const usual: Protocol = isSecure ? "tls" : "udp"
      const yesOrNo = oneOf("yes", "no")
      const plus = yield* options.get("plus", plusOf, true)
      const calleePlus = yield* options.get("callee_plus", plusOf, null)
      const code = yield* options.get("national", callingCode, null)
      const prefix = yield* options.get("national_prefix", digits, null)
      const isNational = plus === "national" || calleePlus === "national"
      if (isNational && code === null) {
        return yield* fault(
          "national",
          'has national numbers without "national", the calling code of their country, such as 49'
        )
      }
      if (!isNational && (code !== null || prefix !== null)) {
        return yield* fault(
          "national",
          'has "national" or "national_prefix", but neither "plus" nor "callee_plus" is national'
        )
      }
      const national = code === null ? null : { code, prefix: prefix ?? "" }
      const made = trunk({
        host,
        port,
        scheme: isSecure ? "sips" : "sip",
        user: user ?? "",
        password: password ?? defaults.password,
        protocol: yield* options.get("transport", transports, usual),
        cps: yield* options.get("cps", decimal("calls a second", 0.1, 100_000), null),
        keepAlive: yield* options.get("keepalive", keepAlive, defaults.keepAlive),
        proxy: yield* options.get("proxy", proxy, null),
        domain: yield* options.get("domain", hostName("a host"), null),
        from: yield* options.get("from", oneOf("caller", "account"), defaults.from),
        identity: yield* options.get("identity", identity, defaults.identity),
        privacy: yield* options.get("privacy", oneOf("none", "id"), null),
        follow: yield* options.get("follow", oneOf("trunk", "contact"), defaults.follow),
        plus,
        calleePlus,
        national,
        ringing: yield* options.get("ringing", ringing, defaults.ringing),
        phone: (yield* options.get("phone", yesOrNo, "yes")) === "yes",
        media: yield* options.get("media", oneOf("sendrecv", "inactive"), defaults.media),
        carrier: yield* options.get("carrier", ascii(32), defaults.carrier),
        tls: yield* options.get("servername", certificateName, {}),
        receives: yield* options.get("receives", numbers, usualReceives),
        inbound: yield* options.get("inbound", networks, null),
        trusted: (yield* options.get("trusted", yesOrNo, "no")) === "yes"
      })
      yield* options.end()
      const idle =
        made.receives.length > 0 ? undefined : made.trusted ? "trusted" : made.inbound ? "inbound" : undefined
      if (idle !== undefined) {
        return yield* fault(idle, `has "${idle}" without "receives", the numbers of ours whose calls it brings`)
      }
      return made
    })

const keepAlive: ConnectionUrl.Kind<Duration.Duration | null> = {
  expected: "a number of seconds from 1 to 3600, or 0 for none",
  parse: (text) => (text === "0" ? null : seconds(1, 3600).parse(text))
}

const proxy: ConnectionUrl.Kind<NonNullable<TrunkOptions["proxy"]>> = {
  expected: "a host, or a host and a port",
  parse: (text) => {
    const address = hostAndPort(text)
    return address === null || address.port === 0 ? undefined : address
  }
}

const hostName = (expected: string): ConnectionUrl.Kind<string> => ({
  expected,
  parse: (text) => (isHost(text) ? text : undefined)
})

const plusOf: ConnectionUrl.Kind<Plus> = {
  expected: "yes, no or national",
  parse: (text) => (text === "yes" ? true : text === "no" ? false : text === "national" ? "national" : undefined)
}

const callingCode: ConnectionUrl.Kind<string> = {
  expected: "the calling code of the country whose numbers are national, such as 49",
  parse: (text) => (isCallingCode(text) ? text : undefined)
}

const digits: ConnectionUrl.Kind<string> = {
  expected: "1 to 4 digits",
  parse: (text) => (/^[0-9]{1,4}$/.test(text) ? text : undefined)
}

const ringing: ConnectionUrl.Kind<TrunkOptions["ringing"]> = {
  expected: "180 or 183",
  parse: (text) => (text === "180" ? 180 : text === "183" ? 183 : undefined)
}

const identity = oneOf("asserted", "preferred", "remote-party", "none")

const certificateName: ConnectionUrl.Kind<TlsOptions> = {
  expected: "the name on the certificate",
  parse: (servername) => (isHost(servername) ? { servername } : undefined)
}

/**
 * Reads the local address of the client, `host:port`.
 *
 * @example
 * ```ts
 * import * as Options from "@watchword/call/options"
 *
 * Options.listenAt("192.0.2.10:5060")
 * ```
 */
export const listenAt = (text: string): Result.Result<Address, SipOptionsError> => {
  const address = hostAndPort(text.trim())
  if (address !== null && address.port !== null && isIP(address.host) !== 0) {
    return Result.succeed({ host: address.host, port: address.port })
  }
  const message = "The SIP listen address must be an IP address and a port, like 127.0.0.1:0."
  return Result.fail(new SipOptionsError({ setting: "listen", message }))
}
