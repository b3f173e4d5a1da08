/**
 * Codes that the sandbox has "sent", so that it can check what is entered. They are kept as an HMAC under a
 * key that only this process has, and never in clear.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

export interface SandboxCodes {
  /** What to keep of a request's code. */
  readonly seal: (requestId: string, code: Redacted.Redacted) => Effect.Effect<ArrayBuffer>
  /** Whether a code is the one that was sealed, in constant time. */
  readonly matches: (sealed: ArrayBuffer, requestId: string, code: Redacted.Redacted) => Effect.Effect<boolean>
}

const HMAC: HmacKeyGenParams = { name: "HMAC", hash: "SHA-256" }

const encoder = new TextEncoder()

// The request's id is the salt: the same code is sealed differently for each request.
const salted = (requestId: string, code: Redacted.Redacted) => encoder.encode(`${requestId}\n${Redacted.value(code)}`)

export const make: Effect.Effect<SandboxCodes> = Effect.gen(function* () {
  const key = yield* Effect.promise(() => crypto.subtle.generateKey(HMAC, false, ["sign", "verify"]))
  return {
    seal: (requestId, code) => Effect.promise(() => crypto.subtle.sign("HMAC", key, salted(requestId, code))),
    matches: (sealed, requestId, code) =>
      Effect.promise(() => crypto.subtle.verify("HMAC", key, sealed, salted(requestId, code)))
  }
})
