/**
 * Reads the octets of a text according to its `data_coding`.
 *
 * Source: SMPP 3.4 §5.2.19 for 0 to 15; 3GPP TS 23.038 §4 for values that SMPP leaves to the network.
 */
import { textOfSeptets as textOf } from "@watchword/sms/EncodedText"

/** @returns the text; hexadecimal digits where the octets are not text, as in a binary message */
export const decode = (octets: Buffer, dataCoding: number): string => {
  const alphabet = alphabetOf(dataCoding, octets)
  switch (alphabet) {
    case "gsm":
      return textOf(octets)
    case "octets":
      return octets.toString("hex").toUpperCase()
    case "latin1":
      return octets.toString("latin1")
    default:
      return new TextDecoder(alphabet).decode(octets)
  }
}

const UCS2 = "utf-16be"

const alphabetOf = (dataCoding: number, octets: Buffer): string => {
  switch (dataCoding) {
    case 0x01:
      return isGsm(octets) ? "gsm" : "latin1"
    case 0x03:
      return "latin1"
    case 0x05:
      return octets.includes(ESCAPE) ? "iso-2022-jp" : "shift_jis"
    case 0x06:
      return "iso-8859-5"
    case 0x07:
      return "iso-8859-8-i"
    case 0x09:
      return "octets"
    case 0x0a:
      return "iso-2022-jp"
    case 0x0d:
      return octets.includes(ESCAPE) ? "iso-2022-jp" : "euc-jp"
    case 0x0e:
      return "euc-kr"
    case 0x02:
    case 0x04:
      return "octets"
    default:
      return ofNetwork(dataCoding)
  }
}

const ESCAPE = 0x1b

/** The alphabet by the groups of TS 23.038, whose reserved values are read in the default alphabet. */
const ofNetwork = (dataCoding: number): string => {
  const group = dataCoding >> 4
  if (group <= 0x07) {
    if ((dataCoding & COMPRESSED) !== 0) return "octets"
    return ["gsm", "octets", UCS2, "gsm"][(dataCoding >> 2) & 0x03] ?? "gsm"
  }
  if (group === 0x0e) return UCS2
  return group === 0x0f && (dataCoding & 0x04) !== 0 ? "octets" : "gsm"
}

const COMPRESSED = 0x20

/**
 * Whether octets that are named IA5 are the GSM alphabet, as the package `smpp` of npm writes them: by octets that are
 * control characters in IA5, and by the places of its brackets and signs between letters, where the GSM alphabet has Ä,
 * ö or ü.
 */
const isGsm = (octets: Buffer): boolean => NOT_IA5.test(octets.toString("latin1"))

// oxlint-disable-next-line no-control-regex -- It looks for control characters.
const NOT_IA5 = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]|[a-z][[\\\]^`{|}~][a-z]|(?<![^ ])[|~][a-z]/i
