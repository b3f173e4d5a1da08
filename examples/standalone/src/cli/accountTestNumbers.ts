/**
 * The commands on the test numbers of accounts.
 */
import { Accounts } from "@watchword/ledger/Accounts"
import type { TestNumber } from "@watchword/verify/internal/operator/TestNumbers"
import * as TestNumbers from "@watchword/verify/internal/operator/TestNumbers"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Database from "../Database.ts"
import { accountArgument, explained, print, timeOf } from "./root.ts"

const numberFlag = Flag.String("number").pipe(Flag.withDescription("The exact number, E.164"))

const add = Command.make(
  "add",
  {
    id: accountArgument,
    number: numberFlag,
    code: Flag.String("code").pipe(Flag.withDescription("The code that is right, 4 to 8 digits")),
    until: Flag.String("until").pipe(Flag.withDescription("When it ends, ISO 8601, at most 90 days from now"))
  },
  ({ code, id, number, until }) =>
    Effect.gen(function* () {
      const end = new Date(yield* timeOf("--until", until))
      const added = yield* TestNumbers.add(id, { number, code, until: end })
      yield* print({ account_id: id, ...described(added) }, [
        `Verifications of ${number} send nothing and cost nothing until ${added.until.toISOString()}; ${code} is right.`
      ])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Add a number that nothing is sent to, or change its code and its end"))

const list = Command.make("list", { id: accountArgument }, ({ id }) =>
  Effect.gen(function* () {
    yield* Accounts.use((accounts) => accounts.get(id))
    const all = yield* TestNumbers.list(id)
    yield* print(
      { account_id: id, test_numbers: all.map((each) => ({ ...described(each), ended: each.ended })) },
      all.map(({ code, ended, number, until }) =>
        [number.padEnd(16), code.padEnd(8), ended ? "ended" : "until", until.toISOString()].join("  ")
      )
    )
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("List an account's test numbers"))

const remove = Command.make("remove", { id: accountArgument, number: numberFlag }, ({ id, number }) =>
  Effect.gen(function* () {
    yield* TestNumbers.remove(id, number)
    yield* print({ account_id: id, number, removed: true }, [`${number} is a number like others.`])
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("End a test number"))

/** `watchword account test-number …` */
export const testNumber = Command.make("test-number").pipe(
  Command.withDescription(
    "At most ten exact numbers with a fixed code, for reviewers of app stores and tests of live systems"
  ),
  Command.withSubcommands([add, list, remove])
)

const described = ({ code, number, until }: TestNumber) => ({ number, code, until: until.toISOString() })
