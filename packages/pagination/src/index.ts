export type * as Query from "./Query.ts"
