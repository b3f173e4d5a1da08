/**
 * Credentials of requests: an account and its API key by Basic, or the token of an application.
 *
 * Source: RFC 7617 (Basic), RFC 6750 (Bearer).
 */
import { headerOf } from "@watchword/server/http"
import type { HostRequest } from "@watchword/server/Host"

export type Credentials =
  | { readonly by: "key"; readonly account: string; readonly apiKey: string }
  | { readonly by: "token"; readonly token: string }

/** The credentials of a request; null without any. */
export const credentialsOf = (request: HostRequest): Credentials | null => {
  const header = headerOf(request, "authorization") ?? ""
  const [, scheme = "", value = ""] = /^(basic|bearer) +(\S+) *$/i.exec(header) ?? []
  if (scheme.toLowerCase() === "bearer") return { by: "token", token: value }
  return scheme === "" ? null : basic(value)
}

const basic = (base64: string): Credentials | null => {
  const [, account, apiKey] = /^([^:]*):(.*)$/s.exec(textOf(base64)) ?? []
  return account && apiKey ? { by: "key", account, apiKey } : null
}

const textOf = (base64: string): string => {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
  } catch {
    return ""
  }
}
