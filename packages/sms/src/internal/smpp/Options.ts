/**
 * Options of SMPP links, for programs and as URLs.
 */
import * as ConnectionUrl from "@watchword/schemas/ConnectionUrl"
import { ascii, decimal, fault, integer, isAscii, oneOf, seconds } from "@watchword/schemas/ConnectionUrl"
import { type E164, isCallingCode } from "@watchword/schemas/PhoneNumber"
import { type SmsStatus, isTlvTag, isTlvValue } from "@watchword/schemas/Sms"
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Tlv } from "../../SmsGateway.ts"
import * as OwnNumbers from "../texts/OwnNumbers.ts"
import type { Alphabet } from "./Alphabet.ts"
import * as CommandStatus from "./CommandStatus.ts"
import * as ReceiptStates from "./ReceiptStates.ts"

/** One bind with a carrier. {@link link} fills in the defaults. */
export interface LinkOptions {
  readonly host: string
  readonly port: number
  /** Null for plain TCP. */
  readonly tls: TlsOptions | null
  readonly systemId: string
  readonly password: Redacted.Redacted
  readonly systemType: string
  /** A receiver only receives receipts. */
  readonly bind: "transceiver" | "transmitter" | "receiver"
  /** The addresses that the bind serves; most carriers want it empty. */
  readonly addressRange: { readonly ton: number; readonly npi: number; readonly pattern: string }
  /** Type of number and numbering plan of senders that are phone numbers, short codes and names. */
  readonly source: NumberType
  readonly shortCode: NumberType
  readonly name: NumberType
  /** The same of recipients. A type of null is 1 (international), and 2 for numbers in their national form. */
  readonly destination: { readonly ton: number | null; readonly npi: number }
  /**
   * The calling code of the country whose numbers the carrier takes in their national form, with the trunk prefix that
   * it wants before them; null for E.164 only.
   */
  readonly national: { readonly code: string; readonly prefix: string } | null
  /** The alphabet that the carrier reads under data_coding 0. */
  readonly alphabet: Alphabet
  /** The meaning of command statuses that are the carrier's own, or that it uses differently from the standard. */
  readonly errors: ReadonlyMap<number, CommandStatus.Meaning>
  readonly serviceType: string
  /** How many submit_sm may be unanswered at a time. */
  readonly window: number
  /** Messages a second that the carrier allows; null for as many as it takes. */
  readonly rate: number | null
  /** Time between two enquire_link. */
  readonly enquire: Duration.Duration
  /** How long a submit_sm may go unanswered. Other requests have five seconds at most. */
  readonly timeout: Duration.Duration
  /**
   * Seconds after which the carrier gives up a message that has no ttl of its own. Zero for a carrier that takes no
   * validity_period; null for ten minutes where a text has a code, and the carrier's own time elsewhere.
   */
  readonly validity: number | null
  /** Optional parameters of every message without its own. */
  readonly tlvs: ReadonlyArray<Tlv>
  /**
   * Whether texts that read like receipts and are not marked as such count as receipts. Only for a carrier that does
   * not mark its receipts and brings no texts of subscribers, who could write them. Without it, such a text counts when
   * it names a recent message to the very number that it comes from.
   */
  readonly unmarkedReceipts: boolean
  /** The meanings of the carrier's own state words and message_state numbers; words are in capitals. */
  readonly states: ReadonlyMap<string, SmsStatus>
  /** The subject of a receipt: a part of a text, or the whole text if the carrier reports only one of the parts. */
  readonly receipts: "part" | "message"
  /**
   * The group of a link: message ids of different carriers are kept apart. Needed when two carriers hand out ids so
   * short that both may use the same one.
   */
  readonly carrier: string
  /**
   * The numbers of ours whose texts the carrier brings, for verifications in which the user writes first; others are
   * dropped.
   */
  readonly receives: ReadonlyArray<E164>
}

export interface NumberType {
  readonly ton: number
  readonly npi: number
}

export interface TlsOptions {
  /** Certificates in PEM form to trust instead of the well-known authorities. */
  readonly ca?: string
  /** The name the carrier's certificate has, when it is not the host's. */
  readonly servername?: string
}

export interface Options {
  /** In order of preference: a message leaves over the first that can take it. */
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
  source: { ton: 1, npi: 1 },
  shortCode: { ton: 3, npi: 0 },
  name: { ton: 5, npi: 0 },
  destination: { ton: null, npi: 1 },
  national: null,
  alphabet: "gsm",
  errors: new Map<number, CommandStatus.Meaning>(),
  serviceType: "",
  window: 100,
  rate: null,
  enquire: Duration.seconds(15),
  timeout: Duration.seconds(8),
  validity: null,
  tlvs: [],
  unmarkedReceipts: false,
  states: new Map(),
  receipts: "part",
  carrier: "",
  receives: []
} as const satisfies Partial<LinkOptions>

/** The options of a link that have no default, and any others. */
export type LinkInput = Pick<LinkOptions, "host" | "systemId" | "password"> & Partial<LinkOptions>

/** Fills in defaults. */
export const link = (input: LinkInput): LinkOptions => ({
  port: input.tls === undefined || input.tls === null ? PORT : TLS_PORT,
  ...defaults,
  ...input
})

/** A setting that cannot be used. `message` is a sentence that names it, and never repeats a password. */
export class SmppOptionsError extends Schema.TaggedError<SmppOptionsError>()("SmppOptionsError", {
  setting: Schema.String,
  message: Schema.String
}) {}

/**
 * Reads `smpp://system_id:password@host:2775`, or `ssmpp://` for TLS; several, separated by commas, are in
 * order of preference. Characters of a password that are neither letters nor digits are percent-encoded.
 *
 * Options go into the query: `window` (messages), `rate` (messages a second), `enquire` and `timeout` (seconds), `bind`
 * (transceiver, transmitter, receiver), `system_type`, `service_type`, `addr_ton`, `addr_npi`, `address_range`,
 * `source_ton`, `source_npi`, `short_code_ton`, `short_code_npi`, `name_ton`, `name_npi`, `dest_ton`, `dest_npi`,
 * `national` (a calling code), `national_prefix`, `alphabet` (gsm, latin1, ascii), `errors`
 * (`0x0400:recipient,0x0401:temporary`), `unmarked_receipts` (yes, no), `states` (`WORD:meaning,…`), `receipts` (part,
 * message), `validity` (seconds), `tlv_1400` to `tlv_3fff` (texts), `servername`, `carrier`, `receives`
 * (numbers of ours, with commas between them). A certificate authority
 * that the machine does not know goes into NODE_EXTRA_CA_CERTS.
 *
 * @example
 * ```ts
 * import * as Options from "@watchword/sms/options"
 *
 * Options.fromUrls("smpp://id:secret@a.example?window=50&rate=100,ssmpp://id:secret@b.example")
 * ```
 */
export const fromUrls = (urls: string): Result.Result<Options, SmppOptionsError> =>
  Result.mapBoth(ConnectionUrl.parseList(format, "SMPP URL", urls, toLink), {
    onFailure: (fault) => new SmppOptionsError(fault),
    onSuccess: (links) => ({ links })
  })

const format: ConnectionUrl.Format = {
  schemes: ["smpp", "ssmpp"],
  style: "query",
  example: "smpp://system_id:password@host:2775"
}

const toLink = ({ host, options, password, port, scheme, user }: ConnectionUrl.ConnectionUrl) =>
  Result.gen(function* () {
    if (user === null || user === "" || !isAscii(user, 15)) {
      return yield* fault("user", "must have a system_id of 1 to 15 ASCII characters before the password")
    }
    const secret = password ?? Redacted.make("")
    if (!isAscii(Redacted.value(secret), 64)) {
      return yield* fault("password", "must have a password of at most 64 ASCII characters, percent-encoded")
    }
    const tls = scheme === "ssmpp"
    const read = link({
      host,
      port: port ?? (tls ? TLS_PORT : PORT),
      systemId: user,
      password: secret,
      window: yield* options.get("window", integer(1, 10_000), defaults.window),
      rate: yield* options.get("rate", decimal("messages a second", 0.1, 100_000), defaults.rate),
      enquire: yield* options.get("enquire", seconds(0.05, 3600), defaults.enquire),
      timeout: yield* options.get("timeout", seconds(0.05, 3600), defaults.timeout),
      bind: yield* options.get("bind", oneOf("transceiver", "transmitter", "receiver"), defaults.bind),
      systemType: yield* options.get("system_type", ascii(12), defaults.systemType),
      serviceType: yield* options.get("service_type", ascii(5), defaults.serviceType),
      addressRange: {
        ton: yield* options.get("addr_ton", octet, defaults.addressRange.ton),
        npi: yield* options.get("addr_npi", octet, defaults.addressRange.npi),
        pattern: yield* options.get("address_range", ascii(40), defaults.addressRange.pattern)
      },
      source: yield* readNumberType(options, "source", defaults.source),
      shortCode: yield* readNumberType(options, "short_code", defaults.shortCode),
      name: yield* readNumberType(options, "name", defaults.name),
      ...(yield* readRecipients(options)),
      alphabet: yield* options.get("alphabet", oneOf("gsm", "latin1", "ascii"), defaults.alphabet),
      errors: yield* readErrors(options),
      validity: yield* options.get("validity", integer(0, LONGEST_VALIDITY), defaults.validity),
      tlvs: yield* readTlvs(options),
      unmarkedReceipts: yield* options.get("unmarked_receipts", yesOrNo, defaults.unmarkedReceipts),
      states: yield* readStates(options),
      receipts: yield* options.get("receipts", oneOf("part", "message"), defaults.receipts),
      carrier: yield* options.get("carrier", ascii(32), defaults.carrier),
      receives: yield* options.get("receives", ownNumbers, defaults.receives),
      tls: tls ? yield* readTls(options) : null
    })
    yield* options.end()
    const idle =
      read.bind !== "transmitter"
        ? []
        : [
            ...(read.states.size > 0 ? ["states"] : []),
            ...(read.receipts === "part" ? [] : ["receipts"]),
            ...(read.receives.length > 0 ? ["receives"] : [])
          ]
    if (idle[0] !== undefined) {
      const things = idle[0] === "receives" ? "texts" : "receipts"
      return yield* fault(
        idle[0],
        `has "${idle[0]}", and brings no ${things} as a transmitter: give it to the URL of the receiver`
      )
    }
    return read
  })

const readNumberType = (options: ConnectionUrl.Options, of: string, { npi, ton }: NumberType) =>
  Result.all({ ton: options.get(`${of}_ton`, octet, ton), npi: options.get(`${of}_npi`, octet, npi) })

const readRecipients = (options: ConnectionUrl.Options) =>
  Result.gen(function* () {
    const ton = yield* options.get("dest_ton", octet, defaults.destination.ton)
    const npi = yield* options.get("dest_npi", octet, defaults.destination.npi)
    const code = yield* options.get("national", callingCode, null)
    const prefix = yield* options.get("national_prefix", digits, "")
    if (code === null && prefix !== "") {
      return yield* fault(
        "national_prefix",
        'has "national_prefix" without "national", the calling code of its country'
      )
    }
    if (code !== null && ton === INTERNATIONAL) {
      return yield* fault("dest_ton", 'has "dest_ton" 1 (international) and "national": leave one out')
    }
    return { destination: { ton, npi }, national: code === null ? null : { code, prefix } }
  })

const readErrors = (options: ConnectionUrl.Options) =>
  Result.flatMap(options.get("errors", statuses, []), (given) => {
    const errors = new Map(given)
    return errors.size < given.length
      ? fault("errors", 'has a status more than once in "errors"')
      : Result.succeed(errors)
  })

const readStates = (options: ConnectionUrl.Options): Result.Result<LinkOptions["states"], ConnectionUrl.Fault> =>
  Result.flatMap(options.get("states", ascii(8192), null), (text) =>
    text === null ? Result.succeed<LinkOptions["states"]>(defaults.states) : ReceiptStates.parse(text)
  )

const readTlvs = (options: ConnectionUrl.Options): Result.Result<ReadonlyArray<Tlv>, ConnectionUrl.Fault> =>
  Result.gen(function* () {
    const tlvs: Array<Tlv> = []
    for (const name of options.named(TLV, "tlv_HEX")) {
      const value = yield* options.get(name, tlvValue, "")
      tlvs.push({ tag: Number.parseInt(name.slice(TLV_PREFIX), 16), value })
    }
    return tlvs
  })

const readTls = (options: ConnectionUrl.Options) =>
  Result.map(options.get("servername", certificateName, null), (servername) =>
    servername === null ? {} : { servername }
  )

const octet = integer(0, 255)

const INTERNATIONAL = 1

const callingCode: ConnectionUrl.Kind<string> = {
  expected: "the calling code of the country whose numbers the carrier takes without it, such as 52",
  parse: (text) => (isCallingCode(text) ? text : undefined)
}

const digits: ConnectionUrl.Kind<string> = {
  expected: "1 to 4 digits",
  parse: (text) => (/^[0-9]{1,4}$/.test(text) ? text : undefined)
}

const statuses: ConnectionUrl.Kind<ReadonlyArray<readonly [number, CommandStatus.Meaning]>> = {
  expected: `statuses with their meanings, such as 0x0400:recipient,1025:temporary, each of ${CommandStatus.meanings.join(", ")}`,
  parse: (text) => {
    const read = text.split(",").map((each) => {
      const [, status = "", meaning = ""] = /^([^:]+):([a-z]+)$/i.exec(each.trim()) ?? []
      const number = CommandStatus.read(status)
      const known = CommandStatus.meanings.find((one) => one === meaning.toLowerCase())
      return number === undefined || known === undefined ? undefined : ([number, known] as const)
    })
    return read.every((each) => each !== undefined) ? read : undefined
  }
}

/** A week. */
const LONGEST_VALIDITY = 604_800

const TLV_PREFIX = "tlv_".length
const TLV = { test: (name: string) => name.startsWith("tlv_") && isTlvTag(name.slice(TLV_PREFIX)) }

const tlvValue: ConnectionUrl.Kind<string> = {
  expected: "1 to 254 printable ASCII characters",
  parse: (text) => (isTlvValue(text) ? text : undefined)
}

/** A plus sign stands for a blank in a query, and is meant here. */
const ownNumbers: ConnectionUrl.Kind<ReadonlyArray<E164>> = {
  expected: OwnNumbers.MUST.replace(/^must be /, ""),
  parse: (text) =>
    Result.getOrElse(OwnNumbers.read(text.split(",").map((each) => each.replace(/^ +/, "+"))), () => undefined)
}

const yesOrNo: ConnectionUrl.Kind<boolean> = {
  expected: "yes or no",
  parse: (text) => (text === "yes" ? true : text === "no" ? false : undefined)
}

const certificateName: ConnectionUrl.Kind<string> = {
  expected: "the name on the certificate",
  parse: (text) => (ConnectionUrl.isHost(text) ? text : undefined)
}
