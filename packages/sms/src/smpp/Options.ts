/**
 * How to reach a carrier: options for programs, and the URLs that settings hold.
 */
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** One bind with a carrier. {@link link} fills in the defaults. */
export interface LinkOptions {
  readonly host: string
  readonly port: number
  /** Null for plain TCP. */
  readonly tls: TlsOptions | null
  readonly systemId: string
  readonly password: Redacted.Redacted
  readonly systemType: string
  /** Receivers bring receipts only. */
  readonly bind: "transceiver" | "transmitter" | "receiver"
  /** Which addresses the bind is for; most carriers want it empty. */
  readonly addressRange: { readonly ton: number; readonly npi: number; readonly pattern: string }
  /** Type of number and numbering plan of senders that are short codes. */
  readonly shortCode: { readonly ton: number; readonly npi: number }
  readonly serviceType: string
  /** How many messages may wait for the carrier's answer at a time. */
  readonly window: number
  /** Messages a second that the carrier allows; null for as many as it takes. */
  readonly rate: number | null
  /** Time between two enquire_link. */
  readonly enquire: Duration.Duration
  /** How long the carrier may take to answer; for anything but a message at most five seconds. */
  readonly timeout: Duration.Duration
  /**
   * Links that belong together: message ids of one carrier are kept apart from those of another.
   * Needed when two carriers hand out ids so short that both may use the same one.
   */
  readonly carrier: string
}

export interface TlsOptions {
  /** Certificates in PEM form to trust instead of the well-known authorities. */
  readonly ca?: string
  /** The name the carrier's certificate has, when it is not the host's. */
  readonly servername?: string
}

export interface Options {
  /** In order of preference: a message leaves by the first that can take it. */
  readonly links: ReadonlyArray<LinkOptions>
  /** How long a message may wait to be written. */
  readonly deadline?: Duration.Input
  /** How long closing waits for answers and receipts that are under way. */
  readonly drain?: Duration.Input
}

const PORT = 2775
const TLS_PORT = 3550

const defaults = {
  tls: null,
  systemType: "",
  bind: "transceiver",
  addressRange: { ton: 0, npi: 0, pattern: "" },
  shortCode: { ton: 3, npi: 0 },
  serviceType: "",
  window: 100,
  rate: null,
  enquire: Duration.seconds(15),
  timeout: Duration.seconds(8),
  carrier: ""
} as const satisfies Partial<LinkOptions>

/** What a link needs at least. */
export type LinkInput = Pick<LinkOptions, "host" | "systemId" | "password"> & Partial<LinkOptions>

/** A link with defaults for what is not given. */
export const link = (input: LinkInput): LinkOptions => ({
  port: input.tls === undefined || input.tls === null ? PORT : TLS_PORT,
  ...defaults,
  ...input
})

/** A setting that cannot be read. `message` is one sentence that names it; no password is ever in it. */
export class SmppOptionsError extends Schema.TaggedError<SmppOptionsError>()("SmppOptionsError", {
  setting: Schema.String,
  message: Schema.String
}) {}

/**
 * Reads `smpp://system_id:password@host:2775`, or `ssmpp://` for TLS; several, separated by commas, are in
 * order of preference. What is not a letter or digit in a password is percent-encoded.
 *
 * Settings go into the query: `window` (messages), `rate` (messages a second), `enquire` and `timeout`
 * (seconds), `bind` (transceiver, transmitter, receiver), `system_type`, `service_type`, `addr_ton`,
 * `addr_npi`, `address_range`, `short_code_ton`, `short_code_npi`, `servername`, `carrier`. A certificate
 * authority that the machine does not know goes into NODE_EXTRA_CA_CERTS.
 *
 * @example
 * ```ts
 * import * as Options from "@watchword/sms/smpp/Options"
 *
 * Options.fromUrls("smpp://id:secret@a.example?window=50&rate=100,ssmpp://id:secret@b.example")
 * ```
 */
export const fromUrls = (urls: string): Result.Result<Options, SmppOptionsError> => {
  const links: Array<LinkOptions> = []
  for (const [index, url] of urls.split(",").entries()) {
    const read = fromUrl(url.trim(), index === 0 ? "The SMPP URL" : `SMPP URL number ${index + 1}`)
    if (Result.isFailure(read)) return Result.fail(read.failure)
    links.push(read.success)
  }
  return Result.succeed({ links })
}

const fromUrl = (text: string, subject: string): Result.Result<LinkOptions, SmppOptionsError> => {
  const fault = (setting: string, problem: string) =>
    Result.fail(new SmppOptionsError({ setting, message: `${subject} ${problem}.` }))

  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.hostname === "" || !["smpp:", "ssmpp:"].includes(url.protocol)) {
    return fault("url", "must look like smpp://system_id:password@host:2775, with other characters percent-encoded")
  }
  if (!["", "/"].includes(url.pathname) || url.hash !== "") {
    return fault("url", "must not have a path or a fragment; percent-encode / and # in the password")
  }
  const systemId = decoded(url.username)
  if (systemId === undefined || !isCString(systemId, 15) || systemId === "") {
    return fault("system_id", "must have a system_id of 1 to 15 ASCII characters before the password")
  }
  const password = decoded(url.password)
  if (password === undefined || !isCString(password, 64)) {
    return fault("password", "must have a password of at most 64 ASCII characters, percent-encoded")
  }
  const tls = url.protocol === "ssmpp:" ? {} : null

  let options = link({
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    ...(url.port === "" ? {} : { port: Number(url.port) }),
    tls,
    systemId,
    password: Redacted.make(password, { label: "SMPP password" })
  })
  for (const [name, value] of url.searchParams) {
    const setting = settings.get(name)
    if (setting === undefined) {
      // Its name is not said: behind a ? that was not encoded, it is a part of the password.
      const known = [...settings.keys()].join(", ")
      return fault("query", `has a setting that is none of ${known}; percent-encode ? and & in the password`)
    }
    const change = setting.read(value, options)
    if (change === undefined) return fault(name, `has a wrong "${name}": it must be ${setting.expected}`)
    options = { ...options, ...change }
  }
  return Result.succeed(options)
}

interface Setting {
  /** What the value must be, to end a sentence. */
  readonly expected: string
  readonly read: (value: string, options: LinkOptions) => Partial<LinkOptions> | undefined
}

const octet = (change: (value: number, options: LinkOptions) => Partial<LinkOptions>): Setting => ({
  expected: "a whole number from 0 to 255",
  read: (text, options) => {
    const value = whole(text, 0, 255)
    return value === undefined ? undefined : change(value, options)
  }
})

const seconds = (change: (duration: Duration.Duration) => Partial<LinkOptions>): Setting => ({
  expected: "a number of seconds from 0.05 to 3600",
  read: (text) => {
    const value = decimal(text, 0.05, 3600)
    return value === undefined ? undefined : change(Duration.millis(Math.round(value * 1000)))
  }
})

const cString = (
  length: number,
  change: (value: string, options: LinkOptions) => Partial<LinkOptions> | undefined
): Setting => ({
  expected: `at most ${length} ASCII characters`,
  read: (text, options) => (isCString(text, length) ? change(text, options) : undefined)
})

const settings: ReadonlyMap<string, Setting> = new Map<string, Setting>([
  [
    "window",
    {
      expected: "a whole number from 1 to 10000",
      read: (text) => {
        const window = whole(text, 1, 10_000)
        return window === undefined ? undefined : { window }
      }
    }
  ],
  [
    "rate",
    {
      expected: "a number of messages a second from 0.1 to 100000",
      read: (text) => {
        const rate = decimal(text, 0.1, 100_000)
        return rate === undefined ? undefined : { rate }
      }
    }
  ],
  ["enquire", seconds((enquire) => ({ enquire }))],
  ["timeout", seconds((timeout) => ({ timeout }))],
  [
    "bind",
    {
      expected: "transceiver, transmitter or receiver",
      read: (text) =>
        text === "transceiver" || text === "transmitter" || text === "receiver" ? { bind: text } : undefined
    }
  ],
  ["system_type", cString(12, (systemType) => ({ systemType }))],
  ["service_type", cString(5, (serviceType) => ({ serviceType }))],
  ["addr_ton", octet((ton, { addressRange }) => ({ addressRange: { ...addressRange, ton } }))],
  ["addr_npi", octet((npi, { addressRange }) => ({ addressRange: { ...addressRange, npi } }))],
  ["address_range", cString(40, (pattern, { addressRange }) => ({ addressRange: { ...addressRange, pattern } }))],
  ["short_code_ton", octet((ton, { shortCode }) => ({ shortCode: { ...shortCode, ton } }))],
  ["short_code_npi", octet((npi, { shortCode }) => ({ shortCode: { ...shortCode, npi } }))],
  [
    "servername",
    {
      expected: "the name on the certificate, with ssmpp:// only",
      read: (servername, { tls }) => (tls === null || servername === "" ? undefined : { tls: { ...tls, servername } })
    }
  ],
  ["carrier", cString(32, (carrier) => ({ carrier }))]
])

const decoded = (component: string): string | undefined => {
  try {
    return decodeURIComponent(component)
  } catch {
    return undefined
  }
}

// A NUL would end the field early, and what follows it would be read as the next one.
const isCString = (text: string, length: number): boolean => text.length <= length && /^[\x20-\x7e]*$/.test(text)

const whole = (text: string, least: number, most: number): number | undefined =>
  /^[0-9]{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined

const decimal = (text: string, least: number, most: number): number | undefined =>
  /^[0-9]{1,9}(?:\.[0-9]{1,9})?$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined
