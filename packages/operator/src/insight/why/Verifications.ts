/**
 * Explains the fate of a verification from its record.
 */
import { ReceiveForm, ReceivedResult } from "@watchword/schemas/Verification"
import type { Delivery } from "@watchword/store/Delivery"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { guardReasons, isBlocked } from "./Sends.ts"
import { asked, inWords } from "./UserActions.ts"

/** The details of a verification that a story is about. */
const Details = Schema.Struct({
  purpose: Schema.String,
  test_number: Schema.Boolean,
  reason: Schema.NullOr(Schema.String),
  attempts: Schema.fromJsonString(
    Schema.Array(
      Schema.Struct({
        channel: Schema.String,
        delivery: Schema.NullOr(Schema.String),
        at: Schema.Int,
        outcome: Schema.String,
        reason: Schema.NullOr(Schema.String)
      })
    )
  ),
  sends_left: Schema.Int,
  checks_left: Schema.Int,
  door: Schema.optionalKey(Schema.NullOr(Schema.String)),
  receives: Schema.optionalKey(
    Schema.NullOr(Schema.fromJsonString(Schema.Record(Schema.String, Schema.NullOr(Schema.String))))
  ),
  heard: Schema.optionalKey(
    Schema.NullOr(
      Schema.fromJsonString(
        Schema.Array(
          Schema.Struct({ by: ReceiveForm, at: Schema.Int, result: ReceivedResult, assurance: Schema.String })
        )
      )
    )
  )
})
const decode = Schema.decodeUnknownOption(Details)

export type Plan = typeof Details.Type

export const isVerification = ({ channel }: Delivery): boolean => channel === "verify"

export const planOf = ({ details }: Delivery): Plan | null => Option.getOrNull(decode(details))

export const verificationLines = (delivery: Delivery): ReadonlyArray<string> => {
  const plan = planOf(delivery)
  if (plan === null) return ["its plan cannot be read"]
  const { attempts, checks_left: checks, door = null, purpose, reason, sends_left: sends, test_number: isTest } = plan
  const { heard, receives = null } = plan
  const guard = guardReasons(delivery)
  const secondsTo = (at: number): number => (at - delivery.createdAt) / 1000
  return [
    `purpose ${purpose}`,
    ...(door === null ? [] : [`started by the door ${door}`]),
    ...(isTest ? ["a test number: no gateway is asked"] : []),
    ...(guard.length === 0
      ? []
      : [`${isBlocked(delivery) ? "blocked by" : "would have been blocked by"} ${guard.join(", ")}`]),
    ...(receives === null ? [] : [`the user was asked to act first: ${asked(receives)}`]),
    ...(heard ?? []).map((action) => `${inWords(action)}, after ${secondsTo(action.at)} s`),
    ...attempts.map((attempt, index) => {
      const after = secondsTo(attempt.at)
      const why = attempt.reason === null ? "" : ` (${attempt.reason})`
      return `send ${index + 1} after ${after} s by ${attempt.channel}: ${attempt.outcome}${why}`
    }),
    `${checks} guesses and ${sends} sends left`,
    `${delivery.status.name}${reason === null ? "" : ` (${reason})`}`
  ]
}
