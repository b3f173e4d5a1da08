/**
 * An account: it pays for sends, and has defaults for them.
 */
import type { AccountId } from "./Ids.ts"

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
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}
