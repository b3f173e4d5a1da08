/**
 * Codes of verifications under the secrets of the installation: made, sealed, and recognised when they come again.
 */
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { type Claims, make as makeClaims } from "@watchword/send/Claims"
import { InstallationSecret } from "@watchword/send/InstallationSecret"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Code from "./Code.ts"
import type { Terms } from "./VerificationRecord.ts"

export interface Codes {
  /** The id of the secret that new codes are made of. */
  readonly secret: string
  /** A text of a verification in a form that says nothing without the secret. */
  readonly seal: (id: DeliveryId, secret: Terms["secret"], text: string) => Effect.Effect<string, ServiceUnavailable>
  readonly open: (id: DeliveryId, secret: Terms["secret"], sealed: string) => Effect.Effect<string, ServiceUnavailable>
  /** The code of a verification. All fail where its secret was taken away since it was started. */
  readonly codeOf: (
    id: DeliveryId,
    terms: Pick<Terms, "code_length" | "sealed" | "secret">
  ) => Effect.Effect<string, ServiceUnavailable>
  /** The claims and digests of requests, under the same secrets. */
  readonly claims: Claims
}

export const make: Effect.Effect<Codes> = Effect.gen(function* () {
  const given = yield* InstallationSecret
  if (given.length === 0)
    yield* Effect.logDebug("verifications have a secret of their own, which ends with this process")
  const secrets = given.length > 0 ? given : [Redacted.make(crypto.randomUUID() + crypto.randomUUID())]
  const [first, ...older] = yield* Effect.promise(() =>
    Promise.all(secrets.map((secret) => Code.importSecret(Redacted.value(secret))))
  )
  if (first === undefined) return yield* Effect.die(new Error("a secret was lost"))
  const byId = new Map([first, ...older].map((keys) => [keys.id, keys]))

  const keysOf = (secret: string) =>
    Effect.suspend(() => {
      const keys = byId.get(secret)
      return keys === undefined ? Effect.fail(lost()) : Effect.succeed(keys)
    })

  const open: Codes["open"] = Effect.fnUntraced(function* (id, secret, sealed) {
    const keys = yield* keysOf(secret)
    return (yield* Effect.promise(() => Code.open(keys, id, sealed))) ?? (yield* lost())
  })

  return {
    secret: first.id,
    seal: (id, secret, text) =>
      Effect.flatMap(keysOf(secret), (keys) => Effect.promise(() => Code.seal(keys, id, text))),
    open,
    codeOf: (id, { code_length: digits, sealed, secret }) =>
      sealed === null
        ? Effect.flatMap(keysOf(secret), (keys) => Effect.promise(() => Code.codeOf(keys, id, digits)))
        : open(id, secret, sealed),
    claims: makeClaims(secrets)
  }
})

const lost = () =>
  new ServiceUnavailable({ message: "The secret of this verification is not known to the service any more." })
