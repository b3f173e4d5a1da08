/**
 * The operator's commands on API keys.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { durations, field, optional, toDuration } from "@watchword/schemas/Field"
import { KeyId } from "@watchword/schemas/Ids"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import type { Key } from "@watchword/store/Account"
import * as Command from "../command/Command.ts"
import { Texts, Time, account, as, keyId, maybeTime, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type Created, Keys } from "@watchword/auth/Keys"

const everyScope = ChannelRegistry.make(ChannelRegistry.builtIn).scopes

/** A key with its secret, which is shown once. */
const Made = wire({ keyId: KeyId, key: Schema.String })

const made = <E, R>(creating: Effect.Effect<Created, E, R>) =>
  Effect.mapBoth(creating, {
    onFailure: expiresNamed,
    onSuccess: ({ key, secret }) => ({ keyId: key.id, key: Redacted.value(secret) })
  })

/** An error about the end of a key, by its name in the input. */
const expiresNamed = <E>(error: E): E | BadRequest => {
  if (!(error instanceof BadRequest) || error.issues === undefined) return error
  const issues = error.issues.map((issue) => (issue.path === "expiresAt" ? { ...issue, path: "expires" } : issue))
  return new BadRequest({ message: error.message, issues })
}

export const create = Command.make({
  name: ["key", "create"],
  description: "Create an API key and show it once",
  role: "operator",
  hidden: ["key"],
  input: wire({
    account,
    sandbox: optional(Schema.Boolean, "A key that reaches no carrier and costs nothing"),
    scopes: as(
      { example: "a,b", choices: everyScope },
      optional(Texts, `Permissions, separated by commas; all by default: ${everyScope.join(", ")}`)
    ),
    allow: as(
      { example: "CIDR,…" },
      optional(Texts, "Addresses and CIDR ranges allowed to use it, separated by commas")
    ),
    expires: maybeTime("When it expires")
  }),
  output: Made,
  run: ({ expires, sandbox = false, ...rights }) => {
    const mode = sandbox ? "sandbox" : "live"
    return made(Keys.use((keys) => keys.create({ ...rights, mode, expiresAt: expires?.getTime() ?? null })))
  },
  lines: ({ key, keyId }) => [`Key ${keyId}:`, key, "It will not be shown again."]
})

const overlap = durations(
  { text: "must be a time such as 30m, 24h or 7d, or 0", seconds: "must be whole seconds, 0 to 99999999" },
  (text) => (/^0+[smhd]?$/.test(text) ? 0 : toDuration(text.replace(/^0+/, "")))
)

/** In seconds. */
const A_DAY = 86_400

export const rotate = Command.make({
  name: ["key", "rotate"],
  description: "Create a key with another key's permissions, and let the other key expire",
  role: "operator",
  hidden: ["key"],
  input: wire({
    keyId,
    overlap: as(
      { example: "24h" },
      optional(overlap, "How long the old key keeps working: 0, or 10m, 24h, 7d; 24h by default")
    ),
    expires: maybeTime("When the new key expires")
  }),
  positional: ["keyId"],
  output: Made,
  run: ({ expires, keyId, overlap = A_DAY }) =>
    made(Keys.use((keys) => keys.rotate(keyId, { overlap: overlap * 1000, expiresAt: expires?.getTime() ?? null }))),
  lines: ({ key, keyId }, old) => [`Key ${keyId} replaces ${old.keyId}:`, key, "It will not be shown again."]
})

export const revoke = Command.make({
  name: ["key", "revoke"],
  description: "Permanently revoke an API key",
  role: "operator",
  input: wire({ keyId }),
  positional: ["keyId"],
  output: wire({ keyId: KeyId, revoked: Schema.Boolean }),
  run: ({ keyId }) => Keys.use((keys) => Effect.as(keys.revoke(keyId), { keyId, revoked: true })),
  lines: ({ keyId }) => [`Key ${keyId} is revoked; running servers refuse it within seconds.`]
})

/** A key without its secret. */
const Listed = wire({
  keyId: KeyId,
  key: field(Schema.String, "Its beginning and its last four characters, so that people can recognise it."),
  sandbox: Schema.Boolean,
  scopes: field(Schema.NullOr(Texts), "Its permissions; null for all."),
  allow: field(Texts, "Addresses and CIDR ranges allowed to use it; empty for all."),
  createdAt: Time,
  expiresAt: Schema.NullOr(Time),
  revokedAt: Schema.NullOr(Time),
  lastUsedAt: field(Schema.NullOr(Time), "Updated every five minutes.")
})

export const list = Command.make({
  name: ["key", "list"],
  description: "List an account's API keys",
  role: "support",
  input: wire({ account }),
  output: wire({ keys: Schema.Array(Listed) }),
  run: ({ account }) => Keys.use((keys) => Effect.map(keys.list(account), (all) => ({ keys: all.map(listed) }))),
  lines: ({ keys }) =>
    keys.map(({ key, keyId, lastUsedAt, scopes, ...ends }) =>
      [
        keyId,
        key,
        stateOf(ends),
        lastUsedAt === null ? "never used" : `used ${lastUsedAt.toISOString()}`,
        scopes?.join(",") ?? "all scopes"
      ].join("  ")
    )
})

const listed = ({ id, lastFour, mode, prefix, ...key }: Key): typeof Listed.Type => ({
  keyId: id,
  key: `${prefix}…${lastFour}`,
  sandbox: mode === "sandbox",
  scopes: key.scopes,
  allow: key.allow,
  createdAt: new Date(key.createdAt),
  expiresAt: dateOf(key.expiresAt),
  revokedAt: dateOf(key.revokedAt),
  lastUsedAt: dateOf(key.lastUsedAt)
})

const dateOf = (time: number | null): Date | null => (time === null ? null : new Date(time))

const stateOf = ({ expiresAt, revokedAt }: Pick<typeof Listed.Type, "expiresAt" | "revokedAt">): string => {
  if (revokedAt !== null) return "revoked"
  return expiresAt === null ? "active" : `until ${expiresAt.toISOString()}`
}
