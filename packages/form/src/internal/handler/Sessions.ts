/**
 * Binds verifications to sessions, without a table: a session's verifications have a purpose of their own, computed
 * from its id. Another session has another purpose, so that it has another code, and finds no verification but its own.
 */

/** A session, the purpose of its verifications, and its name for guards. */
export interface Bound {
  readonly session: string
  readonly purpose: string
  readonly ref: string
}

/** @param purpose the form's purpose, a prefix of each session's purpose */
export const bound = async (session: string, purpose: string): Promise<Bound> => {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`watchword form ${session}`))
  const hash = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
  return { session, purpose: `${purpose}-${hash.slice(0, 24)}`, ref: `session ${hash.slice(24, 48)}` }
}
