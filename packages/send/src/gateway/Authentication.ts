/**
 * Headers that tell a gateway who asks: a bearer token, a user with a password, or a header of the gateway's own.
 *
 * An authentication is an effect, so that a token may be made again for each request.
 *
 * Source: RFC 6750 §2.1 (Bearer), RFC 7617 §2 (Basic).
 *
 * @example
 * ```ts
 * import { Authentication } from "@watchword/send/gateway"
 * import * as Redacted from "effect/Redacted"
 *
 * const authentication = Authentication.basic("AC0123", Redacted.make("secret"))
 * ```
 */
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The headers of one request. */
export type Headers = Readonly<Record<string, Redacted.Redacted>>

/** Credentials cannot be used, so that no request can be made. The message never repeats them. */
export class CredentialsError extends Schema.TaggedError<CredentialsError>()("CredentialsError", {
  message: Schema.String
}) {}

export type Authentication = Effect.Effect<Headers, CredentialsError>

export const none: Authentication = Effect.succeed({})

/** A header of any name. */
export const header = (name: string, value: Redacted.Redacted): Authentication => Effect.succeed({ [name]: value })

export const bearer = (token: Redacted.Redacted): Authentication =>
  header("authorization", Redacted.make(`Bearer ${Redacted.value(token)}`))

/** @param user has no colon in it */
export const basic = (user: string, password: Redacted.Redacted): Authentication =>
  header("authorization", Redacted.make(`Basic ${Base64.encode(`${user}:${Redacted.value(password)}`)}`))
