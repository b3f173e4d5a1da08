/** The table of errors: no reason of the service's interface is without a translation. */
import { errors } from "@watchword/schemas/Errors"
import { describe, expect, it } from "vitest"
import { byReason } from "../src/internal/Refusals.ts"

/** Reasons of requests that the door does not make: revocations, reports, lists, the sandbox's phones, operators. */
const OF_OTHERS = [
  "sandbox_only",
  "role_…",
  "other_site",
  "key_reused",
  "duplicate_request",
  "final_status",
  "revoked",
  "failed",
  "kept",
  "no_step_left",
  "changed_meanwhile",
  "move_under_way",
  "key_ended",
  "id_reused",
  "application_taken",
  "too_many_lists",
  "too_many_waits",
  "too_many_sign_ins",
  "too_many_reads",
  "too_many_streams",
  "caller_blocked",
  "no_account",
  "not_asked",
  "offline"
]

const reasons = Object.values(errors).flatMap((entry) => ("reasons" in entry ? Object.keys(entry.reasons) : []))

describe("the errors of the door", () => {
  it("have a translation for each reason that a start or a check has", () => {
    expect([...Object.keys(byReason), ...OF_OTHERS].toSorted()).toEqual(reasons.toSorted())
  })
})
