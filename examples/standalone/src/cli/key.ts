/**
 * The commands on API keys.
 */
import { Keys } from "@watchword/auth/Keys"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import type { Key } from "@watchword/store/Account"
import { parseTime } from "@watchword/pagination/Time"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Database from "../Database.ts"
import { accountFlag, explained, keyArgument, mistake, print, separated } from "./root.ts"

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
        expiresAt: Option.isSome(expires) ? yield* timeOf(expires.value) : null
      })
      yield* print({ key_id: key.id, key: Redacted.value(secret) }, [
        `Key ${key.id}:`,
        Redacted.value(secret),
        "It is not shown again."
      ])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Create an API key and show it, once"))

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
          key.revoked_at === null ? "active" : "revoked",
          key.scopes?.join(",") ?? "all scopes"
        ].join("  ")
      )
    )
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("List an account's API keys"))

export const key = Command.make("key").pipe(
  Command.withDescription("API keys"),
  Command.withSubcommands([create, revoke, list])
)

const timeOf = (text: string) =>
  Effect.mapError(Effect.fromOption(parseTime(text)), () =>
    mistake("--expires must be a time in ISO 8601, for example 2027-01-31T12:00:00Z.")
  )

const describe = (key: Key) => ({
  key_id: key.id,
  key: `${key.prefix}…${key.lastFour}`,
  sandbox: key.mode === "sandbox",
  scopes: key.scopes,
  allow: key.allow,
  created_at: iso(key.createdAt),
  expires_at: iso(key.expiresAt),
  revoked_at: iso(key.revokedAt)
})

const iso = <T extends number | null>(time: T) => (time === null ? null : new Date(time).toISOString())
