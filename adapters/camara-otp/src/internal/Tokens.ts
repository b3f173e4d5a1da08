/**
 * Access tokens: an API key's ticket, sealed under the installation's secret for an hour. The service looks the key up
 * at each use, so a token ends with its key, and has the key's scopes and allow-list. No store holds tokens.
 *
 * Source: RFC 7516 (JWE), RFC 7518 §4.5 and §5.3 (`dir`, `A256GCM`), RFC 7519 (`aud`, `exp`), RFC 5869 (HKDF).
 */
import { InstallationSecret, deriveKey } from "@watchword/send/pipeline"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { EncryptJWT, jwtDecrypt } from "jose"
import type { Door } from "watchword"

/** The life of a token, in seconds. */
export const LIFE = 3_600

export interface Tokens {
  readonly issue: (ticket: string) => Promise<string>
  /** The ticket of a token; null if the token is not one of this installation, or has expired. */
  readonly open: (token: string) => Promise<string | null>
}

export const make = ({ run }: Pick<Door, "run">): Tokens => {
  // Keys rather than promises of them are kept, because requests of a Worker cannot share promises.
  let kept: ReadonlyArray<CryptoKey> | undefined
  const keys = async () => (kept ??= await run(derived))
  const now = () => run(Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis)))

  return {
    issue: async (ticket) => {
      const [first] = await keys()
      if (first === undefined) throw new Error("there is no key for tokens")
      const at = Math.floor((await now()).getTime() / 1_000)
      return new EncryptJWT({ ticket })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setAudience(AUDIENCE)
        .setIssuedAt(at)
        .setExpirationTime(at + LIFE)
        .encrypt(first)
    },
    open: async (token) => {
      if (token.length > LONGEST) return null
      const currentDate = await now()
      for (const key of await keys()) {
        try {
          const { payload } = await jwtDecrypt(token, key, {
            audience: AUDIENCE,
            contentEncryptionAlgorithms: ["A256GCM"],
            currentDate,
            keyManagementAlgorithms: ["dir"],
            requiredClaims: ["exp"]
          })
          return typeof payload["ticket"] === "string" ? payload["ticket"] : null
        } catch {
          // It is not a token, it has expired, or it was sealed under another secret.
        }
      }
      return null
    }
  }
}

const AUDIENCE = "one-time-password-sms"

/** Several times the length of a token. */
const LONGEST = 2_048

/** One key for each secret, the one in use first. Without a secret tokens end with the process. */
const derived = Effect.gen(function* () {
  const secrets = (yield* InstallationSecret).map(Redacted.value)
  const used = secrets.length > 0 ? secrets : [crypto.randomUUID() + crypto.randomUUID()]
  return yield* Effect.promise(() => Promise.all(used.map(async (secret) => (await deriveKey(secret)).key(AUDIENCE))))
})
