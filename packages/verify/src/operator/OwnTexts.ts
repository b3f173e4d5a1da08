/**
 * Whether the clients of an account may give texts of their own at a start. A stranger's text can ask a user for
 * anything, so an account has the texts of templates until an operator says otherwise.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import { Settings } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import type { BadRequest, NotFound } from "@watchword/schemas/Errors"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ownTexts } from "../internal/VerifySettings.ts"

/** `own`: a start may have a text of its own. `templates`: every text comes from a template. */
export type TextsOf = "own" | "templates"

export const get = (account: AccountId): Effect.Effect<TextsOf, StoreError, Settings> =>
  Settings.use((settings) =>
    Effect.map(settings.get(account, ownTexts), (set) => (Option.isSome(set) ? "own" : "templates"))
  )

export const set = Effect.fnUntraced(function* (
  account: AccountId,
  texts: TextsOf
): Effect.fn.Return<void, BadRequest | NotFound | StoreError, Settings> {
  const settings = yield* Settings
  if (texts === "own") yield* settings.set(account, ownTexts, texts)
  else yield* settings.remove(account, ownTexts)
})
