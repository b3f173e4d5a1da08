/**
 * A text as the air interface carries it.
 */

/**
 * `gsm7`: one septet an octet, not packed, the extension table as two; `ucs2`: UTF-16, big-endian.
 * Parts are without user data headers; there is more than one when the text is concatenated.
 */
export interface EncodedText {
  readonly encoding: "gsm7" | "ucs2"
  readonly parts: ReadonlyArray<Uint8Array>
}
