export * as Call from "./Call.ts"
export * as CallGateway from "./CallGateway.ts"
export * as CallSandbox from "./CallSandbox.ts"
