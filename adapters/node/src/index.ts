/**
 * Watchword in a plain `node:http` server.
 */
// First, so that every schema made after it is compiled.
import "effect/schema/SchemaJITCompiler/enable"
export { type NodeHandler, type Options as NodeHandlerOptions, nodeHandler } from "./nodeHandler.ts"
export { type Options as ServeOptions, type Serving, serve } from "./serve.ts"
