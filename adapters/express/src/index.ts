/**
 * Watchword inside an Express 5 or 4 app.
 */
// First, so that every schema made after it is compiled.
import "effect/schema/SchemaJITCompiler/enable"
export { type OwnHandler, watchword } from "./watchword.ts"
