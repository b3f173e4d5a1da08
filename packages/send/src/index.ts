export * as Claims from "./Claims.ts"
export * as Outcome from "./Outcome.ts"
export * as Reconciler from "./Reconciler.ts"
export * as Send from "./Send.ts"
