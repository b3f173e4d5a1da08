/**
 * Codes of verifications under the secrets of the installation: made, sealed, and recognised when they come again.
 */
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { ReceiveForm } from "@watchword/schemas/Verification"
import { type Claims, make as makeClaims } from "@watchword/send/Claims"
import { InstallationSecret } from "@watchword/send/pipeline"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Code from "./Code.ts"
import * as Tokens from "./Tokens.ts"
import type { Terms } from "./VerificationRecord.ts"

export interface Codes {
  /** The id of the secret that new codes are derived from. */
  readonly secret: Effect.Effect<string, ServiceUnavailable>
  /** A text of a verification in a form that says nothing without the secret. */
  readonly seal: (id: DeliveryId, secret: Terms["secret"], text: string) => Effect.Effect<string, ServiceUnavailable>
  readonly open: (id: DeliveryId, secret: Terms["secret"], sealed: string) => Effect.Effect<string, ServiceUnavailable>
  /** The code of a verification. All fail where its secret was taken away since it was started. */
  readonly codeOf: (
    id: DeliveryId,
    terms: Pick<Terms, "code_length" | "sealed" | "secret">
  ) => Effect.Effect<string, ServiceUnavailable>
  /** The token by which a user proves a number in a form. */
  readonly tokenOf: (
    id: DeliveryId,
    terms: Pick<Terms, "secret">,
    by: ReceiveForm
  ) => Effect.Effect<string, ServiceUnavailable>
  /** The claims and digests of requests, under the same secrets. */
  readonly claims: Claims
}

export const make: Effect.Effect<Codes, never, InstallationSecret | Store> = Effect.gen(function* () {
  const [given, ...older] = yield* InstallationSecret
  const { manifest } = yield* Store
  const secrets = [given ?? Redacted.make(crypto.randomUUID() + crypto.randomUUID()), ...older] as const
  // A secret known only to one process would make codes that the others cannot check.
  const outlived = given === undefined && manifest.durable
  const keyRing =
    given === undefined && manifest.cluster
      ? Effect.fail(noSecret())
      : keyRingOf(secrets, outlived ? Effect.logWarning(OUTLIVED) : Effect.void)

  const keysOf = (secret: string) =>
    Effect.flatMap(keyRing, ({ byId }) => {
      const keys = byId.get(secret)
      return keys === undefined ? Effect.fail(lost()) : Effect.succeed(keys)
    })

  const open: Codes["open"] = Effect.fnUntraced(function* (id, secret, sealed) {
    const keys = yield* keysOf(secret)
    return (yield* Effect.promise(() => Code.open(keys, id, sealed))) ?? (yield* lost())
  })

  return {
    secret: Effect.map(keyRing, ({ current }) => current.id),
    seal: (id, secret, text) =>
      Effect.flatMap(keysOf(secret), (keys) => Effect.promise(() => Code.seal(keys, id, text))),
    open,
    codeOf: (id, { code_length: digits, sealed, secret }) =>
      sealed === null ? Effect.map(keysOf(secret), (keys) => Code.codeOf(keys, id, digits)) : open(id, secret, sealed),
    tokenOf: (id, { secret }, by) =>
      Effect.mapEager(keysOf(secret), ({ codes }) => Tokens.tokenOf(codes(`receive ${by} ${id}`))),
    claims: makeClaims(secrets)
  }
})

/** The keys of all secrets, by the ids of the secrets; the first secret's keys make new codes. */
interface KeyRing {
  readonly current: Code.CodeKeys
  readonly byId: ReadonlyMap<string, Code.CodeKeys>
}

type Secrets = readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]

/** Imports the keys when the first of them is needed: a Worker waits for nothing while it makes its services. */
const keyRingOf = (secrets: Secrets, atFirst: Effect.Effect<void>): Effect.Effect<KeyRing> => {
  let imported: KeyRing | null = null
  const first = Effect.andThen(
    atFirst,
    Effect.promise(async () => (imported = await importKeys(secrets)))
  )
  return Effect.suspend(() => (imported === null ? first : Effect.succeed(imported)))
}

const importKeys = async ([first, ...older]: Secrets): Promise<KeyRing> => {
  const current = await Code.importSecret(Redacted.value(first))
  const others = await Promise.all(older.map((secret) => Code.importSecret(Redacted.value(secret))))
  return { current, byId: new Map([current, ...others].map((keys) => [keys.id, keys])) }
}

const OUTLIVED = "no secret is set: the codes of verifications that are pending are lost when this process ends"

const noSecret = () =>
  new ServiceUnavailable({ message: "Verifications need the secret of the installation, and none is set." })

const lost = () =>
  new ServiceUnavailable({ message: "The secret of this verification is not known to the service any more." })
