/**
 * Starts the server from the bundle that is published, or with arguments the operator's command. V8's compiled code is
 * cached next to the bundle if that folder is writable.
 */
import { enableCompileCache } from "node:module"
import { join } from "node:path"
import { mapStackTraces } from "./stackTraces.mjs"

const bundle = join(import.meta.dirname, "dist/bundle")
const program = process.argv.length > 2 ? "command" : "server"

enableCompileCache(join(bundle, "compiled"))
await import(`./dist/bundle/${program}/${program}.js`)
// Last, because Effect reads two stack traces while it is loaded.
mapStackTraces(join(bundle, program, `${program}.js`))
