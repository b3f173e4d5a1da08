// Runs the example of a name, or lists the names of all.
import { existsSync, globSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const folder = fileURLToPath(new URL("../examples", import.meta.url))
const [name = ""] = process.argv.splice(2, 1)
const main = `${folder}/${basename(name)}/src/main.ts`

if (name !== "" && existsSync(main)) await import(pathToFileURL(main).href)
else {
  const names = globSync("*/src/main.ts", { cwd: folder }).map((path) => path.split("/")[0])
  console.error(`There is no example "${name}". npm run example -- NAME runs one of: ${names.sort().join(", ")}.`)
  process.exitCode = 1
}
