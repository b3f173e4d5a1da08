/**
 * The operator's commands on the texts of verifications.
 */
import { field } from "@watchword/schemas/Field"
import * as Command from "../command/Command.ts"
import { type Owner, exists } from "@watchword/store/Settings"
import { as, maybeOwner, ofOwner, ownerOf, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Template } from "@watchword/verify/operator"
import { Templates } from "@watchword/verify/operator"

const named = {
  name: field(Schema.String, "The name that clients use; default applies if a client names no template"),
  locale: as({ example: "de" }, field(Schema.String, "The language of the text, such as de or pt-BR"))
}

const account = maybeOwner("The account's id, acc_…; all accounts by default")

const template = { name: Schema.String, locale: Schema.String, text: Schema.String }

const textBefore = (owner: Owner, named: Pick<Template.Template, "name" | "locale">) =>
  Effect.map(Templates.find(owner, named), (found) => (found === null ? null : { text: found.text }))

export const set = Command.make({
  name: ["template", "set"],
  description: "Set a verification text in one language",
  role: "operator",
  input: wire({
    ...named,
    text: field(Schema.String, "The text, with {{code}}, and optionally {{brand}}, {{minutes}} or clients' variables"),
    account
  }),
  positional: ["name", "text"],
  output: wire({ account: ownerOf, ...template }),
  before: ({ account = null, ...named }) => textBefore(account, named),
  run: ({ account = null, ...wanted }) => Effect.map(Templates.set(account, wanted), (made) => ({ account, ...made })),
  lines: ({ account }) => [`Verifications ${ofOwner(account)} use this text within seconds.`]
})

export const show = Command.make({
  name: ["template", "show"],
  description: "Show the text that is sent in a language, with example values",
  role: "support",
  input: wire({ ...named, account }),
  positional: ["name"],
  output: wire({
    account: ownerOf,
    ...template,
    source: Schema.Literals(["account", "installation", "built-in"]),
    example: Schema.String,
    characters: Schema.Finite,
    encoding: Schema.Literals(["gsm7", "ucs2"])
  }),
  run: ({ account = null, ...named }) =>
    Effect.map(Templates.preview(account, named), ({ encoding, example, source, template }) => ({
      account,
      ...template,
      source,
      example,
      characters: example.length,
      encoding
    })),
  lines: ({ characters, encoding, example, locale, source }) => [
    example,
    `${characters} characters, ${encoding === "gsm7" ? "GSM 7-bit" : "UCS-2"}; the ${source} template in ${locale}`
  ]
})

export const list = Command.make({
  name: ["template", "list"],
  description: "List the texts that were set for an account or for all accounts",
  role: "support",
  input: wire({ account }),
  output: wire({ account: ownerOf, templates: Schema.Array(Schema.Struct(template)) }),
  run: ({ account = null }) =>
    Effect.andThen(
      exists(account),
      Effect.map(Templates.list(account), (templates) => ({ account, templates }))
    ),
  lines: ({ templates }) =>
    templates.map(({ locale, name, text }) => [name.padEnd(16), locale.padEnd(8), text].join("  "))
})

export const remove = Command.make({
  name: ["template", "remove"],
  description: "Remove a verification text",
  role: "operator",
  input: wire({ ...named, account }),
  positional: ["name"],
  output: wire({ account: ownerOf, name: Schema.String, locale: Schema.String, removed: Schema.Boolean }),
  before: ({ account = null, ...named }) => textBefore(account, named),
  run: ({ account = null, ...named }) =>
    Effect.as(Templates.remove(account, named), { account, ...named, removed: true }),
  lines: ({ account, locale, name }) => [
    `Verifications ${ofOwner(account)} stop using the text ${name} in ${locale} within seconds.`
  ]
})
