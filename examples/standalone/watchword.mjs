/**
 * Starts the operator's command. JavaScript, because Node would load a compiler for the first line of TypeScript.
 */
import { launch } from "./bundle.mjs"

await launch("command")
