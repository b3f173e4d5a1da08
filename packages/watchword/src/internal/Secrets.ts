/**
 * The secrets of an installation as options name them, checked at the start of a service.
 */
import { type Secret, textOf } from "@watchword/send/gateway"
import { BadRequest, type Issue } from "@watchword/schemas/Errors"
import { InstallationSecret } from "@watchword/send/pipeline"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

/** One secret, or several: the first is in use, the others are those before it. */
export type Secrets = Secret | ReadonlyArray<Secret>

/** The fewest characters of a secret. */
const LEAST = 32

/** Fails with `BadRequest`, naming the secrets that are too short. */
export const layer = (secrets: Secrets = []): Layer.Layer<InstallationSecret, BadRequest> =>
  Layer.unwrap(Effect.map(checked(secrets), (list) => Layer.succeed(InstallationSecret, list)))

const checked = (secrets: Secrets): Effect.Effect<ReadonlyArray<Redacted.Redacted>, BadRequest> => {
  const texts = [secrets].flat().map(textOf)
  const issues = texts.flatMap((each, at): ReadonlyArray<Issue> =>
    each.length >= LEAST ? [] : [{ path: texts.length === 1 ? "secret" : `secret[${at}]`, message: short }]
  )
  const [first] = issues
  return first === undefined
    ? Effect.succeed([...new Set(texts)].map((each) => Redacted.make(each)))
    : Effect.fail(new BadRequest({ message: `${first.path} ${short}.`, issues }))
}

const short = `must have at least ${LEAST} characters`
