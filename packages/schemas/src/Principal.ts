/**
 * The caller of a request, after its API key was checked.
 */
import type { Account } from "./Account.ts"
import type { Mode, Scope } from "./Channel.ts"
import type { KeyId } from "./Ids.ts"

export interface Principal {
  readonly account: Account
  readonly mode: Mode
  /** Null for calls from inside the process, which need no key. */
  readonly key: KeyId | null
  /** The scopes of the key; null for all. */
  readonly scopes: ReadonlySet<Scope> | null
}
