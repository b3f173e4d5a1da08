/**
 * Verifications as a feature of a service, and the defaults that a program gives them.
 */
export { verify } from "./internal/Verify.ts"
export { Hurry, Options, type VerifyOptions } from "./internal/VerifyOptions.ts"
export type { CheckError, NextError, StartError } from "./internal/VerifyError.ts"
