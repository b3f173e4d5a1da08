/**
 * The operator's commands on doors: interfaces of other services in front of this one.
 */
import { type ApplicationKey, add, list as listApplications, revoke as revokeKeys } from "@watchword/auth/Applications"
import { durations, field, optional, toDuration } from "@watchword/schemas/Field"
import * as Command from "../command/Command.ts"
import { Time, account, accountOf, as, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const application = as({ example: "ID" }, field(Schema.String, "The application's id, as the app's tokens name it"))

const overlap = durations(
  { text: "must be a time such as 30m, 24h or 7d, or 0", seconds: "must be whole seconds, 0 to 99999999" },
  (text) => (/^0+[smhd]?$/.test(text) ? 0 : toDuration(text.replace(/^0+/, "")))
)

/** In seconds. */
const A_DAY = 86_400

const keyFields = {
  application: Schema.String,
  fingerprint: field(Schema.String, "The beginning of the key's digest, which names it."),
  sandbox: Schema.Boolean,
  addedAt: Time,
  expiresAt: Schema.NullOr(Time)
}

const Key = wire(keyFields)

const keyOf = (application: string, key: ApplicationKey): typeof Key.Type => ({
  application,
  fingerprint: key.id,
  sandbox: key.sandbox,
  addedAt: new Date(key.addedAt),
  expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt)
})

export const key = Command.make({
  name: ["door", "key"],
  description: "Add a public key that verifies the tokens of an account's application, and replace its earlier keys",
  role: "operator",
  hidden: ["public_key"],
  input: wire({
    account,
    application,
    publicKey: as({ example: "FILE", isFile: true }, field(Schema.String, "A file with a public key of RSA, PEM")),
    sandbox: optional(Schema.Boolean, "Tokens reach no carrier and cost nothing"),
    overlap: as(
      { example: "24h" },
      optional(overlap, "How long earlier keys stay valid: 0, or 10m, 24h; 24h by default")
    )
  }),
  positional: ["account"],
  output: wire({ account: accountOf, ...keyFields }),
  run: ({ account, overlap = A_DAY, ...wanted }) =>
    Effect.map(add(account, { ...wanted, overlap: overlap * 1000 }), (key) => ({
      account,
      ...keyOf(wanted.application, key)
    })),
  lines: ({ application, fingerprint }) => [
    `Key ${fingerprint} verifies the tokens of ${application}; running servers apply this within a second.`
  ]
})

export const keys = Command.make({
  name: ["door", "keys"],
  description: "List the applications of an account and their public keys",
  role: "support",
  input: wire({ account }),
  positional: ["account"],
  output: wire({ keys: Schema.Array(Key) }),
  run: ({ account }) =>
    Effect.map(listApplications(account), (all) => ({
      keys: [...all].flatMap(([application, keys]) => keys.map((key) => keyOf(application, key)))
    })),
  lines: ({ keys }) =>
    keys.length === 0
      ? ["The account has no applications."]
      : keys.map(({ addedAt, application, expiresAt, fingerprint, sandbox }) =>
          [
            application,
            fingerprint,
            sandbox ? "sandbox" : "live",
            `added ${addedAt.toISOString()}`,
            ...(expiresAt === null ? [] : [`until ${expiresAt.toISOString()}`])
          ].join("  ")
        )
})

export const revoke = Command.make({
  name: ["door", "revoke"],
  description: "Permanently revoke the public keys of an application, or one key",
  role: "operator",
  input: wire({
    account,
    application,
    fingerprint: optional(
      Schema.String,
      "Only the key of this fingerprint, as door keys lists it; all keys unless given"
    )
  }),
  positional: ["account"],
  output: wire({ account: accountOf, application: Schema.String, revoked: Schema.Array(Schema.String) }),
  run: ({ account, application, fingerprint = null }) =>
    Effect.map(revokeKeys(account, application, fingerprint), (revoked) => ({
      account,
      application,
      revoked: revoked.map(({ id }) => id)
    })),
  lines: ({ application, revoked }) => [
    `${revoked.join(", ")} of ${application} verifies no tokens any more; running servers apply this within a second.`
  ]
})
