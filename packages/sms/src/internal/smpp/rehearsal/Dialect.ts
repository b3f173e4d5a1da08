/**
 * The dialect of a carrier over SMPP: a rehearsal's heard messages, and the phone's display, as findings and as options
 * of its URL.
 */
import {
  type Advice,
  type Dialect,
  type Finding,
  type Heard,
  type Question,
  type Reader,
  textsOf,
  zoneOf
} from "@watchword/send/rehearsal"
import * as Gsm7 from "../../Gsm7.ts"
import { GSM_SIGNS, UCS2_SIGNS, samples } from "./Samples.ts"

const questions: ReadonlyArray<Question> = [
  {
    name: "first",
    text: `Which characters does the phone show between the quotes in the first text? They were sent as ${GSM_SIGNS}`
  },
  { name: "second", text: `And between the quotes in the second text? They were sent as ${UCS2_SIGNS}` },
  { name: "third", text: "Is the third one text, or two? one/two" }
]

const dialectOf = (heard: ReadonlyArray<Heard>, shown: ReadonlyMap<string, string>): Dialect => {
  const answers = heard.filter(({ facts, kind }) => kind === "answer" && facts["verdict"] === "Accepted")
  const receipts = heard.filter(({ kind }) => kind === "receipt")
  const strays = heard.filter(({ kind }) => kind === "stray")
  const parts = [
    ids(answers, receipts),
    clocks(receipts),
    counts(answers, receipts, strays),
    states(receipts),
    marks(receipts),
    coding(receipts),
    numbers(receipts),
    alphabet(heard, shown.get("first")),
    unicode(shown.get("second")),
    long(shown.get("third")),
    rate(heard),
    reference(heard, receipts)
  ]
  return { findings: parts.flatMap(({ findings }) => findings), advice: parts.flatMap(({ advice = [] }) => advice) }
}

export const reader: Reader = { questions, dialectOf }

interface Part {
  readonly findings: ReadonlyArray<Finding>
  readonly advice?: ReadonlyArray<Advice>
}

const found = (about: string, text: string, advice: ReadonlyArray<Advice> = []): Part => ({
  findings: [{ about, found: text }],
  advice
})

const nothing: Part = { findings: [] }

const ids = (answers: ReadonlyArray<Heard>, receipts: ReadonlyArray<Heard>): Part => {
  const inAnswers = textsOf(answers, "id")
  const inReceipts = textsOf(receipts, "id")
  if (inAnswers.length === 0)
    return answers.length === 0 ? nothing : found("ids", "none in answers, so that receipts name no message")
  const answered = `${formOf(inAnswers)} in answers (${inAnswers[0]})`
  if (inReceipts.length === 0) return found("ids", answered)
  const relation = RELATIONS[String(receipts[0]?.facts["by"])] ?? "in another spelling"
  const isSame = receipts.every(({ facts }) => facts["id"] === facts["answered"])
  const how = isSame ? "the same" : relation
  return found("ids", `${answered}; ${isSame ? "" : `${formOf(inReceipts)} `}in receipts (${inReceipts[0]}), ${how}`)
}

const RELATIONS: Readonly<Record<string, string>> = {
  literal: "the same in another case or with other zeros, which is understood",
  "in another case": "the same in another case, which is understood",
  "to-hexadecimal": "decimal for hexadecimal, which is understood",
  "to-decimal": "hexadecimal for decimal, which is understood",
  "in part": "with more before or behind it, which is not understood: live receipts match nothing",
  text: "which is not that of any answer: live receipts match nothing",
  reference: "which is not that of any answer: live receipts match by number and user_message_reference"
}

const formOf = (ids: ReadonlyArray<string>): string => {
  const lengths = new Set(ids.map(({ length }) => length))
  const width =
    lengths.size === 1 ? ` of ${ids[0]?.length === 1 ? "1 character" : `${ids[0]?.length ?? 0} characters`}` : ""
  if (ids.every((id) => /^[0-9]+$/.test(id))) return `decimal${width}`
  if (ids.every((id) => /^[0-9A-F]+$/.test(id))) return `uppercase hexadecimal${width}`
  if (ids.every((id) => /^[0-9a-f]+$/.test(id))) return `lowercase hexadecimal${width}`
  if (ids.every((id) => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id))) return "UUIDs"
  return `texts${width}`
}

const clocks = (receipts: ReadonlyArray<Heard>): Part => {
  const [stamped] = receipts.filter(({ facts }) => typeof facts["done"] === "string")
  if (stamped === undefined) return receipts.length === 0 ? nothing : found("clocks", "receipts have no date")
  const written = String(stamped.facts["done"])
  const form = FORMS.find(({ pattern }) => pattern.test(written))
  if (form === undefined) return found("clocks", `dates in another form (${written})`)
  const zone = zoneOf(form.read(written), stamped.at)
  return found("clocks", `${form.name} (${written}), ${zone === null ? "by a clock that is wrong" : `by ${zone}`}`)
}

const utc = (year: string, rest: string): number => {
  const [month = "01", day = "01", hour = "00", minute = "00", second = "00"] = rest.match(/../g) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

const FORMS = [
  { name: "YYMMDDhhmm", pattern: /^\d{10}$/, read: (text: string) => utc(`20${text.slice(0, 2)}`, text.slice(2)) },
  { name: "YYMMDDhhmmss", pattern: /^\d{12}$/, read: (text: string) => utc(`20${text.slice(0, 2)}`, text.slice(2)) },
  { name: "YYYYMMDDhhmmss", pattern: /^\d{14}$/, read: (text: string) => utc(text.slice(0, 4), text.slice(4)) },
  {
    name: "ISO 8601",
    pattern: /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
    read: (text: string) => Date.parse(`${text.slice(0, 19).replace(" ", "T")}Z`)
  }
] as const

const counts = (answers: ReadonlyArray<Heard>, receipts: ReadonlyArray<Heard>, strays: ReadonlyArray<Heard>): Part => {
  if (answers.length === 0) return nothing
  const final = receipts.filter(({ facts }) => facts["status"] !== "sent" && facts["status"] !== null)
  const partsOf = (text: number) =>
    new Set(answers.filter(({ facts }) => facts["text"] === text).map(({ facts }) => facts["part"])).size
  const ofText = (text: number) => final.filter(({ facts }) => facts["text"] === text)
  const others = receipts.length - final.length
  const more = [
    ...(others === 0 ? [] : [`${others} of a state that is not final`]),
    ...(strays.length === 0 ? [] : [`${strays.length} that were not understood`])
  ].join(", ")
  const along = more === "" ? "" : `; ${more}`
  if (final.length === 0) return found("receipts", `none that is final within the time${along}`)
  const long = samples.length
  const sent = partsOf(long)
  const came = ofText(long).length
  if (sent < 2 || came === 0) return found("receipts", `${final.length} of ${answers.length} parts${along}`)
  if (came >= sent) return found("receipts", `one for each part${came > sent ? ", some more than once" : ""}${along}`)
  return found("receipts", `one for a whole text: ${came} for ${sent} parts${along}`, [
    { option: "receipts", value: "message", why: "one receipt counts for all parts of a text" }
  ])
}

const states = (receipts: ReadonlyArray<Heard>): Part => {
  const words = textsOf(receipts, "state")
  if (words.length === 0) return nothing
  const foreign = textsOf(
    receipts.filter(({ facts }) => facts["known"] === false),
    "state"
  )
  if (foreign.length === 0) return found("states", words.join(", "))
  const [have, count] = foreign.length === 1 ? ["has", "counts"] : ["have", "count"]
  const text = `${words.join(", ")}; ${foreign.join(", ")} ${have} no meaning that is known, and ${count} as sent`
  return found("states", text, [
    {
      option: "states",
      value: foreign.map((word) => `${word}:delivered`).join(","),
      why: "if the phone has the text; else undelivered or failed"
    }
  ])
}

const marks = (receipts: ReadonlyArray<Heard>): Part =>
  receipts.some(({ facts }) => facts["marked"] === false)
    ? found("marks", "receipts are not marked as such, by esm_class or receipted_message_id", [
        { option: "unmarked_receipts", value: "yes", why: "otherwise they count as texts from subscribers" }
      ])
    : nothing

const coding = (receipts: ReadonlyArray<Heard>): Part => {
  const others = [...new Set(receipts.map(({ facts }) => facts["coding"]))].filter((each) => each !== 0)
  if (others.length === 0) return nothing
  return found(
    "coding",
    `receipts have data_coding ${others.map((each) => (each === 8 ? "8 (UCS-2)" : String(each))).join(", ")}`
  )
}

const numbers = (receipts: ReadonlyArray<Heard>): Part => {
  const forms = textsOf(receipts, "number")
  const place = receipts.some(({ facts }) => facts["swapped"] === false)
    ? ", as their destination, which is understood"
    : ""
  return forms.length === 0 ? nothing : found("numbers", `receipts have the number ${forms.join(", or ")}${place}`)
}

/** The signs of the first text that a phone shows, without blanks, which people and phones add and take away. */
const compact = (text: string): string => text.replace(/[\s"'“”„]/g, "")

/** Octets of the GSM alphabet read as Latin-1, where most signs are control characters that phones leave out. */
const asLatin1 = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  String.fromCharCode(...(Gsm7.septets(text) ?? [])).replace(/[\u0000-\u001f\u007f-\u009f]/g, "")

/** Octets of Latin-1 read as the GSM alphabet. */
const asGsm = (text: string): string => Gsm7.textOf(Uint8Array.from(text, (sign) => sign.charCodeAt(0) & 0x7f))

const alphabet = (heard: ReadonlyArray<Heard>, shown: string | undefined): Part => {
  if (shown === undefined) return found("alphabet", "unknown: it depends on what the phone shows (--shown)")
  const seen = compact(shown)
  if (seen === compact(GSM_SIGNS)) return found("alphabet", "the phone shows the signs as they were sent")
  if (seen === "" && heard.every(({ kind }) => kind !== "answer")) return found("alphabet", "nothing arrived")
  const isSentInGsm = heard.some(
    ({ facts, kind, raw }) => kind === "sent" && facts["text"] === 1 && /octets=[0-9a-f]*00/.test(raw)
  )
  if (isSentInGsm && lacksSigns(seen)) {
    return found("alphabet", "data_coding 0 is Latin-1, or ASCII: the signs of the GSM alphabet do not arrive", [
      { option: "alphabet", value: "latin1", why: "ascii if the signs above U+007F are still missing then" }
    ])
  }
  if (!isSentInGsm && seen === compact(asGsm(GSM_SIGNS))) return wrongAlphabet
  if (!isSentInGsm && /[¡§¤]/.test(seen)) return wrongAlphabet
  if (!isSentInGsm && lacksHigh(seen)) {
    return found("alphabet", "data_coding 0 is ASCII: signs above U+007F do not arrive", [
      { option: "alphabet", value: "ascii", why: "texts with such signs go in Latin-1 or UCS-2 then" }
    ])
  }
  return found("alphabet", `the phone shows ${shown} for ${GSM_SIGNS}: no alphabet that is known reads so`)
}

const wrongAlphabet = found("alphabet", "data_coding 0 is the GSM alphabet", [
  { option: "alphabet", value: "gsm", why: "the option alphabet of this link is wrong" }
])

/**
 * Whether the phone lost the GSM alphabet's signs below U+0020, or shows something else for them.
 */
const lacksSigns = (seen: string): boolean =>
  seen === compact(asLatin1(GSM_SIGNS)) || ![..."@_$£é"].some((sign) => seen.includes(sign))

const lacksHigh = (seen: string): boolean => ["@", "_", "$"].every((sign) => seen.includes(sign)) && !seen.includes("é")

const unicode = (shown: string | undefined): Part => {
  if (shown === undefined) return nothing
  return compact(shown) === compact(UCS2_SIGNS)
    ? found("UCS-2", "the phone shows the signs as they were sent")
    : found("UCS-2", `the phone shows ${shown} for ${UCS2_SIGNS}: ask the carrier how it takes data_coding 8`)
}

const long = (shown: string | undefined): Part => {
  if (shown === undefined) return nothing
  return /^(one|1|yes|y)$/i.test(shown.trim())
    ? found("long texts", "the phone shows one text")
    : found("long texts", "the phone shows the parts apart: ask the carrier for texts with a user data header")
}

const rate = (heard: ReadonlyArray<Heard>): Part => {
  const throttled = heard.filter(({ facts }) => facts["verdict"] === "Throttled")
  const rates = throttled.flatMap(({ facts: { rate } }) => (typeof rate === "number" ? [rate] : []))
  if (rates.length === 0) return found("rate", "nothing was throttled")
  const most = Math.max(1, Math.min(...rates) - 1)
  return found("rate", `throttled ${throttled.length} times, at ${Math.min(...rates)} in a second`, [
    {
      option: "rate",
      value: String(most),
      why: "or the rate in the contract: at this rate no message has to be written twice"
    }
  ])
}

const reference = (heard: ReadonlyArray<Heard>, receipts: ReadonlyArray<Heard>): Part => {
  if (heard.some(({ facts }) => facts["verdict"] === "ParameterRefused")) {
    return found("reference", "user_message_reference is refused, and left out from now on")
  }
  return receipts.some(({ facts }) => facts["reference"] === true)
    ? found("reference", "receipts repeat user_message_reference")
    : nothing
}
