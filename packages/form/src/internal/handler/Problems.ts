/**
 * Maps errors of the service to problems of the user.
 */
import type { ErrorCode, errors } from "@watchword/schemas/Errors"
import type { Problem, Reason } from "../Wire.ts"

type Reasons<Code extends ErrorCode> = (typeof errors)[Code] extends { readonly reasons: infer R } ? keyof R : never

/** Reasons about the number or the user; all others are `unavailable`. A reason that is renamed no longer compiles. */
const forbidden: { readonly [R in Reasons<"FORBIDDEN">]?: Reason } = {
  country_not_allowed: "country_not_allowed",
  number_not_allowed: "number_refused",
  prefix_blocked: "number_refused",
  denied: "number_refused"
}

const tooMany: { readonly [R in Reasons<"TOO_MANY_REQUESTS">]?: Reason } = {
  resend_too_soon: "too_soon",
  too_many_sends: "no_sends",
  no_checks_left: "no_checks"
}

const conflict: { readonly [R in Reasons<"CONFLICT">]?: Reason } = {
  no_step_left: "no_way",
  ended: "ended"
}

/** An error of the service, in its process or of the client. */
export interface Refusal {
  readonly code: string
  readonly reason: string | undefined
  readonly retryAfter: number | undefined
  readonly issues: ReadonlyArray<{ readonly path: string }>
}

/** The error of the service that something thrown is; null for anything else. */
export const refusalOf = (thrown: unknown): Refusal | null => {
  if (!(thrown instanceof Error) || !("code" in thrown) || typeof thrown.code !== "string") return null
  const { code } = thrown
  const retryAfter: unknown = Reflect.get(thrown, "retryAfter")
  return {
    code,
    reason: textOf(Reflect.get(thrown, "reason")),
    retryAfter: typeof retryAfter === "number" ? retryAfter : undefined,
    issues: issuesOf(Reflect.get(thrown, "issues"))
  }
}

/** The problem that an error means to the user. */
export const problemOf = ({ code, issues, reason = "", retryAfter }: Refusal): Problem => {
  const wait = retryAfter ?? null
  const found = (reasons: Readonly<Partial<Record<string, Reason>>>, others: Reason) => reasons[reason] ?? others
  switch (code) {
    case "BAD_REQUEST":
      return { reason: onPath(issues), wait: null }
    case "FORBIDDEN":
      return { reason: found(forbidden, "unavailable"), wait: null }
    case "NOT_FOUND":
      return { reason: "ended", wait: null }
    case "CONFLICT":
      return { reason: found(conflict, "unavailable"), wait: null }
    case "TOO_MANY_REQUESTS":
      return { reason: found(tooMany, "too_many"), wait }
    default:
      return { reason: "unavailable", wait: null }
  }
}

/** Whether the app or the operator must fix it. */
export const isFault = (problem: Problem): boolean => problem.reason === "unavailable"

const onPath = (issues: Refusal["issues"]): Reason => {
  const paths = issues.map(({ path }) => path)
  if (paths.includes("to")) return "number_impossible"
  return paths.includes("code") ? "code_letters" : "unavailable"
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const issuesOf = (value: unknown): Refusal["issues"] =>
  Array.isArray(value) ? value.map((issue: unknown) => ({ path: textOf(pathOf(issue)) ?? "" })) : []

const pathOf = (issue: unknown): unknown =>
  typeof issue === "object" && issue !== null ? Reflect.get(issue, "path") : undefined
