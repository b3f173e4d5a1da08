/**
 * The table that a run prints, in Markdown.
 */
import type { Mutant } from "./mutants.ts"

export type Command = "test" | "test:rest"
/** The command that catches a mutant. */
export type Verdict = Command | "nothing"

export const described = ({ file, line, operator, original, replacement }: Mutant): string =>
  `\`${file}:${line}\` ${operator}: \`${shown(original)}\` → \`${shown(replacement)}\``

const shown = (code: string): string => {
  const line = code.replaceAll(/\s+/g, " ")
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

/** How many of each folder's mutants the commands have caught. */
export const tableOf = (folders: ReadonlyArray<string>, judged: ReadonlyArray<readonly [Mutant, Verdict]>): string => {
  const row = (name: string, within: typeof judged): string => {
    const first = within.filter(([, verdict]) => verdict === "test").length
    const both = within.filter(([, verdict]) => verdict !== "nothing").length
    return `| ${name} | ${first} / ${within.length} | ${both} / ${within.length} |`
  }
  return [
    "| folder | `npm test` | and `npm run test:rest` |",
    "|---|---:|---:|",
    ...folders.map((folder) =>
      row(
        `\`${folder}\``,
        judged.filter(([mutant]) => mutant.folder === folder)
      )
    ),
    row("all", judged),
    ""
  ].join("\n")
}
