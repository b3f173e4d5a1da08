/**
 * The records of the verification server by hand, in either database.
 */
import type { Account } from "../sms/store.ts"

export const SENDS_AN_HOUR = 5
export const CHECKS = 5
export const HOUR = 60 * 60 * 1000
export const DAY = 24 * HOUR

export type Status = "pending" | "approved" | "failed" | "expired"

export interface Start {
  readonly id: string
  readonly account: number
  readonly to: string
  readonly codeHash: string
  readonly price: number
  readonly expiresAt: number
}

export interface Resend {
  readonly id: string
  readonly account: number
  readonly codeHash: string
  readonly price: number
}

export interface Guess {
  readonly id: string
  readonly account: number
  readonly codeHash: string
}

/** A message on the disk, ready to be submitted, or why no message was opened. */
export type Opened =
  | { readonly is: "open"; readonly message: number; readonly to: string }
  | { readonly is: "missing" | "ended" | "limited" | "insufficient" }

export type Outcome = { readonly is: "accepted"; readonly ref: string } | { readonly is: "rejected" | "unknown" }

export type Checked =
  | { readonly is: "compared"; readonly valid: boolean; readonly status: Status; readonly checksLeft: number }
  | { readonly is: "ended"; readonly status: Status }
  | { readonly is: "missing" }

export interface Receipt {
  readonly ref: string
  readonly status: "sent" | "delivered" | "undelivered" | "failed"
  readonly carrierStatus: string
}

/** A verification as clients see it, with its last text. */
export interface Found {
  readonly id: string
  readonly to: string
  readonly status: Status
  readonly checks_left: number
  readonly expires_at: number
  readonly sms: string
  readonly price: number
}

/** A row of the outbox. */
export interface Waiting {
  readonly n: number
  readonly event: string
  readonly tries: number
}

/** When an event is due again after its receiver did not take it. */
export interface Retry {
  readonly n: number
  readonly dueAt: number
}

/** Each step is answered once the step and its events are on the disk. */
export interface Store {
  readonly start: (start: Start) => Promise<Opened>
  readonly resend: (resend: Resend) => Promise<Opened>
  readonly close: (message: number, outcome: Outcome) => Promise<void>
  readonly check: (guess: Guess) => Promise<Checked>
  readonly receipt: (receipt: Receipt) => Promise<void>
  readonly dueEvents: (most: number) => Promise<ReadonlyArray<Waiting>>
  readonly posted: (taken: ReadonlyArray<number>, again: ReadonlyArray<Retry>) => Promise<void>
  /** Ends expired verifications, gives up messages unknown for a day, and deletes old limits and receipts. */
  readonly sweep: () => Promise<void>
  readonly createAccount: (id: string, sender: string, keyHash: string, available: number) => Promise<void>
  readonly accountByKey: (hash: string) => Promise<Account | undefined>
  readonly find: (id: string, account: number) => Promise<Found | undefined>
}

/**
 * Opens the database at an address: PostgreSQL, or else a file for SQLite.
 *
 * @param grouped whether waiting requests share a transaction; PostgreSQL only, SQLite always groups them
 */
export const openStore = async (address: string, grouped: boolean): Promise<Store> =>
  address.startsWith("postgres:")
    ? (await import("./postgres.ts")).openPostgres(address, grouped)
    : (await import("./sqlite.ts")).openSqlite(address)
