/**
 * The operators' API as a handler of requests, for hosts that mount it: `operator/v1/…`, and the console where its page
 * is given.
 */
export { type Operators, type Options, type Page, make } from "./Api.ts"
