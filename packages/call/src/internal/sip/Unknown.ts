/**
 * The parts of a trunk's responses that nothing here reads: statuses without a meaning here, causes and protocols of
 * Reason headers, warnings.
 *
 * Source: RFC 3261 §20.43 (Warning), §21; RFC 3326; RFC 6228 (199); ITU-T Q.850 table 1.
 */
import { type Said, foreign } from "@watchword/send/gateway"
import type { Response } from "./Message.ts"
import { reasonsOf, valuesOf } from "./Reasons.ts"
import { isKnown } from "./Status.ts"

/** A thing to note, by its kind. */
export interface Unknown {
  readonly kind: "sip_status" | "sip_reason" | "sip_warning"
  readonly said: Said
}

const PROVISIONAL: ReadonlyArray<number> = [100, 180, 181, 182, 183, 199]

/**
 * The protocols of Reason that are registered and may come with a response (IANA, "Reason Protocols"), and FreeSWITCH's
 * own.
 */
const PROTOCOLS: ReadonlyArray<string> = ["SIP", "Q.850", "STIR", "PREEMPTION", "FREESWITCH"]

const TOKEN = /^[A-Z][A-Z0-9._-]{0,31}$/

/** Causes of Q.850; higher values are vendor-specific. */
const HIGHEST_CAUSE = 127

export const unknownIn = (response: Response): ReadonlyArray<Unknown> => {
  const { headers, phrase, status } = response
  const isUnknown = status < 200 ? !PROVISIONAL.includes(status) : status >= 300 && !isKnown(status)
  if (!isUnknown && headers.first("reason") === undefined && headers.first("warning") === undefined) return []
  return [
    ...(isUnknown ? [{ kind: "sip_status", said: statusOf(status, phrase) } as const] : []),
    ...reasonsIn(response),
    ...valuesOf(response, "warning").map((warning) => ({ kind: "sip_warning", said: warningOf(warning) }) as const)
  ]
}

const statusOf = (status: number, phrase: string): Said => ({
  word: String(status),
  message: "a SIP trunk answers with a status that has no meaning here; it counts by its first digit",
  details: { phrase: foreign(phrase) }
})

const reasonsIn = (response: Response): ReadonlyArray<Unknown> =>
  reasonsOf(response).flatMap(({ cause, protocol, text }) => {
    const isCause = protocol === "Q.850" && cause !== null && cause > HIGHEST_CAUSE
    if (PROTOCOLS.includes(protocol) && !isCause) return []
    return [
      {
        kind: "sip_reason",
        said: {
          word: isCause ? `Q.850/${cause}` : TOKEN.test(protocol) ? protocol : "malformed",
          message: "a SIP trunk gives an unknown reason; only its status counts",
          details: { status: response.status, text: foreign(text) }
        }
      } as const
    ]
  })

const warningOf = (warning: string): Said => {
  const [code = ""] = /^[0-9]{3}/.exec(warning) ?? []
  return {
    word: code === "" ? "no code" : code,
    message: "a SIP trunk warns of a call; nothing here depends on warnings",
    details: { text: foreign(/"(.*)"/.exec(warning)?.[1] ?? "") }
  }
}
