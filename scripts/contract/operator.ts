/**
 * Functions for programs that run operators' commands, `service.operator`: each has its description as its comment.
 */
import { readdirSync } from "node:fs"
import type { AnyCommand } from "../../packages/operator/src/command/Command.ts"
import { type Needs, commands, groups } from "../../packages/operator/src/commands/index.ts"
import { type DatabaseCommand, databaseCommands } from "../../packages/operator/src/commands/DatabaseCommands.ts"
import { inProgram } from "../../packages/operator/src/command/Faces.ts"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import type { Face } from "../../packages/operator/src/command/Wire.ts"
import { commentOf } from "./types.ts"

const folder = new URL("../../packages/operator/src/commands/", import.meta.url)

/** The location of a command: its module and its name in the module. */
interface Place {
  readonly module: string
  readonly name: string
}

const placed = new Map<unknown, Place>()
for (const file of readdirSync(folder).toSorted()) {
  const module = file.replace(".ts", "")
  const found: unknown = await import(new URL(file, folder).href)
  for (const [name, value] of Object.entries(found ?? {})) placed.set(value, { module, name })
}

const placeOf = (command: Pick<AnyCommand<Needs>, "name">): Place => {
  const place = placed.get(command)
  if (place === undefined) throw new Error(`no module exports the command ${command.name.join(" ")}`)
  return place
}

/** A command, a group of commands, or both, with its words. */
interface Node {
  readonly words: ReadonlyArray<string>
  readonly command: AnyCommand<Needs> | undefined
  readonly below: ReadonlyArray<Node>
}

const nodesOf = (words: ReadonlyArray<string>): ReadonlyArray<Node> => {
  const under = commands.filter(
    ({ name }) => name.length > words.length && words.every((word, place) => name[place] === word)
  )
  return [...new Set(under.map(({ name }) => name[words.length] ?? ""))].map((word) => {
    const own = [...words, word]
    const name = own.join(" ")
    return { words: own, command: under.find((each) => each.name.join(" ") === name), below: nodesOf(own) }
  })
}

/** A command's last word as a name in programs: `testNumber`. */
const nameOf = ({ words }: Node): string => inProgram(words.at(-1) ?? "")

const commentOn = ({ command, words }: Node): string => {
  const description = command?.description ?? groups[words.join(" ")]
  if (description === undefined) throw new Error(`no description of ${words.join(" ")}`)
  return commentOf(sentenceOf(description))
}

const typeOf = ({ below, command }: Node): string => {
  const own = command === undefined ? [] : [signatureOf(command)]
  const inner = below.length === 0 ? [] : [`{\n${below.map(memberOf).join("")}}`]
  return own.length + inner.length === 1 ? [...own, ...inner].join("") : `(${own.join("")}) & ${inner.join("")}`
}

const signatureOf = (command: AnyCommand<Needs>): string => {
  const { module, name } = placeOf(command)
  const type = `typeof ${module}.${name}`
  const fields = command.fields.map((face) => {
    const { isOptional, name } = face
    const plain = plainOf(typeOfField(command, name))
    const said = sentenceOf(describedFor(plain, face))
    const value = plain ?? `Field<${type}, "${name}">`
    return `${commentOf(said)}readonly ${face.json}${isOptional ? "?" : ""}: ${value}${isOptional ? " | undefined" : ""}\n`
  })
  const isOptional = command.fields.every((field) => field.isOptional)
  const input = fields.length === 0 ? "Readonly<Record<string, never>>" : `{\n${fields.join("")}}`
  return `(input${isOptional ? "?" : ""}: ${input}) => Promise<Output<${type}>>`
}

const typeOfField = ({ input }: AnyCommand<Needs>, field: string): SchemaAST.AST | undefined => {
  const { ast } = Schema.toType(input)
  const own = ast._tag === "Objects" ? ast.propertySignatures : []
  return own.find(({ name }) => name === field)?.type
}

/** A type that an editor shows without further look-up; undefined for an object, which keeps its schema's type. */
const plainOf = (ast: SchemaAST.AST | undefined): string | undefined => {
  switch (ast?._tag) {
    case "String":
    case "Number":
    case "Boolean":
    case "Null":
      return ast._tag.toLowerCase()
    case "Literal":
      return JSON.stringify(ast.literal)
    case "Union": {
      const members = ast.types.map(plainOf)
      return members.includes(undefined) ? undefined : members.join(" | ")
    }
    case "Arrays": {
      const item = ast.elements.length === 0 && ast.rest.length === 1 ? plainOf(ast.rest[0]) : undefined
      return item === undefined ? undefined : `ReadonlyArray<${item}>`
    }
    case "Declaration":
      // In programs, times have their JSON form.
      return ast.run === Schema.Date.ast.run ? "string" : undefined
    default:
      return undefined
  }
}

/** A field's description, adapted to the values that programs pass, instead of the texts that people type. */
const describedFor = (type: string | undefined, { description, kind }: Face): string => {
  if (type === "number" && kind === "text") return inSeconds(description)
  if (type === undefined)
    return description
      .replace(/^A JSON file with /, "")
      .replace(/; - for standard input.*|, such as \w+:.*/, "")
      .replace(/^./, (letter) => letter.toUpperCase())
  return description.replace(/, separated by commas/, "").replace("; - for none", "; null for none")
}

const inSeconds = (description: string): string =>
  description.replace(/:[^;]*/, "").replace(/;|$/, (end) => `, in seconds${end}`)

const sentenceOf = (text: string): string => (text.endsWith(".") ? text : `${text}.`)

const memberOf = (node: Node): string => `${commentOn(node)}readonly ${nameOf(node)}: ${typeOf(node)}\n`

const valueOf = ({ below, command }: Node): string => {
  const own = command === undefined ? [] : [callOf(placeOf(command))]
  const inner = below.length === 0 ? [] : [objectOf(below)]
  return own.length + inner.length === 1
    ? [...own, ...inner].join("")
    : `Object.assign(${[...own, ...inner].join(", ")})`
}

const callOf = ({ module, name }: Place): string => `call((all) => all.${module}.${name})`

const objectOf = (nodes: ReadonlyArray<Node>): string => `{\n${nodes.map(entryOf).join(",\n")}\n}`

const entryOf = (node: Node): string => `${nameOf(node)}: ${valueOf(node)}`

const refusingOf = (command: DatabaseCommand): string => {
  const { module, name } = placeOf(command)
  return `${name}: refuse((all) => all.${module}.${name})`
}

/** A command that exists only on the command line. */
const refusalOf = ({ absent, description, name: [name] }: DatabaseCommand): string =>
  commentOf(`${description}: \`watchword ${name}\`. It is not available here, because ${absent.program}.`) +
  `readonly ${name}: () => Promise<never>\n`

export const operatorCalls = (): string => {
  const nodes = nodesOf([])
  const modules = [...new Set(commands.map((command) => placeOf(command).module))].toSorted()
  return `/**
 * The commands of operators for programs: \`service.operator\`. Each function has its command's words, takes its input
 * as one object, and is in the operators' log where it changes something. Written by scripts/contract.ts.
 */
${modules.map((module) => `import type * as ${module} from "./commands/${module}.ts"\n`).join("")}import { type Field, type Output, type Run, caller, refuser } from "./program/Call.ts"

export type { Run } from "./program/Call.ts"

export interface Operator {
/**
 * The same commands under another name in the operators' log: \`service.operator.as("anna").guard.block({ … })\`.
 * Without it the log names \`program\`.
 */
readonly as: (who: string) => Operator
${nodes.map(memberOf).join("")}${databaseCommands.map(refusalOf).join("")}}

/**
 * The commands as functions.
 *
 * @param run runs an effect with the services of a running Watchword
 * @param who whom the operators' log names
 */
export const operatorOf = (run: Run, who = "program"): Operator => {
const call = caller(run, who)
const refuse = refuser(run)
return {
as: (name) => operatorOf(run, name),
${[...nodes.map(entryOf), ...databaseCommands.map(refusingOf)].join(",\n")}
}
}
`
}
