/**
 * Who uses the page, and what that person may do.
 */
import { signal } from "@preact/signals"
import { type Name, Refused, ask, onSignedOut, post } from "./api.ts"

export type Role = "support" | "operator" | "admin"

export interface Me {
  readonly name: string
  readonly role: Role
  readonly signed_in_by: "token" | "cookie" | "link" | "proxy" | "host"
}

/** A field of a command's input. */
export interface Field {
  readonly name: string
  readonly description: string
  readonly kind: "flag" | "integer" | "list" | "text"
  readonly optional: boolean
  readonly nullable: boolean
  readonly example?: string | null
  /** All values that entries of a list may have, if they are known. */
  readonly choices?: ReadonlyArray<string> | null
}

/** A command that its user may run. */
export interface Command {
  readonly name: string
  readonly description: string
  readonly role: Role
  readonly fields: ReadonlyArray<Field>
}

/** Null while no one is signed in; undefined until that is known. */
export const me = signal<Me | null | undefined>(undefined)

/** Why the last sign-in failed, or why the session has ended. */
export const trouble = signal<string | null>(null)

const commands = signal<ReadonlyMap<string, Command>>(new Map())

/** Whether the server has a command, and its user may run it. */
export const can = (name: Name): boolean => commands.value.has(name)

export const commandOf = (name: Name): Command | undefined => commands.value.get(name)

/** Signs in with the link in the address, or continues with an earlier cookie. */
export const open = async (): Promise<void> => {
  const link = /^#link=(.+)$/.exec(location.hash)?.[1]
  if (link !== undefined) {
    history.replaceState(null, "", "#/")
    if (await enter({ link: decodeURIComponent(link) })) return
  }
  try {
    await learn()
  } catch (error) {
    // A server that is down is asked again; a server that does not know the user asks for a token.
    if (error instanceof Refused) me.value = null
    else setTimeout(() => void open(), 2_000)
  }
}

/** A link that is pasted into an open tab changes only the fragment. */
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#link=")) void open()
})

/** Resolves to whether the token was right. */
export const signIn = (token: string): Promise<boolean> => enter({ token })

/** Rejects if the server does not end the session. */
export const signOut = async (): Promise<void> => {
  await ask("operator/v1/session", { method: "DELETE" })
  trouble.value = null
  me.value = null
}

const enter = async (body: object): Promise<boolean> => {
  try {
    await post("operator/v1/session", body)
    await learn()
    trouble.value = null
    return true
  } catch (error) {
    me.value = null
    trouble.value = error instanceof Error ? wordsOf(error) : String(error)
    return false
  }
}

const wordsOf = (error: Error): string =>
  error instanceof Refused && error.status === 429
    ? `Too many attempts. Wait ${error.retryAfter ?? 60} seconds, then try again.`
    : error.message

const learn = async (): Promise<void> => {
  const found: Me = await (await ask("operator/v1/me")).json()
  const list: { readonly commands: ReadonlyArray<Command> } = await (await ask("operator/v1/commands")).json()
  commands.value = new Map(list.commands.map((command) => [command.name, command]))
  me.value = found
}

onSignedOut.run = () => {
  if (me.value) trouble.value = "Your session has ended. Sign in again."
  if (me.value !== undefined) me.value = null
}
