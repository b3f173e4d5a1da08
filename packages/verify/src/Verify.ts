/**
 * Verifications as a feature of a service, the defaults that a program gives them, and a verification as clients have it.
 */
export { attemptOrigin } from "./internal/AttemptOrigin.ts"
export { format, toId, toWireId } from "./internal/VerificationFormat.ts"
export { verify } from "./internal/Verify.ts"
export { Hurry, Options, type VerifyOptions } from "./internal/VerifyOptions.ts"
export type { CheckError, NextError, StartError } from "./internal/VerifyError.ts"
