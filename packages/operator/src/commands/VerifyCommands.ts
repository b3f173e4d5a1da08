/**
 * The operator's commands on verifications: defaults, workflows and test numbers.
 */
import { field, optional } from "@watchword/schemas/Field"
import { Step } from "@watchword/schemas/Verification"
import * as Command from "../command/Command.ts"
import { numberInput, numberOf } from "../command/NumberInput.ts"
import { type Owner, exists } from "@watchword/store/Settings"
import { Time, account, accountOf, as, ofOwner, owner, ownerOf, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Defaults } from "@watchword/verify/operator"
import { OwnTexts } from "@watchword/verify/operator"
import { TestNumbers } from "@watchword/verify/operator"
import { Workflows } from "@watchword/verify/operator"
import { StepsInLine, written } from "./StepsInLine.ts"

const names = ["brand", "locale", "workflow"] as const

const text = (example: string, description: string) =>
  as({ example }, optional(Schema.NullOr(Schema.String), description))

const orNull = Schema.NullOr(Schema.String)

/** The defaults of an output. */
export const defaultFields = { brand: orNull, locale: orNull, workflow: orNull }

export const verify = Command.make({
  name: ["account", "verify"],
  description: "Set or show the verification defaults of an account or of all accounts",
  role: "operator",
  input: wire({
    account: owner,
    brand: text("NAME", "The name in texts, at most 20 characters"),
    locale: text("de", "The default language of texts, such as de or pt-BR"),
    workflow: text("NAME", "The name of the default workflow")
  }),
  positional: ["account"],
  clear: "Defaults to remove",
  output: wire({ account: ownerOf, ...defaultFields }),
  before: ({ account }) => Defaults.get(account),
  onlyShows: ({ brand, locale, workflow }) => brand === undefined && locale === undefined && workflow === undefined,
  run: ({ account, ...wanted }) =>
    Effect.andThen(
      exists(account),
      Effect.map(Defaults.set(account, wanted), (defaults) => ({ account, ...defaults }))
    ),
  lines: ({ account, ...defaults }) => [
    `Verifications ${ofOwner(account)}, within seconds:`,
    ...names.map((name) => `${name.padEnd(10)} ${defaults[name] ?? "not set"}`)
  ]
})

const Texts = Schema.Literals(["own", "templates"])

export const texts = Command.make({
  name: ["account", "texts"],
  description: "Allow an account's clients to give texts of their own, or show whether they may",
  role: "admin",
  input: wire({
    account,
    texts: as({ example: "own" }, optional(Texts, "own for texts of its clients, templates for templates only"))
  }),
  positional: ["account", "texts"],
  output: wire({ account: accountOf, texts: Texts }),
  before: ({ account }) => OwnTexts.get(account),
  onlyShows: ({ texts }) => texts === undefined,
  run: Effect.fnUntraced(function* ({ account, texts }) {
    yield* exists(account)
    if (texts !== undefined) yield* OwnTexts.set(account, texts)
    return { account, texts: yield* OwnTexts.get(account) }
  }),
  lines: ({ account, texts }) => [
    texts === "own"
      ? `Clients of account ${account} may give texts of their own, with {{code}} in them, within seconds.`
      : `Verifications of account ${account} have the texts of templates.`
  ]
})

const workflow = field(Schema.String, "The name that clients use, such as cheap")

const stepsBefore = (owner: Owner, name: string) =>
  Effect.map(Workflows.list(owner), (all) => {
    const steps = all.get(name)
    return steps === undefined ? null : { steps: written(steps) }
  })

export const setWorkflow = Command.make({
  name: ["account", "workflow", "set"],
  description: "Set a workflow's steps",
  role: "operator",
  input: wire({
    account: owner,
    name: workflow,
    steps: as(
      { example: "sms:30,call:60" },
      field(
        StepsInLine,
        "Channels, each with the seconds until the next one, such as chatgw:30,sms:60,call:60, or receive/sms+call:300 where the user acts first"
      )
    )
  }),
  positional: ["account", "name", "steps"],
  output: wire({ account: ownerOf, name: Schema.String, steps: Schema.Array(Step) }),
  before: ({ account, name }) => stepsBefore(account, name),
  run: ({ account, name, steps }) => Effect.as(Workflows.set(account, name, steps), { account, name, steps }),
  lines: ({ account, name, steps }) => [
    `Verifications ${ofOwner(account)} with the workflow ${name} take these steps: ${written(steps)}.`
  ]
})

export const listWorkflows = Command.make({
  name: ["account", "workflow", "list"],
  description: "List the workflows of an account or of all accounts",
  role: "support",
  input: wire({ account: owner }),
  positional: ["account"],
  output: wire({
    account: ownerOf,
    workflows: Schema.Array(Schema.Struct({ name: Schema.String, steps: Schema.Array(Step) }))
  }),
  run: Effect.fnUntraced(function* ({ account }) {
    yield* exists(account)
    const all = yield* Workflows.list(account)
    return { account, workflows: [...all].map(([name, steps]) => ({ name, steps })) }
  }),
  lines: ({ workflows }) => workflows.map(({ name, steps }) => `${name.padEnd(20)} ${written(steps)}`)
})

export const removeWorkflow = Command.make({
  name: ["account", "workflow", "remove"],
  description: "Remove a workflow; pending verifications keep its steps",
  role: "operator",
  input: wire({ account: owner, name: workflow }),
  positional: ["account", "name"],
  output: wire({ account: ownerOf, name: Schema.String, removed: Schema.Boolean }),
  before: ({ account, name }) => stepsBefore(account, name),
  run: ({ account, name }) => Effect.as(Workflows.remove(account, name), { account, name, removed: true }),
  lines: ({ account, name }) => [`Verifications ${ofOwner(account)} cannot name ${name} any more.`]
})

const testNumber = { number: Schema.String, code: Schema.String, until: Time }

export const addTestNumber = Command.make({
  name: ["account", "test-number", "add"],
  description: "Add a test number, to which nothing is sent, or change its code and expiry",
  // A test number is approved without a text: of a user's number that is the user's account.
  role: "admin",
  hidden: ["code"],
  input: wire({
    account,
    ...numberInput,
    code: as({ example: "424242" }, field(Schema.String, "The valid code, 6 to 8 digits")),
    until: as({ example: "ISO" }, field(Time, "When it expires, ISO 8601, at most 90 days from now")),
    anyway: optional(Schema.Boolean, "Add it even if the account has sent to the number in the last 90 days")
  }),
  positional: ["account"],
  output: wire({ account: accountOf, ...testNumber }),
  run: Effect.fnUntraced(function* ({ account, anyway = false, code, until, ...given }) {
    const number = yield* numberOf(given)
    return { account, ...(yield* TestNumbers.add(account, { number, code, until }, anyway)) }
  }),
  lines: ({ code, number, until }) => [
    `Verifications of ${number} send nothing and cost nothing until ${until.toISOString()}; the code is ${code}.`
  ]
})

export const listTestNumbers = Command.make({
  name: ["account", "test-number", "list"],
  description: "List an account's test numbers",
  role: "operator",
  isLogged: false,
  input: wire({ account }),
  positional: ["account"],
  output: wire({
    account: accountOf,
    testNumbers: Schema.Array(Schema.Struct({ ...testNumber, ended: Schema.Boolean, locked: Schema.Boolean }))
  }),
  run: ({ account }) =>
    Effect.andThen(
      exists(account),
      Effect.map(TestNumbers.list(account), (testNumbers) => ({ account, testNumbers }))
    ),
  lines: ({ testNumbers }) =>
    testNumbers.map(({ code, ended, locked, number, until }) =>
      [
        number.padEnd(16),
        code.padEnd(8),
        ended ? "ended" : "until",
        until.toISOString(),
        ...(locked ? ["locked: too many wrong codes; add it again"] : [])
      ].join("  ")
    )
})

export const removeTestNumber = Command.make({
  name: ["account", "test-number", "remove"],
  description: "Remove a test number",
  role: "operator",
  input: wire({ account, ...numberInput }),
  positional: ["account"],
  output: wire({ account: accountOf, number: Schema.String, removed: Schema.Boolean }),
  run: Effect.fnUntraced(function* ({ account, ...given }) {
    const number = yield* numberOf(given)
    yield* TestNumbers.remove(account, number)
    return { account, number, removed: true }
  }),
  lines: ({ number }) => [`${number} is an ordinary number again.`]
})
