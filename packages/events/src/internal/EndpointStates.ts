/**
 * States of endpoints: since when one has failed, and whether it is disabled. A state is written when it changes, not
 * with each event.
 */
import type { Owner, Settings } from "@watchword/store/Settings"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type State, states } from "./Endpoint.ts"
import type { Found } from "./Endpoints.ts"
import { isDisabled } from "./RetrySchedule.ts"

type SettingsService = Settings["Service"]

/** An endpoint that has taken an event fails no more. */
export const taken = (settings: SettingsService, id: string, { owner, state }: Found) =>
  state === null ? Effect.void : settings.note(owner, states.of(id), null)

/** Notes a failure, and answers whether the endpoint is disabled now. */
export const failed = Effect.fnUntraced(function* (settings: SettingsService, id: string, { owner, state }: Found) {
  const now = yield* Clock.currentTimeMillis
  const failing_since = state?.failing_since ?? now
  if (isDisabled(failing_since, now)) {
    yield* disabled(settings, id, owner, { failing_since, disabled: { at: now, why: "failing" } })
    return true
  }
  if (state === null) yield* settings.note(owner, states.of(id), { failing_since, disabled: null })
  return false
})

/** Ends an endpoint that has answered 410. */
export const gone = Effect.fnUntraced(function* (settings: SettingsService, id: string, { owner, state }: Found) {
  const now = yield* Clock.currentTimeMillis
  const failing_since = state?.failing_since ?? now
  yield* disabled(settings, id, owner, { failing_since, disabled: { at: now, why: "gone" } })
})

const disabled = Effect.fnUntraced(function* (settings: SettingsService, id: string, owner: Owner, state: State) {
  yield* settings.note(owner, states.of(id), state)
  const reason = state.disabled?.why === "gone" ? "it answered 410" : "it has failed for five days"
  yield* Effect.logError("a webhook is disabled: no events are sent to it until `webhook enable`", {
    webhook: id,
    account: owner,
    reason
  })
})
