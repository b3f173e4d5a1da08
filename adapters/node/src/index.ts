/**
 * Watchword in a plain `node:http` server.
 */
// First, so that every schema made after it is compiled.
import "effect/schema/SchemaJITCompiler/enable"
export * as Hosts from "./Hosts.ts"
export { type Options as ServeOptions, type Serving, serve } from "./serve.ts"
export { onStopSignal } from "./stopSignals.ts"
export { type Listener, type Options, watchword } from "./watchword.ts"
