/**
 * Verifying and signing the chat gateway's callbacks as an Effect service, on Effect's clock.
 *
 * @example
 * ```ts
 * import { CallbackSignature, layer } from "@watchword/callback-signature/effect"
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 *
 * const program = Effect.gen(function* () {
 *   const { sign, verify } = yield* CallbackSignature
 *   const body = '{"request_id":"abc"}'
 *   return yield* verify(body, yield* sign(body))
 * })
 *
 * const event = await Effect.runPromise(
 *   Effect.provide(program, layer({ accessToken: Redacted.make("TEST_TOKEN") }))
 * )
 * console.log(event.request_id) // abc
 * ```
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { CallbackEvent } from "./CallbackEvent.ts"
import { CallbackSignatureError } from "./CallbackSignatureError.ts"
import type { RawBody } from "./signature.ts"
import { type SignedHeaders, signCallback } from "./signCallback.ts"
import { type CallbackHeaders, verifyCallback } from "./verifyCallback.ts"

export type { CallbackEvent, DeliveryState, VerificationState } from "./CallbackEvent.ts"
export { CallbackSignatureError, type CallbackSignatureErrorCode } from "./CallbackSignatureError.ts"
export type { RawBody } from "./signature.ts"
export type { SignedHeaders } from "./signCallback.ts"
export type { CallbackHeaders } from "./verifyCallback.ts"

export interface Service {
  /** Checks timestamp and signature of a raw body, and only then reads the event in it. */
  readonly verify: (rawBody: RawBody, headers: CallbackHeaders) => Effect.Effect<CallbackEvent, CallbackSignatureError>

  /** The two headers of a callback that is sent now. */
  readonly sign: (rawBody: RawBody) => Effect.Effect<SignedHeaders>
}

export class CallbackSignature extends Context.Service<CallbackSignature, Service>()(
  "@watchword/callback-signature/CallbackSignature"
) {}

export interface Options {
  /** The gateway's access token. */
  readonly accessToken: Redacted.Redacted
  /** How many seconds a timestamp may be away from now, in either direction; 300 by default. */
  readonly toleranceSeconds?: number | undefined
}

export const make = ({ accessToken, toleranceSeconds }: Options): Service =>
  CallbackSignature.of({
    verify: Effect.fnUntraced(function* (rawBody, headers) {
      const at = yield* Clock.currentTimeMillis
      const event = yield* Effect.promise(() =>
        verifyCallback(rawBody, headers, {
          accessToken: Redacted.value(accessToken),
          now: () => at,
          toleranceSeconds
        }).catch(invalid)
      )
      return event instanceof CallbackSignatureError ? yield* Effect.fail(event) : event
    }),

    sign: Effect.fnUntraced(function* (rawBody) {
      const at = yield* Clock.currentTimeMillis
      return yield* Effect.promise(() =>
        signCallback(rawBody, { accessToken: Redacted.value(accessToken), timestamp: Math.floor(at / 1000) })
      )
    })
  })

export const layer = (options: Options): Layer.Layer<CallbackSignature> =>
  Layer.sync(CallbackSignature, () => make(options))

// Whatever else it rejects with is a mistake of the caller: a defect.
const invalid = (error: unknown): CallbackSignatureError => {
  if (error instanceof CallbackSignatureError) return error
  throw error
}
