/**
 * Verify and sign the chat gateway's callbacks, in Node, Workers, Bun, Deno and browsers.
 */
export type { CallbackEvent, DeliveryState, VerificationState } from "./CallbackEvent.ts"
export { CallbackSignatureError, type CallbackSignatureErrorCode } from "./CallbackSignatureError.ts"
export type { RawBody } from "./signature.ts"
export { type SignOptions, type SignedHeaders, signCallback } from "./signCallback.ts"
export { type CallbackHeaders, type VerifyOptions, verifyCallback } from "./verifyCallback.ts"
