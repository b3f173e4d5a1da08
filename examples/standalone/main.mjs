/**
 * Starts the standalone server. JavaScript, because Node would load a compiler for the first line of TypeScript.
 */
import { launch } from "./bundle.mjs"

await launch("server")
