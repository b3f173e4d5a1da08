/**
 * Runs examples, by their paths, one after the other in this process, and prints what each has logged or failed with.
 * None may serve: the process has to end by itself.
 */
import { pathToFileURL } from "node:url"
import { format } from "node:util"

const answers: Record<string, string> = {}

for (const path of process.argv.slice(2)) {
  const lines: Array<string> = []
  const { log } = console
  console.log = (...args) => void lines.push(format(...args))
  try {
    await import(pathToFileURL(path).href)
  } catch (error) {
    lines.push(String(error))
  }
  console.log = log
  answers[path] = lines.join("\n")
}
console.log(JSON.stringify(answers))
