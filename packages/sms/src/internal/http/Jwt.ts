/**
 * JSON web tokens of Vonage: tokens with which applications authenticate, and tokens that sign receipts.
 *
 * Source: RFC 7519 (JWT), RFC 7518 §3.2 and §3.3 (HS256, RS256); Vonage's documentation, "Signed webhooks".
 */
import { Authentication } from "@watchword/send/gateway"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"
import { SignJWT, importPKCS8, jwtVerify } from "jose"

/** A token for each request, because the requests of a Worker share no promises. */
export const applicationToken = (applicationId: string, privateKey: Redacted.Redacted): Authentication.Authentication =>
  Effect.tryPromise({
    try: async () => {
      const key = await importPKCS8(Redacted.value(privateKey).trim(), "RS256")
      const token = await new SignJWT({ application_id: applicationId })
        .setProtectedHeader({ alg: "RS256", typ: "JWT" })
        .setIssuedAt()
        .setExpirationTime("5 minutes")
        .setJti(crypto.randomUUID())
        .sign(key)
      return { authorization: Redacted.make(`Bearer ${token}`) }
    },
    catch: () => new Authentication.CredentialsError({ message: "the private key of its application cannot be used" })
  })

const encoder = new TextEncoder()

/**
 * Whether a bearer token is signed with the secret and has the hash of the very body. A token without a hash would sign
 * any body.
 */
export const isSigned = (
  authorization: string | undefined,
  secret: Redacted.Redacted,
  rawBody: Uint8Array
): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? "")?.[1]
    if (token === undefined) return false
    try {
      const { payload } = await jwtVerify(token, encoder.encode(Redacted.value(secret)), { algorithms: ["HS256"] })
      const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(rawBody))
      return payload["payload_hash"] === Hex.encode(new Uint8Array(digest))
    } catch {
      return false
    }
  })
