/**
 * Reads the octets of a subscriber's text.
 *
 * Other alphabets than GSM and UCS-2 are read as Latin-1, which keeps their ASCII: carriers differ on data_coding 1
 * (IA5, or the GSM alphabet), and the letters and digits of a token are the same in both.
 *
 * Source: SMPP 3.4 §5.2.19 for 0 to 15; 3GPP TS 23.038 §4 for values that SMPP leaves to the network.
 */
import * as Gsm7 from "../Gsm7.ts"
import type { Alphabet } from "./Alphabet.ts"

/** Octets under one data_coding. */
export interface Coded {
  readonly dataCoding: number
  readonly octets: Buffer
}

/** @param alphabet the carrier's under data_coding 0 */
export const decode = ({ dataCoding, octets }: Coded, alphabet: Alphabet): string => {
  switch (codingOf(dataCoding)) {
    case "ucs2":
      return utf16.decode(octets)
    case "default":
      // Septets have no eighth bit: such octets are Latin-1, whatever the carrier says.
      return alphabet === "gsm" && !octets.some((octet) => octet > 0x7f)
        ? Gsm7.textOf(octets)
        : octets.toString("latin1")
    case "other":
      return octets.toString("latin1")
  }
}

const utf16 = new TextDecoder("utf-16be")

type Coding = "default" | "ucs2" | "other"

const BY_SMPP: ReadonlyMap<number, Coding> = new Map([
  [0x00, "default"],
  [0x08, "ucs2"]
])

/** General data coding, with and without automatic deletion, by two of its bits. */
const GENERAL: ReadonlyArray<Coding> = ["default", "other", "ucs2", "default"]
const COMPRESSED = 0x20
const BINARY = 0x04

const codingOf = (dataCoding: number): Coding => {
  if (dataCoding <= 0x0f) return BY_SMPP.get(dataCoding) ?? "other"
  const group = dataCoding >> 4
  if (group <= 0x07) return (dataCoding & COMPRESSED) === 0 ? (GENERAL[(dataCoding >> 2) & 0x03] ?? "other") : "other"
  if (group === 0x0e) return "ucs2"
  return group === 0x0f && (dataCoding & BINARY) !== 0 ? "other" : "default"
}
