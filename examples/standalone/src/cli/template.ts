/**
 * The commands on the texts of verifications.
 */
import { Accounts } from "@watchword/ledger/Accounts"
import { AccountId } from "@watchword/schemas/Ids"
import * as Templates from "@watchword/verify/internal/operator/Templates"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Database from "../Database.ts"
import { explainedWith, ofOwner, print } from "./root.ts"

const nameArgument = Argument.String("name").pipe(
  Argument.withDescription("The name that clients use; default is the one of clients that name none")
)

const localeFlag = Flag.String("locale").pipe(Flag.withDescription("The language of the text, such as de or pt-BR"))

const accountFlag = Flag.String("account").pipe(
  Flag.withDescription("The account's id, acc_…; all accounts unless given"),
  Flag.withSchema(AccountId),
  Flag.optional
)

const set = Command.make(
  "set",
  {
    name: nameArgument,
    locale: localeFlag,
    text: Argument.String("text").pipe(
      Argument.withDescription(
        "The text, with {{code}}, and {{brand}}, {{minutes}} or variables of clients where wanted"
      )
    ),
    account: accountFlag
  },
  ({ account, locale, name, text }) =>
    Effect.gen(function* () {
      const owner = Option.getOrNull(account)
      const made = yield* Templates.set(owner, { name, locale, text })
      yield* print({ account_id: owner, ...made }, [`Verifications ${ofOwner(owner)} use this text within seconds.`])
    }).pipe(Effect.provide(Database.layer), explainedWith(["name", "text"]))
).pipe(Command.withDescription("Set a text of verifications in one language"))

const list = Command.make("list", { account: accountFlag }, ({ account }) =>
  Effect.gen(function* () {
    const owner = Option.getOrNull(account)
    if (owner !== null) yield* Accounts.use((accounts) => accounts.get(owner))
    const all = yield* Templates.list(owner)
    yield* print(
      { account_id: owner, templates: all },
      all.map(({ locale, name, text }) => [name.padEnd(16), locale.padEnd(8), text].join("  "))
    )
  }).pipe(Effect.provide(Database.layer), explainedWith([]))
).pipe(Command.withDescription("List the texts that were set, of an account or for all of them"))

const remove = Command.make(
  "remove",
  { name: nameArgument, locale: localeFlag, account: accountFlag },
  ({ account, locale, name }) =>
    Effect.gen(function* () {
      const owner = Option.getOrNull(account)
      yield* Templates.remove(owner, { name, locale })
      yield* print({ account_id: owner, name, locale, removed: true }, [
        `Verifications ${ofOwner(owner)} do without the text ${name} in ${locale} within seconds.`
      ])
    }).pipe(Effect.provide(Database.layer), explainedWith(["name"]))
).pipe(Command.withDescription("Take a text of verifications away"))

const show = Command.make(
  "show",
  { name: nameArgument, locale: localeFlag, account: accountFlag },
  ({ account, locale, name }) =>
    Effect.gen(function* () {
      const owner = Option.getOrNull(account)
      const { encoding, example, source, template } = yield* Templates.preview(owner, { name, locale })
      const { length } = example
      yield* print({ account_id: owner, ...template, source, example, characters: length, encoding }, [
        example,
        `${length} characters, ${encoding === "gsm7" ? "GSM 7-bit" : "UCS-2"}; the ${source} template in ${template.locale}`
      ])
    }).pipe(Effect.provide(Database.layer), explainedWith(["name"]))
).pipe(Command.withDescription("Show the text that is sent in a language, with example values"))

/** `watchword template …` */
export const template = Command.make("template").pipe(
  Command.withDescription("Texts of verifications, by name and language"),
  Command.withSubcommands([set, show, list, remove])
)
