/**
 * Operators' commands on the command line: arguments and flags from the fields of their inputs, answers on the
 * terminal.
 */
import { readFileSync } from "node:fs"
import { userInfo } from "node:os"
import { BelowCost, ConsoleUrl } from "@watchword/operator/Installation"
import { UsualRules, ofInstallation } from "@watchword/guards/Guards"
import type { AnyCommand } from "@watchword/operator/command"
import { recorded } from "@watchword/operator/command"
import type { Face } from "@watchword/operator/command"
import { type Needs, commands, groups } from "@watchword/operator/commands"
import { StartSettings } from "@watchword/operator/Installation"
import { PriceLists } from "@watchword/operator/Installation"
import type * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Param from "effect/cli/Param"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Alarming from "../Alarming.ts"
import * as Database from "../Database.ts"
import { losses } from "../Losses.ts"
import { own, readers } from "../Rehearsing.ts"
import { shownIn } from "../settings/All.ts"
import * as ServerSettings from "../settings/ServerSettings.ts"
import * as Settings from "../settings/Settings.ts"
import { askAll } from "./cells/everywhere.ts"
import { type Printed, ask } from "./remote.ts"
import { hasBrowser, openBrowser } from "./browser.ts"
import { explainedBy, mistake, nameOf, print, root, separated } from "./root.ts"
import * as Terminal from "./terminal.ts"
import { Place } from "./where.ts"

type Folded = Command.Command<string, never, object, CliError.UserError, Command.CommandContext<"watchword">>

/** The commands whose names begin with these words: each is named by its next word, or in a group of that name. */
export const under = (words: ReadonlyArray<string> = []): ReadonlyArray<Folded> => {
  const all = commands.filter(({ name }) => name.length > words.length && isUnder(name, words))
  return [...new Set(all.map(({ name }) => name[words.length] ?? ""))].map((word) => {
    const name = [...words, word]
    const command = all.find((each) => each.name.length === name.length && each.name.at(-1) === word)
    const below = all.some((each) => each.name.length > name.length && isUnder(each.name, name))
    if (command !== undefined) return below ? Command.withSubcommands(folded(command), under(name)) : folded(command)
    return Command.make(word).pipe(
      Command.withDescription(groups[name.join(" ")] ?? ""),
      Command.withSubcommands(under(name))
    )
  })
}

const isUnder = (name: ReadonlyArray<string>, words: ReadonlyArray<string>): boolean =>
  words.every((word, place) => name[place] === word)

/** The rules of GUARDS, as a server has them that is started with this environment. */
const usualRules = Layer.effect(
  UsualRules,
  Effect.map(
    Effect.suspend(() => Effect.fromResult(Settings.parts.guards(process.env))),
    Option.match({ onNone: UsualRules.defaultValue, onSome: ofInstallation })
  )
)

/** The carriers of CARRIERS with their costs. */
const priceLists = Layer.effect(
  PriceLists,
  Effect.map(
    Effect.suspend(() => Effect.fromResult(Settings.parts.carriers(process.env))),
    (read) =>
      new Map(
        Option.match(read, {
          onNone: () => [],
          onSome: ({ carriers }) => carriers.map(({ costs, name }) => [name, costs] as const)
        })
      )
  )
)

/** The prices of PRICES that are below the costs of CARRIERS. What cannot be read is no problem of a running server. */
const belowCost = Layer.succeed(
  BelowCost,
  Effect.sync(() => {
    const { carriers, prices } = Settings.parts
    const none = () => Option.none()
    return losses({
      carriers: Result.getOrElse(carriers(process.env), none),
      prices: Result.getOrElse(prices(process.env), none)
    })
  })
)

const consoleUrl = Layer.effect(
  ConsoleUrl,
  Effect.suspend(() => Effect.fromResult(ServerSettings.consoleUrl(process.env)))
)

const startSettings = Layer.effect(
  StartSettings,
  Effect.sync(() => shownIn(process.env))
)

/** The services of commands that need others than most. The first account makes the tables of an empty database. */
const layers = new Map([
  ["account create", Database.creatingLayer],
  ["alarm test", Layer.provideMerge(Alarming.layer, Database.layer)],
  ["carrier try", Layer.mergeAll(Database.layer, priceLists, own(process.env), readers, Terminal.layer)],
  ["console open", Layer.merge(Database.layer, consoleUrl)],
  ["guard look", Layer.merge(Database.layer, usualRules)],
  ["guard show", Layer.merge(Database.layer, usualRules)],
  ["invoice", Layer.merge(Database.layer, priceLists)],
  ["overview", Layer.merge(Database.layer, belowCost)],
  ["settings", Layer.merge(Database.layer, startSettings)]
])

const folded = (command: AnyCommand<Needs>): Folded => {
  const { clear, description, fields, name } = command
  const params = Object.fromEntries(fields.map((field) => [field.json, paramOf(field)]))
  const clearable = clear === null ? [] : fields.filter(({ isNullable, isOptional }) => isNullable && isOptional)
  const opens = name.join(" ") === "console open"
  return Command.make(
    name.at(-1) ?? "",
    {
      ...params,
      ...(clear === null ? {} : { clear: clearFlag(clear, clearable) }),
      ...(opens ? { print: printFlag } : {})
    },
    (given) =>
      Effect.gen(function* () {
        const cleared = clear === null ? {} : yield* clearedOf(clearable, given)
        const usual = opens ? { name: user() } : {}
        const input = { ...usual, ...(yield* inputOf(fields, given)), ...cleared }
        const { isDone, json, lines } = yield* run(command, input)
        yield* print(json, lines)
        if (opens && isDone && !isTrue(given["print"])) yield* openLink(json)
        if (!isDone) yield* Effect.sync(() => void (process.exitCode = 1))
      }).pipe(explainedBy(fields))
  ).pipe(Command.withDescription(description))
}

const printFlag = Flag.Boolean("print").pipe(
  Flag.withDescription("Only print the link, without opening a browser"),
  Flag.optional
)

const isTrue = (flag: Option.Option<unknown> = Option.none()): boolean => Option.getOrUndefined(flag) === true

/** Opens a link with an address in the browser of the person at the terminal. */
const openLink = (answer: unknown) =>
  Effect.map(root, ({ json }) => {
    const link: unknown = typeof answer === "object" && answer !== null ? Reflect.get(answer, "link") : undefined
    if (json || typeof link !== "string" || !link.startsWith("http")) return
    if (hasBrowser(process.env, process.stdout.isTTY)) openBrowser(link)
  })

const run = (command: AnyCommand<Needs>, input: unknown) =>
  Effect.gen(function* () {
    const where = yield* Place
    if (where === "here") return yield* here(command, input)
    return yield* "url" in where ? ask(where, command, input) : askAll(where, command, input)
  })

/** Runs a command on the database of the settings. */
const here = (command: AnyCommand<Needs>, input: unknown) =>
  Effect.gen(function* () {
    const { isDone, json, lines } = yield* recorded(
      command,
      { who: user(), identity: `command ${user()}`, by: "command" },
      input
    )
    const printed: Printed = { json, lines: yield* lines, isDone }
    return printed
  }).pipe(Effect.provide(layers.get(command.name.join(" ")) ?? Database.layer))

/** The user of the machine, as the operators' log has it; a container may have only a number. */
const user = (): string => {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`
  }
}

type Given = Readonly<Record<string, Option.Option<unknown>>>

const paramOf = (field: Face): Param.Param<Param.ParamKind, Option.Option<unknown>> => {
  const param = Param.withDescription(typedParam(field), field.description)
  return field.isOptional ? Param.optional(param) : Param.map(param, Option.some)
}

const typedParam = (field: Face): Param.Param<Param.ParamKind, unknown> => {
  const { example, expected = "", isPositional, kind, read, words } = field
  const place = isPositional ? Param.argumentKind : Param.flagKind
  const name = words === undefined ? nameOf(field) : "file"
  if (kind === "flag") return Param.Boolean(place, name)
  if (kind === "integer") return Param.Int(place, name)
  const text = Param.String(place, name)
  const shown = example === undefined ? text : Param.withMetavar(text, example)
  if (kind === "list") return Param.map(shown, separated)
  return read === undefined ? shown : Param.mapTryCatch(shown, read, () => expected)
}

/** The input as JSON has it. */
const inputOf = Effect.fnUntraced(function* (fields: ReadonlyArray<Face>, given: Given) {
  const input: Record<string, unknown> = {}
  for (const { isFile = false, json, words } of fields) {
    const value = Option.getOrUndefined(given[json] ?? Option.none())
    if (value === undefined) continue
    if (isFile) {
      input[json] = yield* readText(String(value))
      continue
    }
    input[json] = words === undefined || words.some((word) => word === value) ? value : yield* readJson(String(value))
  }
  return input
})

const readText = (file: string) =>
  Effect.try({
    try: () => readFileSync(file === "-" ? 0 : file, "utf8"),
    catch: () => mistake(`The file ${file} cannot be read.`)
  })

const readJson = (file: string) =>
  Effect.flatMap(readText(file), (text) =>
    Effect.try({ try: (): unknown => JSON.parse(text), catch: () => mistake(`The file ${file} is not JSON.`) })
  )

const clearFlag = (description: string, fields: ReadonlyArray<Face>) =>
  Flag.String("clear").pipe(
    Flag.withDescription(`${description}, separated by commas: ${fields.map(nameOf).join(", ")}`),
    Flag.withMetavar(`${fields.map(nameOf)[0]},…`),
    Flag.optional
  )

/** The fields to take away, which are null. */
const clearedOf = Effect.fnUntraced(function* (fields: ReadonlyArray<Face>, given: Given) {
  const names = Option.match(given["clear"] ?? Option.none(), {
    onNone: () => null,
    onSome: (list) => separated(String(list))
  })
  const found = fields.filter((field) => names?.includes(nameOf(field)))
  if (names !== null && (names.length === 0 || found.length < new Set(names).size)) {
    return yield* mistake(`--clear must be one or more of ${fields.map(nameOf).join(", ")}, separated by commas.`)
  }
  for (const field of found) {
    if (Option.isSome(given[field.json] ?? Option.none())) {
      return yield* mistake(`--${nameOf(field)} and --clear ${nameOf(field)} exclude each other.`)
    }
  }
  return Object.fromEntries(found.map(({ json }) => [json, null]))
})
