/**
 * Bodies of fetch's `Request` and `Response`, for hosts that speak fetch.
 */
export { bodyOf, streamOf } from "./internal/WebMessages.ts"
