/**
 * Notices of platforms about what this installation sends by: a template that is paused, a number of low quality. One
 * stays, for the operators of all processes, until the platform takes it back or its time is over.
 */
import { field } from "@watchword/schemas/Field"
import * as Setting from "@watchword/store/Setting"
import { Settings } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export interface Notice {
  /** Its subject, in a few words: a later notice on the same subject replaces it. */
  readonly about: string
  /** A sentence for an operator; null if the platform withdraws its earlier notice. */
  readonly text: string | null
  /** `bad` where messages do not leave, `warn` where they may soon not. */
  readonly severity: "bad" | "warn"
  /** Milliseconds for which it stands; null until it is taken back. */
  readonly lasts: number | null
}

const Kept = Schema.Struct({
  at: field(Schema.Finite, "When the platform said so."),
  text: Schema.String,
  severity: Schema.Literals(["bad", "warn"]),
  until: Schema.NullOr(Schema.Finite)
})
type Kept = typeof Kept.Type

const notices = Setting.family({ prefix: "platform-notice:", title: "notice of a platform", most: 1_000, schema: Kept })

/** Keeps a notice, or takes the one about the same away. */
export const keep = (
  settings: Settings["Service"],
  { about, lasts, severity, text }: Notice
): Effect.Effect<void, StoreError> =>
  Effect.flatMap(Clock.currentTimeMillis, (at) =>
    Effect.asVoid(
      settings.note(
        null,
        notices.of(about),
        text === null ? null : { at, text, severity, until: lasts === null ? null : at + lasts }
      )
    )
  )

/** The notices that stand. */
export const standing: Effect.Effect<ReadonlyArray<Kept>, StoreError, Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  const now = yield* Clock.currentTimeMillis
  return [...(yield* settings.all(null, notices)).values()].filter(({ until }) => until === null || now < until)
})
