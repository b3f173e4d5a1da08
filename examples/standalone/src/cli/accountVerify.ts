/**
 * The command on the defaults of verifications, of an account or of all.
 */
import { Accounts } from "@watchword/ledger/Accounts"
import * as Defaults from "@watchword/verify/internal/operator/Defaults"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Database from "../Database.ts"
import { explained, mistake, ofOwner, ownerArgument, print, separated } from "./root.ts"

const names = ["brand", "locale", "workflow"] as const

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

export const verify = Command.make(
  "verify",
  {
    id: ownerArgument,
    brand: text("brand", "The name in texts, at most 20 characters"),
    locale: text("locale", "The language of texts where a client names none, such as de or pt-BR"),
    workflow: text("workflow", "The workflow of clients that name none, by its name"),
    clear: text("clear", `Defaults to take away, separated by commas: ${names.join(", ")}`)
  },
  ({ clear, id, ...flags }) =>
    Effect.gen(function* () {
      const cleared = Option.isSome(clear) ? yield* namesOf(separated(clear.value)) : []
      const wanted: { -readonly [K in keyof Defaults.Defaults]?: Defaults.Defaults[K] } = {}
      for (const name of names) {
        const value = flags[name]
        if (cleared.includes(name)) {
          if (Option.isSome(value)) return yield* mistake(`--${name} and --clear ${name} exclude each other.`)
          wanted[name] = null
        } else if (Option.isSome(value)) {
          wanted[name] = value.value
        }
      }
      if (id !== null) yield* Accounts.use((accounts) => accounts.get(id))
      const defaults = yield* Defaults.set(id, wanted)
      yield* print({ account_id: id, ...described(defaults) }, [
        `Verifications ${ofOwner(id)}, within seconds:`,
        ...names.map((name) => `${name.padEnd(10)} ${defaults[name] ?? "not set"}`)
      ])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Set or show the defaults of verifications, of an account or of all"))

/** The defaults as `account show` has them. */
export const described = ({ brand, locale, workflow }: Defaults.Defaults) => ({ brand, locale, workflow })

const isName = (name: string): name is (typeof names)[number] => names.some((each) => each === name)

const namesOf = Effect.fnUntraced(function* (given: ReadonlyArray<string>) {
  const known = given.filter(isName)
  if (known.length === given.length && given.length > 0) return known
  return yield* mistake(`--clear must be some of ${names.join(", ")}, separated by commas.`)
})
