/**
 * Tokens of applications: JWTs that an app signs with its private key, one for each request.
 *
 * The algorithm is RS256, whatever a token's header says. A token's id is taken once, so that a token that was seen on
 * the way sends nothing again. Source: RFC 7519; RFC 8725, sections 3.1 and 3.10; Vonage's JWTs have `application_id`,
 * `iat`, `jti` and, unless they end after 15 minutes, `exp`.
 */
import { type ApplicationKey, find, isFirstUse } from "@watchword/auth/Applications"
import type { HostRequest } from "@watchword/server/Host"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type JWTPayload, decodeJwt, errors, importSPKI, jwtVerify } from "jose"
import { type Door, type DoorCaller, Unauthorized } from "watchword"
import { Refused } from "./Refused.ts"

export interface Tokens {
  /** The caller of a request's token. Rejects with `Unauthorized`, or `Refused` for a token that has ended. */
  readonly callerOf: (token: string, request: HostRequest) => Promise<DoorCaller>
}

/** In seconds: how far an app's clock may be ahead, how long tokens without an end live, and the longest life. */
const SKEW = 30
const USUAL_LIFE = 900
const LONGEST_LIFE = 86_400

export const make = ({ admit, run }: Door): Tokens => {
  const refused = async (why: string): Promise<never> => {
    await run(Effect.annotateLogs(Effect.logDebug("a token was refused"), { why }))
    throw new Unauthorized("The token is not valid.")
  }

  const verified = async (token: string, keys: ReadonlyArray<ApplicationKey>, now: number): Promise<Verified> => {
    for (const key of keys) {
      const payload = await verify(token, key, now)
      if (payload !== null) return { key, payload }
    }
    return refused("no key of its application has signed it")
  }

  return {
    callerOf: async (token, request) => {
      const name = applicationIn(token)
      if (name === null) return refused("it names no application")
      const application = await run(find(name))
      if (application === null) return refused("its application has no keys")
      const now = await run(Clock.currentTimeMillis)
      const { key, payload } = await verified(token, application.keys, now)
      const life = lifeOf(payload, now)
      if (typeof life === "string") return refused(life)
      if (life.endsAt <= now) throw new Refused("jwtExpired")
      if (!(await run(isFirstUse(name, life.id, life.endsAt)))) return refused("it was used before")
      return admit({ account: application.account, sandbox: key.sandbox }, request)
    }
  }
}

interface Verified {
  readonly key: ApplicationKey
  readonly payload: JWTPayload
}

/** The application that a token says it is of, before its signature is verified. */
const applicationIn = (token: string): string | null => {
  try {
    const { application_id: name } = decodeJwt(token)
    return typeof name === "string" ? name : null
  } catch {
    return null
  }
}

/** The claims of a token that a key has signed; null for any other token. */
const verify = async (token: string, { pem }: ApplicationKey, now: number): Promise<JWTPayload | null> => {
  try {
    const options = { algorithms: ["RS256"], currentDate: new Date(now), clockTolerance: SKEW }
    const { payload } = await jwtVerify(token, await importSPKI(pem, "RS256"), options)
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new Refused("jwtExpired")
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** The id and the end of a token, in milliseconds; or the mistake in its claims. */
const lifeOf = (
  { exp, iat, jti }: JWTPayload,
  now: number
): { readonly id: string; readonly endsAt: number } | string => {
  if (typeof jti !== "string" || jti === "" || jti.length > 256) return "its jti is missing or too long"
  if (iat === undefined) return "its iat is missing"
  if (iat > now / 1000 + SKEW) return "its iat is in the future"
  const end = exp ?? iat + USUAL_LIFE
  if (end - iat > LONGEST_LIFE) return "it lives longer than a day"
  return { id: jti, endsAt: Math.ceil((end + SKEW) * 1000) }
}
