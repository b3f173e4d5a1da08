/**
 * A verification as its user may see it.
 */
import type { Step, Verification } from "@watchword/client"
import { numbers } from "../numbers/Numbers.ts"
import { RECEIVE } from "../Texts.ts"
import type { Answer, Problem, Readable, Reason, Sent, Stage, Way } from "../Wire.ts"
import { qrCodeOf } from "./QrCodes.ts"

/** The handler's own knowledge about its verifications. */
export interface Terms {
  readonly codeLength: number
  /** The workflow of starts, where the app gives one. */
  readonly workflow: ReadonlyArray<Step> | undefined
}

/** The defaults of an answer. */
export const nothing: Answer = {
  stage: "number",
  sent: null,
  problem: null,
  readings: [],
  country: null,
  location: null
}

const readable = (number: string): Readable => ({ number, written: numbers.written(number) })

/** The answer about a verification, with what keeps its user from going on. */
export const viewOf = (
  verification: Verification,
  terms: Terms,
  at: number,
  problem: Problem | null = null
): Answer => ({
  ...nothing,
  stage: stageOf(verification),
  sent: sentOf(verification, terms, at, problem),
  problem: endOf(verification) ?? problem
})

const stageOf = ({ status }: Verification): Stage => {
  if (status === "pending") return "code"
  return status === "approved" ? "approved" : "ended"
}

const endOf = ({ checks_left: checks, reason, status }: Verification): Problem | null => {
  const ended = (reason: Reason): Problem => ({ reason, wait: null })
  switch (status) {
    case "failed":
      if (reason === "undeliverable") return ended(reason)
      return ended(checks === 0 ? "no_checks" : "ended")
    case "blocked":
      return ended("number_refused")
    case "canceled":
      return ended("ended")
    case "expired":
      return ended("expired")
    default:
      return null
  }
}

/** Whether the user is to act now. A user who got a code for a text enters that code. */
export const isActing = ({ present = [], received = [] }: Verification): boolean =>
  present.length > 0 && !received.some(({ result }) => result === "replied")

/** The ways in which the user may act. */
const waysOf = (verification: Verification): ReadonlyArray<Way> =>
  !isActing(verification)
    ? []
    : (verification.present ?? [])
        .filter(({ uri }) => /^(?:https?|sms|tel):/.test(uri))
        .map(({ by, number, qr, text, uri }) => ({
          by,
          number: number === null ? null : readable(number),
          uri,
          text,
          qr: qr === undefined ? null : qrCodeOf(qr)
        }))

const sentOf = (verification: Verification, terms: Terms, at: number, problem: Problem | null): Sent => {
  const { attempts, channel, checks_left, expires_at, id, next, resend_at, sends_left, step, to } = verification
  return {
    id,
    to: readable(to),
    channel,
    step,
    other: sends_left > 0 && problem?.reason !== "no_way" ? otherOf(verification, terms) : null,
    resend_in: secondsUntil(resend_at, at),
    next_in: next === null ? null : secondsUntil(next.at, at),
    expires_in: secondsUntil(expires_at, at),
    sends_left,
    checks_left,
    code_length: terms.codeLength,
    has_code: attempts.length > 0,
    ways: waysOf(verification)
  }
}

/**
 * The channel of the next step: from the app's workflow if there is one, otherwise from the verification, which leaves
 * steps out that do not serve its number.
 */
const otherOf = ({ channel, next, step }: Verification, { workflow }: Terms): string | null => {
  if (workflow === undefined) return next?.channel ?? "other"
  if (!workflow.some((each) => each.channel === RECEIVE)) return workflow[step]?.channel ?? null
  const place = workflow.findIndex((each, index) => index >= step - 1 && each.channel === channel)
  return next?.channel ?? workflow[place + 1]?.channel ?? null
}

const secondsUntil = (time: string, at: number): number => Math.max(0, Math.ceil((Date.parse(time) - at) / 1000))
