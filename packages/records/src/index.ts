export * as Records from "./Records.ts"
