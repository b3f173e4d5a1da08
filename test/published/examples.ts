/**
 * The examples in the documentation: each TypeScript block in a README, and in a docstring after `@example`.
 *
 * A block marked `ts no_run` needs something that the tests do not have, such as a carrier; it is compiled but not run.
 */
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { type Package, root, sourcesOf } from "./packages.ts"

export interface Example {
  /** The path and line where it comes from. */
  readonly name: string
  readonly code: string
  /** Whether it can be run unchanged. */
  readonly runs: boolean
}

/** The blocks of a package's README. */
export const readmeExamples = ({ folder }: Package): ReadonlyArray<Example> => examplesIn(join(folder, "README.md"))

/** The blocks of a package's docstrings. */
export const docstringExamples = (pkg: Package): ReadonlyArray<Example> =>
  sourcesOf(pkg).flatMap((source) => examplesIn(join(pkg.folder, "src", source), DOCSTRING))

const README = /^```ts(?<mark> no_run)?\n(?<code>[\s\S]*?)^```$/gm
const DOCSTRING = /@example\n \* ```ts(?<mark> no_run)?\n(?<code>(?: \*.*\n)*?) \* ```$/gm

export const examplesIn = (path: string, pattern: RegExp = README): ReadonlyArray<Example> => {
  const text = readFileSync(path, "utf8")
  return [...text.matchAll(pattern)].map(({ groups, index }) => ({
    name: `${relative(root, path)}:${text.slice(0, index).split("\n").length + 1}`,
    code: (groups?.["code"] ?? "").replace(/^ \* ?/gm, pattern === DOCSTRING ? "" : "$&"),
    runs: groups?.["mark"] === undefined
  }))
}

/** The packages that a README says to install, without their versions. */
export const toInstall = ({ folder }: Package): ReadonlyArray<string> => {
  const lines = readFileSync(join(folder, "README.md"), "utf8").matchAll(/^npm install ([^#\n]+)/gm)
  const words = [...lines].flatMap(([, wanted = ""]) => wanted.trim().split(" "))
  return words.filter((word) => !word.startsWith("--")).map((wanted) => wanted.replace(/(?<=.)@.*$/, ""))
}

/** The lines that an example says it logs: the comment after each `console.log`. */
export const promised = ({ code }: Example): ReadonlyArray<string> =>
  [...code.matchAll(/^ *console\.log\(.*\) \/\/ (.+)$/gm)].map(([, line = ""]) => line)
