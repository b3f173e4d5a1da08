/**
 * The records of the hand-written server, in either database.
 */

export interface Account {
  readonly n: number
  readonly id: string
  readonly sender: string | null
}

export interface Message {
  readonly id: string
  readonly account: number
  readonly digest: string | null
  readonly to: string
  readonly from: string
  readonly price: number
  readonly parts: number
}

export type Opened =
  | { readonly is: "open"; readonly n: number }
  | { readonly is: "duplicate" }
  | { readonly is: "insufficient" }

export type Outcome =
  | { readonly is: "accepted"; readonly refs: ReadonlyArray<string> }
  | { readonly is: "rejected" }
  | { readonly is: "unknown" }

export interface Receipt {
  readonly ref: string
  readonly status: "sent" | "delivered" | "undelivered" | "failed"
  readonly carrierStatus: string
}

/** Each step is answered when it is on disk. */
export interface Store {
  readonly open: (message: Message) => Promise<Opened>
  readonly close: (n: number, outcome: Outcome) => Promise<void>
  readonly receipt: (receipt: Receipt) => Promise<void>
  /** Gives up on messages that have been unknown for a day, and deletes data that is no longer needed. */
  readonly sweep: () => Promise<void>
  readonly createAccount: (id: string, sender: string, keyHash: string, available: number) => void | Promise<void>
  readonly accountByKey: (hash: string) => Account | undefined | Promise<Account | undefined>
  readonly find: (id: string, account: number) => unknown
}

/** Opens the database at an address: PostgreSQL, or else an SQLite file. */
export const openStore = async (address: string): Promise<Store> =>
  address.startsWith("postgres:")
    ? (await import("./postgres.ts")).openPostgres(address)
    : (await import("./sqlite.ts")).openSqlite(address)
