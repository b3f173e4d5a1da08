export * as Query from "./Query.ts"
