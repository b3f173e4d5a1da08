/**
 * The commands on the rules of accounts: whether they may act, and the originators that their live sends may have.
 */
import { Accounts } from "@watchword/ledger/Accounts"
import type { Originators } from "@watchword/schemas/Account"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Database from "../Database.ts"
import { accountArgument, explained, mistake, print, separated } from "./root.ts"

export const suspend = Command.make("suspend", { id: accountArgument }, ({ id }) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    yield* accounts.suspend(id)
    yield* print({ account_id: id, suspended: true }, [
      `Account ${id} is suspended: nothing of it is sent any more, and its keys are refused within seconds.`
    ])
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Stop all sends of an account, and refuse its keys"))

export const resume = Command.make("resume", { id: accountArgument }, ({ id }) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    yield* accounts.resume(id)
    yield* print({ account_id: id, suspended: false }, [`Account ${id} may send again.`])
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Let a suspended account act again"))

const kinds = ["senders", "callers", "usernames"] as const

const listFlag = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(`${description}, separated by commas`), Flag.optional)

export const allow = Command.make(
  "allow",
  {
    id: accountArgument,
    senders: listFlag("senders", "The only senders of its live SMS"),
    callers: listFlag("callers", "The only callers of its live calls: numbers, and ranges such as +4930…00-+4930…99"),
    usernames: listFlag("usernames", "The only usernames of its live chat-gateway codes"),
    clear: listFlag("clear", `Lists to take away, so that any may be used again: ${kinds.join(", ")}`)
  },
  ({ clear, id, ...flags }) =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const cleared = Option.isSome(clear) ? yield* kindsOf(separated(clear.value)) : []
      const lists: { -readonly [K in keyof Originators]?: Originators[K] } = {}
      for (const kind of kinds) {
        const list = flags[kind]
        if (cleared.includes(kind)) {
          if (Option.isSome(list)) return yield* mistake(`--${kind} and --clear ${kind} exclude each other.`)
          lists[kind] = null
        } else if (Option.isSome(list)) {
          lists[kind] = separated(list.value)
        }
      }
      if (Object.keys(lists).length === 0) {
        return yield* mistake("Nothing would change: give --senders, --callers, --usernames or --clear.")
      }
      const { originators } = yield* accounts.allow(id, lists)
      yield* print({ account_id: id, ...originators }, [
        `Running servers bind account ${id} within seconds:`,
        ...kinds.map((kind) => `${kind.padEnd(10)} ${originators[kind]?.join(", ") ?? "any"}`)
      ])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Bound the senders, callers and usernames of an account's live sends"))

const isKind = (name: string): name is (typeof kinds)[number] => kinds.some((kind) => kind === name)

const kindsOf = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const known = names.filter(isKind)
  if (known.length === names.length && names.length > 0) return known
  return yield* mistake(`--clear must be some of ${kinds.join(", ")}, separated by commas.`)
})
