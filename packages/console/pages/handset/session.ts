/**
 * The credentials that the page asks with: those of a development server, or a sandbox key that is typed in. They stay in this
 * tab, and in no address.
 */
import { signal } from "@preact/signals"

export interface Session {
  readonly account: string
  readonly key: string
  /** Where the interface is, such as `/v1`. */
  readonly basePath: string
}

const KEPT = "watchword-handset"

/** Null while nobody has signed in; undefined until that is known. */
export const session = signal<Session | null | undefined>(undefined)

/** The base path of the server, for a session that is typed in. */
let basePath = "/v1"

export const open = async (): Promise<void> => {
  const answer = await fetch("session", { cache: "no-store" }).catch(() => null)
  const given: unknown = answer?.ok === true ? await answer.json().catch(() => null) : null
  basePath = textIn(given, "base_path") ?? basePath
  const account = textIn(given, "account")
  const key = textIn(given, "key")
  session.value = account !== null && key !== null ? { account, key, basePath } : kept()
}

export const signIn = (account: string, key: string): void => {
  session.value = { account, key, basePath }
  sessionStorage.setItem(KEPT, JSON.stringify({ account, key }))
}

export const signOut = (): void => {
  sessionStorage.removeItem(KEPT)
  session.value = null
}

const kept = (): Session | null => {
  const text = sessionStorage.getItem(KEPT)
  if (text === null) return null
  const found: unknown = JSON.parse(text)
  const account = textIn(found, "account")
  const key = textIn(found, "key")
  return account === null || key === null ? null : { account, key, basePath }
}

const textIn = (value: unknown, name: string): string | null => {
  if (typeof value !== "object" || value === null) return null
  const found = Object.entries(value).find(([key]) => key === name)?.[1]
  return typeof found === "string" ? found : null
}
