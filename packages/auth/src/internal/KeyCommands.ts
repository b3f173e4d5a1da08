/**
 * The operator's commands on API keys.
 */
import * as ChannelRegistry from "@watchword/schemas/internal/ChannelRegistry"
import { Duration } from "@watchword/schemas/internal/Durations"
import { BadRequest } from "@watchword/schemas/Errors"
import { field, optional } from "@watchword/schemas/Field"
import { KeyId } from "@watchword/schemas/Ids"
import type { Key } from "@watchword/store/Account"
import * as Command from "@watchword/store/internal/Command"
import { Time, account, keyId, wire } from "@watchword/store/internal/Wire"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Keys } from "../Keys.ts"

const everyScope = ChannelRegistry.make(ChannelRegistry.builtIn).scopes

const Texts = Schema.Array(Schema.String)

/** A key with its secret, which is shown once. */
const Made = wire({ keyId: KeyId, key: field(Schema.RedactedFromValue(Schema.String), "The secret, shown once.") })

export const create = Command.make({
  name: ["key", "create"],
  description: "Create an API key and show it, once",
  role: "operator",
  changes: true,
  input: wire({
    account,
    sandbox: optional(Schema.Boolean, "A key that reaches no carrier and costs nothing"),
    scopes: optional(Texts, `What it may do; all unless given: ${everyScope.join(", ")}`),
    allow: optional(Texts, "Addresses and CIDR ranges it may be used from"),
    expires: optional(Time, "When it ends, ISO 8601")
  }),
  output: Made,
  run: ({ expires, sandbox = false, ...rights }) =>
    Effect.gen(function* () {
      const keys = yield* Keys
      const mode = sandbox ? "sandbox" : "live"
      const made = keys.create({ ...rights, mode, expiresAt: expires?.getTime() ?? null })
      const { key, secret } = yield* Effect.mapError(made, expiresNamed)
      return { keyId: key.id, key: secret }
    }),
  lines: ({ key, keyId }) => [`Key ${keyId}:`, Redacted.value(key), "It is not shown again."]
})

export const rotate = Command.make({
  name: ["key", "rotate"],
  description: "Create a key with the rights of another one, and let that one end",
  role: "operator",
  changes: true,
  input: wire({
    keyId,
    overlap: optional(
      Duration("must be a time such as 30m, 24h or 7d, or 0"),
      "How long the old key works beside the new one: 0, or 10m, 24h, 7d; 24h unless given"
    ),
    expires: optional(Time, "When the new key ends, ISO 8601")
  }),
  subject: ["keyId"],
  output: Made,
  run: ({ expires, keyId, ...options }) =>
    Effect.gen(function* () {
      const keys = yield* Keys
      const made = keys.rotate(keyId, { ...options, expiresAt: expires?.getTime() ?? null })
      const { key, secret } = yield* Effect.mapError(made, expiresNamed)
      return { keyId: key.id, key: secret }
    }),
  lines: ({ key, keyId }, old) => [
    `Key ${keyId} takes the place of ${old.keyId}:`,
    Redacted.value(key),
    "It is not shown again."
  ]
})

/** An error about the end of a key, by the name that it has in the input. */
const expiresNamed = <E extends { readonly _tag: string }>(error: E | BadRequest): E | BadRequest => {
  if (!(error instanceof BadRequest) || error.issues === undefined) return error
  const issues = error.issues.map((issue) => (issue.path === "expiresAt" ? { ...issue, path: "expires" } : issue))
  return new BadRequest({ message: error.message, issues })
}

export const revoke = Command.make({
  name: ["key", "revoke"],
  description: "End an API key for good",
  role: "operator",
  changes: true,
  input: wire({ keyId }),
  subject: ["keyId"],
  output: wire({ keyId: KeyId, revoked: Schema.Boolean }),
  run: ({ keyId }) => Keys.use((keys) => Effect.as(keys.revoke(keyId), { keyId, revoked: true })),
  lines: ({ keyId }) => [`Key ${keyId} is revoked; running servers refuse it within seconds.`]
})

const Listed = wire({
  keyId: KeyId,
  key: field(Schema.String, "Its beginning and its last four characters, by which people recognise it."),
  sandbox: Schema.Boolean,
  scopes: field(Schema.NullOr(Texts), "What it may do; null for everything."),
  allow: field(Texts, "Addresses and CIDR ranges that it may be used from; empty for anywhere."),
  createdAt: Time,
  expiresAt: Schema.NullOr(Time),
  revokedAt: Schema.NullOr(Time),
  lastUsedAt: field(Schema.NullOr(Time), "Noted every five minutes.")
})

export const list = Command.make({
  name: ["key", "list"],
  description: "List an account's API keys",
  role: "support",
  input: wire({ account }),
  output: wire({ keys: Schema.Array(Listed) }),
  run: ({ account }) => Keys.use((keys) => Effect.map(keys.list(account), (all) => ({ keys: all.map(listed) }))),
  lines: ({ keys }) =>
    keys.map(({ key, keyId, lastUsedAt, scopes, ...times }) =>
      [
        keyId,
        key,
        stateOf(times),
        lastUsedAt === null ? "never used" : `used ${lastUsedAt.toISOString()}`,
        scopes?.join(",") ?? "all scopes"
      ].join("  ")
    )
})

const listed = (key: Key): typeof Listed.Type => ({
  keyId: key.id,
  key: `${key.prefix}…${key.lastFour}`,
  sandbox: key.mode === "sandbox",
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
