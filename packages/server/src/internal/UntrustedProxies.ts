/**
 * Requests that have `X-Forwarded-For` and come from an address that is not trusted: a proxy that TRUSTED_PROXIES does
 * not name, whose clients are all taken for one. It is the mistake of a first deployment.
 */
import * as Networks from "@watchword/auth/Networks"
import { Unrecognized } from "@watchword/send/pipeline"
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"

export interface UntrustedProxies {
  /** Counts a request, and warns of the first one from a private address, and from a public one. */
  readonly note: (address: string) => Effect.Effect<void>
}

/** Addresses of proxies rather than of customers, which logs may have. */
const PRIVATE = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"]

export const make = (): UntrustedProxies => {
  const unrecognized = new Unrecognized()
  const near = Result.getOrThrow(Networks.parse(PRIVATE))
  return {
    note: (address) => {
      const isNear = Networks.contains(near, address)
      return unrecognized.note("http", "untrusted_proxy", {
        word: isNear ? "private" : "public",
        message:
          "a request has X-Forwarded-For, which is not believed: name its proxy in TRUSTED_PROXIES, if it is yours",
        details: isNear ? { address } : {}
      })
    }
  }
}
