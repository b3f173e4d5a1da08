/**
 * The credentials of the page's requests: a development server's, or a sandbox key that the user types in. They stay in
 * this tab, and are in no address.
 */
import { signal } from "@preact/signals"

export interface Session {
  readonly account: string
  readonly key: string
  /** The interface's path relative to the page: both are below one prefix, whatever a proxy puts before them. */
  readonly base: string
  /** Whether the key was typed in, so that it can be forgotten. */
  readonly isTyped: boolean
}

const KEPT = "watchword-handset"

/** Null while no key is known; undefined until that is known. */
export const session = signal<Session | null | undefined>(undefined)

let base = "../v1"

export const open = async (): Promise<void> => {
  const answer = await fetch("session", { cache: "no-store" }).catch(() => null)
  const given: unknown = answer?.ok === true ? await answer.json().catch(() => null) : null
  base = `..${textIn(given, "base_path") ?? "/v1"}`
  const account = textIn(given, "account")
  const key = textIn(given, "key")
  session.value = account !== null && key !== null ? { account, key, base, isTyped: false } : kept()
}

export const signIn = (account: string, key: string): void => {
  session.value = { account, key, base, isTyped: true }
  sessionStorage.setItem(KEPT, JSON.stringify({ account, key }))
}

export const signOut = (): void => {
  sessionStorage.removeItem(KEPT)
  session.value = null
}

const kept = (): Session | null => {
  const found = parsed(sessionStorage.getItem(KEPT))
  const account = textIn(found, "account")
  const key = textIn(found, "key")
  return account === null || key === null ? null : { account, key, base, isTyped: true }
}

const parsed = (json: string | null): unknown => {
  try {
    return json === null ? null : JSON.parse(json)
  } catch {
    return null
  }
}

const textIn = (value: unknown, name: string): string | null => {
  if (typeof value !== "object" || value === null) return null
  const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1]
  return typeof found === "string" ? found : null
}
