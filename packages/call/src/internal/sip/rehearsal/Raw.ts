/**
 * Responses as people read them: the status, and the headers by which trunks differ.
 *
 * Source: RFC 3261 §20, RFC 3326 (Reason), RFC 3262 (RSeq), RFC 5009 (P-Early-Media).
 */
import type { Response } from "../Message.ts"

const HEADERS = [
  "reason",
  "retry-after",
  "date",
  "server",
  "user-agent",
  "p-early-media",
  "require",
  "rseq",
  "content-type",
  "warning"
]

/** Characters of a header that are shown. */
const LONGEST = 120

export const response = ({ headers, status }: Response): string =>
  [
    `SIP/2.0 ${status}`,
    ...HEADERS.flatMap((name) => headers.all(name).map((value) => `${name}: ${printable(value).slice(0, LONGEST)}`))
  ].join(" | ")

// oxlint-disable-next-line no-control-regex
const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "")
