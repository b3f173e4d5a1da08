/**
 * A check of the operator's own before a send: a look-up of the number, a SIM-swap check, a risk score. It is asked
 * once for each send, start of a verification or resend that the guard lets through, and never for a step that follows
 * by itself.
 */
import type { Product } from "@watchword/schemas/Channel"
import { countryOf } from "@watchword/schemas/PhoneNumber"
import { beginChecking } from "./Metrics.ts"
import { isOfPumping } from "./Pumping.ts"
import { REASONS, refusalOf } from "@watchword/send/pipeline"
import { type Asked, type Service, type Verdict, allOf, passed } from "@watchword/send/SendGuard"
import type { Added } from "@watchword/store/Counters"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The question to a check. */
export interface BeforeSendQuestion {
  readonly account_id: string
  /** Whether it is in the sandbox, where checks are asked too. */
  readonly sandbox: boolean
  /** The product that is asked for; `verify` for a start of a verification, or a resend. */
  readonly channel: Product
  /** In E.164. */
  readonly to: string
  /** By ISO 3166-1; null for numbers of no country. */
  readonly country: string | null
  readonly client_ip: string | null
  readonly client_ref: string | null
  readonly trusted: boolean
}

const Answer = Schema.Struct({
  decision: Schema.Literals(["allow", "deny"]),
  reason: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9_]{0,39}$/))),
  channels: Schema.optionalKey(Schema.Array(Schema.String))
})

/**
 * The answer of a check: whether the send may continue. A denied one leaves a `blocked` record, with `reason` among its
 * `guard_reasons`, and is answered 403 with the reason `denied`. `channels` are tried first by a verification, in their
 * order, if its workflow has them.
 */
export type BeforeSendAnswer = typeof Answer.Type

/** @param signal is aborted when the check has taken too long */
export type BeforeSendCheck = (
  question: BeforeSendQuestion,
  signal: AbortSignal
) => BeforeSendAnswer | Promise<BeforeSendAnswer>

export interface Settings {
  /** Its answer must be a {@link BeforeSendAnswer}. */
  readonly check: (question: BeforeSendQuestion, signal: AbortSignal) => unknown
  /** How long a check may take, in milliseconds; 2,000 unless given. */
  readonly timeout?: number
  /** The fate of a send whose check fails or takes too long: it continues (`open`, the default), or is refused. */
  readonly fail?: "open" | "closed"
}

type Passed = Extract<Verdict, { readonly _tag: "Passed" }>

const decode = Schema.decodeUnknownPromise(Answer)

/** A guard that asks the check about what another one lets through. */
export const around = (guard: Service | null, settings: Settings): Effect.Effect<Service> =>
  Effect.map(beginChecking, (count) => asking(guard, settings, count))

const asking = (
  guard: Service | null,
  { check, fail = "open", timeout = 2_000 }: Settings,
  count: (outcome: "allow" | "deny" | "failed") => void
): Service => {
  const unsent: Service["unsent"] = (counted) => guard?.unsent(counted) ?? Effect.void

  const refused = (
    taken: ReadonlyArray<Added>,
    reason: "check_failed" | "denied",
    word?: string
  ): Effect.Effect<Verdict> => {
    const reasons = word === undefined ? reason : `${reason} ${word}`
    const refusal = { _tag: "Refused", failure: refusalOf(reason), details: { [REASONS]: reasons } } as const
    return Effect.as(unsent(taken), refusal)
  }

  const decided = (verdict: Passed, { channels, decision, reason }: BeforeSendAnswer): Effect.Effect<Verdict> => {
    count(decision)
    if (decision === "deny") return refused(unasked(verdict), "denied", reason)
    return Effect.succeed(channels === undefined ? verdict : { ...verdict, prefer: channels })
  }

  const failed = (verdict: Passed, why: string): Effect.Effect<Verdict> => {
    count("failed")
    return Effect.andThen(
      Effect.logWarning("the check before a send failed", { why, fail }),
      fail === "open" ? Effect.succeed<Verdict>(verdict) : refused(allOf(verdict.counted), "check_failed")
    )
  }

  const ask = (asked: Asked, verdict: Passed): Effect.Effect<Verdict> =>
    Effect.tryPromise({ try: () => inTime(check, questionOf(asked), timeout), catch: whyOf }).pipe(
      Effect.matchEffect({
        onFailure: (why) => failed(verdict, why),
        onSuccess: (answer) => decided(verdict, answer)
      })
    )

  return {
    check: (asked, now) => {
      const verdict: Effect.Effect<Verdict> = guard === null ? Effect.succeed(passed) : guard.check(asked, now)
      if (asked.requests === 0) return verdict
      return Effect.flatMap(verdict, (given) => (given._tag === "Passed" ? ask(asked, given) : Effect.succeed(given)))
    },
    verified: (proof) => guard?.verified(proof) ?? Effect.void,
    unsent
  }
}

/**
 * The counts that are removed if a check denies: money, and sends that would have to be verified. Limits of sends keep
 * their count, because the check was asked, which may cost money for each number: else a stranger could have it asked
 * without end.
 */
const unasked = ({ counted: { money, requests } }: Passed): ReadonlyArray<Added> => [
  ...money,
  ...requests.filter(({ key }) => isOfPumping(key))
]

const questionOf = ({ channel, client, principal: { account, mode }, to }: Asked): BeforeSendQuestion => ({
  account_id: account.id,
  sandbox: mode === "sandbox",
  channel,
  to,
  country: countryOf(to),
  client_ip: client.client_ip ?? null,
  client_ref: client.client_ref ?? null,
  trusted: client.trusted ?? false
})

/** The answer of a check that is in time. The service does not wait for a late one, even if it continues. */
const inTime = async (
  check: Settings["check"],
  question: BeforeSendQuestion,
  timeout: number
): Promise<BeforeSendAnswer> => {
  const late = new AbortController()
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.abort()
    reject(new Error(`no answer within ${timeout} ms`))
  }, timeout)
  try {
    return await decode(await Promise.race([check(question, late.signal), tooLate]))
  } finally {
    clearTimeout(timer)
  }
}

/** Only the name of an error: its message may have the number in it. */
const whyOf = (error: unknown): string => {
  if (Schema.isSchemaError(error)) return "its answer is not { decision: allow or deny, reason, channels }"
  return error instanceof Error ? (NAMED.test(error.message) ? error.message : error.name) : "it failed"
}

/** The error messages of this check. */
const NAMED = /^(no answer within \d+ ms|status \d{3}|an answer of more than \d+ bytes)$/
