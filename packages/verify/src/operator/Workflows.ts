/**
 * Workflows by name: the steps of verifications that name the workflow. An account's own workflows precede the
 * installation's, which all accounts may name.
 */
import { BadRequest, NotFound, badRequest } from "@watchword/schemas/Errors"
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { Name, RECEIVE, Steps } from "@watchword/schemas/Verification"
import { type Owner, Settings } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { defaultWorkflow, workflows } from "../internal/VerifySettings.ts"

const decode = Schema.decodeUnknownEffect(Schema.Struct({ name: Name, steps: Steps }), {
  errors: "all",
  onExcessProperty: "error"
})

/** The workflows of an account, or with null of the installation, by their names, in the order of the alphabet. */
export const list = (owner: Owner): Effect.Effect<ReadonlyMap<string, Steps>, StoreError, Settings> =>
  Settings.use((settings) => settings.all(owner, workflows))

/** Sets a workflow. Verifications that have begun keep the steps that they began with. */
export const set = Effect.fnUntraced(function* (
  owner: Owner,
  name: string,
  steps: Steps
): Effect.fn.Return<void, BadRequest | NotFound | StoreError, ChannelRegistry | Settings> {
  const settings = yield* Settings
  yield* Effect.mapError(decode({ name, steps }), (error) => badRequest(error, "The workflow is not valid."))
  const { codeChannels } = yield* ChannelRegistry
  const known = [...codeChannels, RECEIVE]
  const issues = steps.flatMap(({ channel }, place) =>
    known.includes(channel) ? [] : [{ path: `steps[${place}].channel`, message: `must be one of ${known.join(", ")}` }]
  )
  if (issues.length > 0) return yield* new BadRequest({ message: "The workflow is not valid.", issues })
  yield* settings.set(owner, workflows.of(name), steps)
})

/**
 * Takes a workflow away, unless it is its owner's default. Accounts that use a removed workflow of the installation
 * fall back.
 */
export const remove = Effect.fnUntraced(function* (
  owner: Owner,
  name: string
): Effect.fn.Return<void, BadRequest | NotFound | StoreError, Settings> {
  const settings = yield* Settings
  if (Option.contains(yield* settings.get(owner, defaultWorkflow), name)) {
    const message = "is the default workflow; make another one the default first"
    return yield* new BadRequest({ message: "The workflow is in use.", issues: [{ path: "name", message }] })
  }
  if (!(yield* settings.remove(owner, workflows.of(name)))) {
    return yield* new NotFound({ message: "There is no such workflow." })
  }
})
