/**
 * The commands on API keys.
 */
import { Keys } from "@watchword/auth/Keys"
import * as ChannelRegistry from "@watchword/schemas/internal/ChannelRegistry"
import type { Key } from "@watchword/store/Account"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Database from "../Database.ts"
import { accountFlag, explained, keyArgument, mistake, print, separated, timeOf } from "./root.ts"

const everyScope = ChannelRegistry.make(ChannelRegistry.builtIn).scopes

const create = Command.make(
  "create",
  {
    account: accountFlag,
    sandbox: Flag.Boolean("sandbox").pipe(
      Flag.withDescription("A key that reaches no carrier and costs nothing"),
      Flag.withDefault(false)
    ),
    scopes: Flag.String("scopes").pipe(
      Flag.withDescription(`What it may do, separated by commas; all unless given: ${everyScope.join(", ")}`),
      Flag.optional
    ),
    allow: Flag.String("allow").pipe(
      Flag.withDescription("Addresses and CIDR ranges it may be used from, separated by commas"),
      Flag.optional
    ),
    expires: Flag.String("expires").pipe(Flag.withDescription("When it ends, ISO 8601"), Flag.optional)
  },
  ({ account, sandbox, scopes, allow, expires }) =>
    Effect.gen(function* () {
      const keys = yield* Keys
      const { key, secret } = yield* keys.create({
        account,
        mode: sandbox ? "sandbox" : "live",
        scopes: Option.getOrNull(Option.map(scopes, separated)),
        ...(Option.isSome(allow) ? { allow: separated(allow.value) } : {}),
        expiresAt: Option.isSome(expires) ? yield* timeOf("--expires", expires.value) : null
      })
      yield* print({ key_id: key.id, key: Redacted.value(secret) }, [
        `Key ${key.id}:`,
        Redacted.value(secret),
        "It is not shown again."
      ])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Create an API key and show it, once"))

const rotate = Command.make(
  "rotate",
  {
    id: keyArgument,
    overlap: Flag.String("overlap").pipe(
      Flag.withDescription("How long the old key works beside the new one: 0, or 10m, 24h, 7d"),
      Flag.withDefault("24h")
    ),
    expires: Flag.String("expires").pipe(Flag.withDescription("When the new key ends, ISO 8601"), Flag.optional)
  },
  ({ id, overlap, expires }) =>
    Effect.gen(function* () {
      const keys = yield* Keys
      const { key, secret } = yield* keys.rotate(id, {
        overlap: yield* durationOf("--overlap", overlap),
        expiresAt: Option.isSome(expires) ? yield* timeOf("--expires", expires.value) : null
      })
      yield* print({ key_id: key.id, key: Redacted.value(secret) }, [
        `Key ${key.id} takes the place of ${id}:`,
        Redacted.value(secret),
        "It is not shown again."
      ])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Create a key with the rights of another one, and let that one end"))

const revoke = Command.make("revoke", { id: keyArgument }, ({ id }) =>
  Effect.gen(function* () {
    const keys = yield* Keys
    yield* keys.revoke(id)
    yield* print({ key_id: id, revoked: true }, [`Key ${id} is revoked; running servers refuse it within seconds.`])
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("End an API key for good"))

const list = Command.make("list", { account: accountFlag }, ({ account }) =>
  Effect.gen(function* () {
    const keys = yield* Keys
    const all = (yield* keys.list(account)).map(describe)
    yield* print(
      { keys: all },
      all.map((key) =>
        [
          key.key_id,
          key.key,
          state(key),
          key.last_used_at === null ? "never used" : `used ${key.last_used_at}`,
          key.scopes?.join(",") ?? "all scopes"
        ].join("  ")
      )
    )
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("List an account's API keys"))

export const key = Command.make("key").pipe(
  Command.withDescription("API keys"),
  Command.withSubcommands([create, rotate, revoke, list])
)

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const durationOf = (flag: string, text: string) => {
  const [, count = "", unit = ""] = /^([0-9]{1,6})([smhd])$/.exec(text) ?? []
  const milliseconds = text === "0" ? 0 : Number(count) * (UNITS[unit] ?? Number.NaN)
  return Number.isNaN(milliseconds)
    ? Effect.fail(mistake(`${flag} must be a time such as 30m, 24h or 7d, or 0.`))
    : Effect.succeed(milliseconds)
}

const describe = (key: Key) => ({
  key_id: key.id,
  key: `${key.prefix}…${key.lastFour}`,
  sandbox: key.mode === "sandbox",
  scopes: key.scopes,
  allow: key.allow,
  created_at: iso(key.createdAt),
  expires_at: iso(key.expiresAt),
  revoked_at: iso(key.revokedAt),
  last_used_at: iso(key.lastUsedAt)
})

const state = ({ expires_at, revoked_at }: ReturnType<typeof describe>): string => {
  if (revoked_at !== null) return "revoked"
  return expires_at === null ? "active" : `until ${expires_at}`
}

const iso = <T extends number | null>(time: T) => (time === null ? null : new Date(time).toISOString())
