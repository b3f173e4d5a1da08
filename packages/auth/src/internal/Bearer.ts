/**
 * An API key in the header `authorization`, which names its account too.
 *
 * Source: RFC 6750, section 2.1; RFC 9110, section 11.1 (schemes in any case).
 */
import { type OfKeys, type Refusal, ofBearer, ofHeaderPair, refusals } from "./Refusals.ts"

/** The key that a request has, and in what words it is refused. */
export interface Given {
  readonly apiKey: string
  readonly refusals: OfKeys
}

interface Headers {
  readonly apiKey: string | null
  readonly accountId: string | null
  readonly accountRequired: boolean
  readonly authorization?: string | null
}

const BEARER = /^bearer +(sk_\S+) *$/i

/** The key of a request, from either header. A request without a key, or with two different keys, gets a refusal. */
export const givenIn = ({ accountId, accountRequired, apiKey, authorization = null }: Headers): Given | Refusal => {
  const bearer = authorization === null ? undefined : BEARER.exec(authorization)?.[1]
  if (bearer !== undefined) {
    return apiKey === null || apiKey === bearer ? { apiKey: bearer, refusals: ofBearer } : refusals.twoKeys
  }
  // A proxy on the way may have an authorization of its own.
  if (apiKey === null && authorization !== null) return refusals.otherScheme
  const lacksAccount = accountId === null && accountRequired
  if (apiKey === null) return lacksAccount ? refusals.noHeaders : refusals.noKey
  return lacksAccount ? refusals.noAccount : { apiKey, refusals: ofHeaderPair }
}
