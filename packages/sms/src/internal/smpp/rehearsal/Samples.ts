/**
 * The texts of a rehearsal with a carrier: one of the GSM alphabet whose signs have other octets in ASCII and Latin-1,
 * one in UCS-2, and one of two parts.
 */
import { type EncodedText, encode } from "../../../EncodedText.ts"

export interface Sample {
  /** 1 to 3. */
  readonly number: number
  readonly encoded: EncodedText
  /** The beginning, which receipts may repeat. */
  readonly beginning: string
}

/** The expected display of the first text between its quotes. */
export const GSM_SIGNS = "@ _ $ £ é"

/** The same of the second. */
export const UCS2_SIGNS = "Ж € 漢"

const texts: ReadonlyArray<string> = [
  `Watchword 1 of 3: "${GSM_SIGNS}"`,
  `Watchword 2 of 3: "${UCS2_SIGNS}"`,
  "Watchword 3 of 3: this is one text of two parts. A phone that shows it as one has put the parts together by the header " +
    "that each of them has; a phone that shows two texts has not been given that header by the carrier. End"
]

export const samples: ReadonlyArray<Sample> = texts.map((text, index) => ({
  number: index + 1,
  encoded: encode(text),
  beginning: text.slice(0, "Watchword 1 of".length)
}))
