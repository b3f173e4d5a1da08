/**
 * Starts the server from the bundle that is published, or with arguments the operator's command. What V8 compiles is kept
 * beside the bundle, where that folder can be written to.
 */
import { enableCompileCache } from "node:module"
import { join } from "node:path"
import { mapStackTraces } from "./stackTraces.mjs"

const bundle = join(import.meta.dirname, "dist/bundle")
const program = process.argv.length > 2 ? "command" : "server"

enableCompileCache(join(bundle, "compiled"))
await import(`./dist/bundle/${program}/${program}.js`)
// Sources are not in the tarball: their paths are those in the repository.
mapStackTraces(join(bundle, program, `${program}.js`), (source) => source.replace(/^(?:\.\.\/)+/, ""))
