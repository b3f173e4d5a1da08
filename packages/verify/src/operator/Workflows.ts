/**
 * Workflows of an account by name: the steps of verifications that name the workflow.
 */
import { BadRequest, NotFound } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import { badRequest } from "@watchword/schemas/Issues"
import { Name, Steps } from "@watchword/schemas/Verification"
import { Settings } from "@watchword/settings/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { defaultWorkflow, workflows } from "../VerifySettings.ts"

const decode = Schema.decodeUnknownEffect(Schema.Struct({ name: Name, steps: Steps }), { errors: "all" })

/** The workflows of an account by their names, in the order of the alphabet. */
export const list = (account: AccountId): Effect.Effect<ReadonlyMap<string, Steps>, StoreError, Settings> =>
  Settings.use((settings) => settings.all(account, workflows))

/** Sets a workflow. Verifications that have begun keep the steps that they began with. */
export const set = Effect.fnUntraced(function* (
  account: AccountId,
  name: string,
  steps: Steps
): Effect.fn.Return<void, BadRequest | NotFound | StoreError, Settings> {
  const settings = yield* Settings
  yield* Effect.mapError(decode({ name, steps }), (error) => badRequest(error, "The workflow is not valid."))
  yield* settings.set(account, workflows.of(name), steps)
})

/** Takes a workflow away, unless it is the account's default. */
export const remove = Effect.fnUntraced(function* (
  account: AccountId,
  name: string
): Effect.fn.Return<void, BadRequest | NotFound | StoreError, Settings> {
  const settings = yield* Settings
  if (Option.contains(yield* settings.get(account, defaultWorkflow), name)) {
    const message = "is the account's default workflow; make another one the default first"
    return yield* new BadRequest({ message: "The workflow is in use.", issues: [{ path: "name", message }] })
  }
  if (!(yield* settings.remove(account, workflows.of(name)))) {
    return yield* new NotFound({ message: "The account has no such workflow." })
  }
})
