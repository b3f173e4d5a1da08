/**
 * Loads the `use.ts` of projects, whose folders are the arguments, and prints what each says or fails with. One
 * process loads all: what a project finds depends on where it is, and what several find is read once.
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
