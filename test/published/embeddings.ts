/**
 * The programs of docs/embedding.md: for each host, the packages to install and the files. The page's first section has
 * the requests.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Project } from "./consumers.ts"
import { packages, root, userOf } from "./packages.ts"

export interface Embedding {
  /** The heading. */
  readonly name: string
  readonly project: Project
}

/** A section's code blocks name their files: three backticks, the language, and `app.mjs`. */
export const embeddings = (): ReadonlyArray<Embedding> =>
  readFileSync(join(root, "docs/embedding.md"), "utf8")
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [name = ""] = section.split("\n", 1)
      const [, install = ""] = /^npm install (?!--save-dev)(.+)$/m.exec(section) ?? []
      const files = [...section.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(
        ([, file = "", code = ""]) => [file, code] as const
      )
      const wanted = install.split(" ").map((each) => each.replace(/(?<=.)@.*$/, ""))
      // The project has a package.json of its own when it is tested, with the packages to install.
      const own = Object.fromEntries(files.filter(([file]) => file !== "package.json"))
      return { name, project: projectOf(name, wanted, own) }
    })

/** The requests that the page sends to port 3000, in order. */
export const requests = (): ReadonlyArray<{ readonly path: string; readonly body: string | null }> =>
  [
    ...readFileSync(join(root, "docs/embedding.md"), "utf8").matchAll(
      /^curl http:\/\/127\.0\.0\.1:3000(\S+)(?:.*-d '(.+)')?$/gm
    )
  ].map(([, path = "", body]) => ({ path, body: body ?? null }))

const projectOf = (name: string, wanted: ReadonlyArray<string>, files: Project["files"]): Project => ({
  path: `embedding/${name.replaceAll(/\W+/g, "-").toLowerCase()}`,
  ours: wanted.filter(isOurs),
  // The native part of the driver cannot be bundled; npm installs it where the bundle finds it.
  others: [...wanted.filter((each) => !isOurs(each)), "@types/node", "better-sqlite3"].flatMap((each) => {
    const user = userOf(each)
    return user === undefined ? [] : [[each, user] as const]
  }),
  files
})

const isOurs = (name: string): boolean => packages.some((pkg) => pkg.name === name)
