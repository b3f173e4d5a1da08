/**
 * Loads the `use.ts` of projects, whose folders are the arguments, and prints the result or the error of each. One
 * process loads them all: a project's packages depend only on its folder, and files that several find are read once.
 */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"

const load = async (project: string): Promise<unknown> => {
  try {
    return (await import(pathToFileURL(resolve(project, "use.ts")).href)).sizes
  } catch (error) {
    return String(error)
  }
}

const answers: Record<string, unknown> = {}
for (const project of process.argv.slice(2)) answers[project] = await load(project)
console.log(JSON.stringify(answers))
