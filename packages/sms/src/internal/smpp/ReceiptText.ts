/**
 * Reads the text of a delivery receipt, which every carrier writes in a dialect and an alphabet of its own.
 *
 * Source: SMPP 3.4 Appendix B (the text) and §5.2.19 (data_coding 0 is the alphabet of the SMSC), 3GPP TS 23.038 §6.2.1
 * (the GSM alphabet, which it is in practice).
 */
import * as Gsm7 from "../Gsm7.ts"
import { words } from "./ReceiptStates.ts"

/** The fields of a receipt's text; missing ones are empty. */
export interface ReceiptText {
  readonly id: string
  readonly stat: string
  readonly err: string
}

/**
 * Reads the octets of a receipt. It is ASCII by Appendix B, whatever data_coding says: carriers copy that of the text
 * which the receipt is about, or write in the alphabet that it names. The reading that has fields counts.
 */
export const read = (octets: Buffer, dataCoding: number): ReceiptText => {
  for (const decode of octets.length === 0 ? [] : alphabetsOf(dataCoding)) {
    const text = parse(decode(octets))
    if (text.id !== "" || text.stat !== "") return text
  }
  return nothing
}

/** The text in that reading, or by data_coding where none has fields. */
export const decoded = (octets: Buffer, dataCoding: number): string => {
  const texts = alphabetsOf(dataCoding).map((decode) => decode(octets))
  const fielded = texts.find((text) => Object.values(parse(text)).some((field) => field !== ""))
  return fielded ?? texts[0] ?? ""
}

const alphabetsOf = (dataCoding: number) =>
  dataCoding === UCS2 ? [utf16, singleOctets, utf16le] : [singleOctets, utf16, utf16le]

/**
 * Reads `id:… sub:… dlvrd:… submit date:… done date:… stat:DELIVRD err:000 text:…` in any order, with any
 * field missing and dates of any length. A field that comes twice counts the first time, so that the
 * beginning of the message, which the text ends with, cannot pass for one.
 */
export const parse = (text: string): ReceiptText => ({
  id: shortened(ID.exec(text)?.[1]),
  stat: shortened(STAT.exec(text)?.[1] ?? BARE_STATE.exec(text)?.[1]).toUpperCase(),
  err: shortened(ERR.exec(text)?.[1])
})

/** Removes control characters, which must not get into records and logs. */
// oxlint-disable-next-line no-control-regex
export const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "")

/** The value of a field, up to the next separator. A field that another one follows at once is empty. */
const valueOf = (name: string): RegExp =>
  new RegExp(`(?<![^\\s,;])${name}:[ \\t]*(?!(?:sub|dlvrd|submit ?date|done ?date|stat|err|text):)([^\\s,;]*)`, "i")

const ID = valueOf("id")
const STAT = valueOf("stat")
const ERR = valueOf("err")

/** A state without its name, between the dates and the error: `done date:180903120816 DELIVRD err:000`. */
const BARE_STATE = new RegExp(
  `^(?:(?!text:).)*?date:[\\d\\s,;:.+/-]*(?<=[\\s,;])(${words.join("|")})(?=[\\s,;]+(?:err|text):|\\s*$)`,
  "is"
)

/** Longer fields are cut off. */
const LONGEST = 64

const shortened = (value = ""): string => printable(value).slice(0, LONGEST)

const nothing: ReceiptText = { id: "", stat: "", err: "" }

const UCS2 = 0x08

const utf16Decoder = new TextDecoder("utf-16be")
const utf16leDecoder = new TextDecoder("utf-16le")
const utf16 = (octets: Buffer): string => utf16Decoder.decode(octets)
const utf16le = (octets: Buffer): string => utf16leDecoder.decode(octets)

// ASCII's control characters are printable characters in the GSM alphabet: `_` is 0x11, `@` 0x00, `{` 0x1B 0x28.
const singleOctets = (octets: Buffer): string =>
  octets
    .toString("latin1")
    .replace(PADDING, "")
    .replace(OF_GSM, (found) => Gsm7.textOf(Buffer.from(found, "latin1")))

/** NULs around a value, which a program written in C leaves there. */
// oxlint-disable-next-line no-control-regex
const PADDING = /(?<=^|[\s,;:])\0+|(?<!\0)\0+(?=[\s,;]|$)/g

/** All but tabs and line ends. */
// oxlint-disable-next-line no-control-regex
const OF_GSM = /\x1b[^]|[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]/g
