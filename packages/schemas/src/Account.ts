/**
 * An account: it pays for sends, and has defaults for them. And the account behind a request.
 */
import type { Mode, Scope } from "./Channel.ts"
import type { AccountId, KeyId } from "./Ids.ts"

export interface Account {
  readonly id: AccountId
  readonly name: string
  /** Default caller id of flash calls, E.164. */
  readonly caller: string | null
  /** Default sender of SMS. */
  readonly smsSender: string | null
  /** Default sender of chat-gateway codes. */
  readonly senderUsername: string | null
  /** Bounds of a flash call's default ring time, in seconds. */
  readonly minRing: number
  readonly maxRing: number
  /** Whether texts of SMS and business chat are kept with their records. They hold codes: off by default. */
  readonly storeText: boolean
  /** The originators that live sends may have. */
  readonly originators: Originators
  /** Since when the account is suspended; null when it is not. Times are milliseconds since the epoch. */
  readonly suspendedAt: number | null
  readonly createdAt: number
}

/**
 * Lists of the originators, by which phones show who a message or a call is from; null for any. They are as the
 * operator wrote them: `@watchword/schemas/Originators` reads them.
 */
export interface Originators {
  /** Senders of SMS. */
  readonly senders: ReadonlyArray<string> | null
  /** Callers of flash calls: numbers, and ranges of numbers such as `+4930901820000-+4930901820099`. */
  readonly callers: ReadonlyArray<string> | null
  /** Usernames that chat-gateway codes come from. */
  readonly usernames: ReadonlyArray<string> | null
}

/** No lists. */
export const anyOriginators: Originators = { senders: null, callers: null, usernames: null }

/** The caller of a request, after its API key was checked. */
export interface Principal {
  readonly account: Account
  readonly mode: Mode
  /** Null for calls from inside the process, which need no key. */
  readonly key: KeyId | null
  /** The scopes of the key; null for all. */
  readonly scopes: ReadonlySet<Scope> | null
  /** The door that the request came by, such as `twilio`; left out for the service's own interface. */
  readonly door?: string
}
