/**
 * Verifications in Twilio's form.
 */
import { timeOfUlid } from "@watchword/schemas/Ids"
import { sha256 } from "@watchword/schemas/Sha256"
import type { Attempt, Verification } from "watchword"
import { time } from "./Answers.ts"
import type { Asked, VerifyService } from "./Asked.ts"
import * as Channels from "./Channels.ts"
import { accountSid, attemptSid, verificationSid } from "./Sids.ts"

export const written = ({ account, urlOf }: Asked, { sid: service }: VerifyService, verification: Verification) => {
  const { attempts, channel, created_at, id, to } = verification
  const sid = verificationSid(id)
  return {
    sid,
    service_sid: service,
    account_sid: accountSid(account),
    to,
    channel: Channels.written(channel),
    status: statusOf(verification),
    valid: verification.status === "approved",
    lookup: {},
    amount: verification.bind?.amount ?? null,
    payee: verification.bind?.payee ?? null,
    send_code_attempts: attempts.flatMap((attempt, place) =>
      isSent(attempt)
        ? {
            time: time(attempt.at),
            channel: Channels.writtenInAttempts(attempt.channel),
            attempt_sid: sidOf(id, attempt, place)
          }
        : []
    ),
    date_created: time(created_at),
    date_updated: time(verification.approved_at ?? attempts.at(-1)?.at ?? created_at),
    sna: null,
    url: urlOf(`/v2/Services/${service}/Verifications/${sid}`)
  }
}

/** Whether an attempt has left; one by a channel that took nothing is followed by another. */
export const isSent = ({ delivery_id: delivery, reason }: Attempt): boolean => delivery !== null || reason === null

/** The SID of an attempt. One to a test number, which has no delivery, has a digest. */
export const sidOf = (verification: string, { delivery_id: delivery }: Attempt, place: number): string =>
  delivery === null ? `VL${sha256(`${verification} ${place}`).slice(0, 32)}` : attemptSid(delivery)

/** Whether Twilio would have deleted a verification: after its approval, its cancellation, or its time. */
export const isGone = ({ expires_at, status }: Verification, now: number): boolean =>
  (status !== "pending" && status !== "failed") || Date.parse(expires_at) <= now

/** The state of a verification in Twilio's words. */
const statusOf = ({ reason, status }: Pick<Verification, "reason" | "status">): string => {
  switch (status) {
    case "failed":
      return reason === "max_checks" ? "max_attempts_reached" : "failed"
    case "blocked":
      return "failed"
    default:
      return status
  }
}

/** When a verification began. */
export const createdAt = (id: string): string => time(timeOfUlid(id.slice(-26)))
