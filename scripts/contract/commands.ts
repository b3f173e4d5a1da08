/**
 * The table of the operator's commands, in Markdown: each command's usage as shown in its own help.
 */
import type { FlagDoc } from "effect/cli/HelpDoc"
import { type Help, below } from "../../packages/standalone/src/cli/help.ts"

const commands = await below()

export const commandsTable = (): string => ["| command | |", "|---|---|", ...commands.map(rowOf)].join("\n")

const rowOf = ({ help: { args = [], description, flags }, words }: Help): string => {
  const places = args.map(({ name, required, type, variadic }) =>
    variadic ? `[-- ${name.toUpperCase()}…]` : bracketed(type === "string" ? name.toUpperCase() : type, required)
  )
  const usage = [...words, ...places, ...flags.map((flag) => bracketed(flagOf(flag), flag.required))]
  // Arguments after -- come last.
  const line = usage.toSorted((a, b) => Number(a.startsWith("[-- ")) - Number(b.startsWith("[-- "))).join(" ")
  return `| \`${escaped(line)}\` | ${escaped(description)} |`
}

const escaped = (text: string): string => text.replaceAll("|", "\\|")

const flagOf = ({ name, type }: FlagDoc): string => {
  if (type === "boolean") return `--${name}`
  return `--${name} ${type === "string" ? name.toUpperCase() : type === "integer" ? "N" : type}`
}

const bracketed = (text: string, isRequired: boolean): string => (isRequired ? text : `[${text}]`)
