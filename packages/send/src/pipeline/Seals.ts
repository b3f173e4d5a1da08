/**
 * Parts of settings that are sealed under the installation's secret: values that a service must read back, such as
 * webhook secrets, are useless in a copy of the database.
 *
 * Without a secret of the installation they are kept as they are. The installation notes the secret that is in use, so
 * that a command or a server without it never writes values that the others cannot read.
 */
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import * as Setting from "@watchword/store/Setting"
import { type Owner, Settings } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { InstallationSecret } from "./InstallationSecret.ts"
import * as Sealing from "./Sealing.ts"

/** A text, and the id of the secret that it is sealed under. */
export const Sealed = Schema.Struct({ secret: Schema.String, text: Schema.String })
export type Sealed = typeof Sealed.Type

/** The setting that contains a text: it opens only there. */
export interface Place {
  readonly owner: Owner
  readonly name: string
}

export interface Seals {
  /** Null if no secret is set, nor was one. Fails where the secret in use is not known here. */
  readonly seal: (place: Place, text: string) => Effect.Effect<Sealed | null, ServiceUnavailable | StoreError>
  readonly open: (place: Place, sealed: Sealed) => Effect.Effect<string, ServiceUnavailable>
}

/** The secret that settings are sealed under, and whether all of them are. */
const inUse = Setting.make({
  name: "sealed-under",
  title: "note of the secret",
  schema: Schema.Struct({ secret: Schema.String, complete: Schema.Boolean })
})

export const make: Effect.Effect<Seals, never, InstallationSecret | Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  const keys = keysOf(yield* InstallationSecret)

  const open: Seals["open"] = Effect.fnUntraced(function* ({ name, owner }, { secret, text }) {
    const found = (yield* keys).find(({ id }) => id === secret)
    const opened =
      found === undefined ? null : yield* Effect.promise(() => Sealing.open(found.key, at(owner, name), text))
    return opened ?? (yield* unknownSecret())
  })

  const seal: Seals["seal"] = Effect.fnUntraced(function* ({ name, owner }, text) {
    const [first, ...others] = yield* keys
    const noted = Option.getOrNull(yield* settings.get(null, inUse))
    if (first === undefined && noted === null) return null
    const used = noted === null ? first : [first, ...others].find((each) => each?.id === noted.secret)
    if (used === undefined) return yield* unknownSecret()
    return { secret: used.id, text: yield* Effect.promise(() => Sealing.seal(used.key, at(owner, name), text)) }
  })

  return { seal, open }
})

/**
 * Has all parts of settings sealed under the first secret of this process, once after a secret is put first: texts that
 * are not sealed yet, and texts under an older secret, which can be left out afterwards.
 *
 * @param renewAll seals every text that is not under the secret of an id
 */
export const renew = Effect.fnUntraced(function* <E, R>(
  renewAll: (secret: string) => Effect.Effect<void, E, R>
): Effect.fn.Return<void, E | StoreError, R | InstallationSecret | Settings> {
  const settings = yield* Settings
  const [first] = yield* keysOf(yield* InstallationSecret)
  if (first === undefined) return
  const noted = Option.getOrNull(yield* settings.get(null, inUse))
  if (noted?.secret === first.id && noted.complete) return
  // From here on nothing is sealed under another one, even if this process dies before it has looked at all.
  const note = (complete: boolean) => settings.note(null, inUse, { secret: first.id, complete })
  yield* note(false)
  yield* renewAll(first.id)
  yield* note(true)
})

interface Key {
  readonly id: string
  readonly key: CryptoKey
}

/** Derives the keys when the first of them is needed: a Worker waits for nothing while it makes its services. */
const keysOf = (secrets: ReadonlyArray<Redacted.Redacted>): Effect.Effect<ReadonlyArray<Key>> => {
  let keys: Promise<ReadonlyArray<Key>> | null = null
  return Effect.promise(() => (keys ??= Promise.all(secrets.map(async (secret) => keyOf(Redacted.value(secret))))))
}

const keyOf = async (secret: string): Promise<Key> => {
  const derived = await Sealing.derive(secret)
  const [id, key] = await Promise.all([
    derived.bits("watchword settings id", 64),
    derived.key("watchword settings seals")
  ])
  return { id, key }
}

const at = (owner: Owner, name: string): string => `${owner ?? ""} ${name}`

const unknownSecret = () =>
  new ServiceUnavailable({
    message:
      "Settings of this database are sealed with a secret of the installation that is not known here: set VERIFY_SECRET, " +
      "or the option secret, to that of the servers."
  })
