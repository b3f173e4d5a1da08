/**
 * Who operators are: their roles, how a host or a proxy in front of it names them, and the tokens that all end after a
 * restore.
 */
export { type Operator, isRole } from "./Identity.ts"
export { revokeAll } from "./Operators.ts"
export type { ByHost, ByProxy, ByTokens } from "./Identify.ts"
