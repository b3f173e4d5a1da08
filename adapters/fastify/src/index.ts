/**
 * Watchword inside a Fastify 5 app.
 */
// First, so that every schema made after it is compiled.
import "effect/schema/SchemaJITCompiler/enable"
export { watchword } from "./watchword.ts"
