/**
 * Accounts, keys, messages and the ledger in SQLite. Steps that wait in the same turn of the event loop share one
 * transaction, and each is answered when the transaction is on disk.
 */
import Sqlite from "better-sqlite3"
import type { Account, Message, Opened, Outcome, Receipt, Store } from "./store.ts"

const SCHEMA = `
CREATE TABLE IF NOT EXISTS accounts (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, sender TEXT,
  available INTEGER NOT NULL CHECK (available >= 0), held INTEGER NOT NULL CHECK (held >= 0)
) STRICT;
CREATE TABLE IF NOT EXISTS keys (
  hash TEXT PRIMARY KEY, account INTEGER NOT NULL, revoked INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries (
  n INTEGER PRIMARY KEY, account INTEGER NOT NULL, message INTEGER, kind TEXT NOT NULL, amount INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS messages (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account INTEGER NOT NULL, recipient TEXT NOT NULL, sender TEXT NOT NULL,
  phase TEXT NOT NULL, status TEXT NOT NULL, price INTEGER NOT NULL, parts INTEGER NOT NULL,
  carrier_status TEXT, created_at INTEGER NOT NULL, status_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS messages_open ON messages (created_at) WHERE phase IN ('pending', 'unknown');
CREATE TABLE IF NOT EXISTS parts (
  ref TEXT PRIMARY KEY, message INTEGER NOT NULL, status TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS early_receipts (
  ref TEXT NOT NULL, status TEXT NOT NULL, carrier_status TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS requests (
  account INTEGER NOT NULL, digest TEXT NOT NULL, message INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (account, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS requests_at ON requests (at);
`

const DAY = 24 * 60 * 60 * 1000
const MOST_STEPS = 512

interface Money {
  available: number
  held: number
}

interface Row {
  readonly account: number
  readonly phase: string
  readonly status: string
  readonly price: number
  readonly parts: number
}

interface Step {
  readonly attempt: () => void
  readonly succeed: () => void
  readonly fail: (error: unknown) => void
}

export const openSqlite = (filename: string): Store => {
  const db = new Sqlite(filename)
  db.pragma("journal_mode = WAL")
  db.pragma("synchronous = FULL")
  db.pragma("wal_autocheckpoint = 4000")
  db.exec(SCHEMA)

  const sql = {
    begin: db.prepare("BEGIN IMMEDIATE"),
    commit: db.prepare("COMMIT"),
    rollback: db.prepare("ROLLBACK"),
    money: db.prepare<[number], Money>("SELECT available, held FROM accounts WHERE n = ?"),
    setMoney: db.prepare("UPDATE accounts SET available = ?, held = ? WHERE n = ?"),
    insertEntry: db.prepare("INSERT INTO entries (account, message, kind, amount, at) VALUES (?, ?, ?, ?, ?)"),
    insertMessage: db.prepare(
      `INSERT INTO messages (id, account, recipient, sender, phase, status, price, parts, created_at, status_at)
       VALUES (?, ?, ?, ?, 'pending', 'sent', ?, ?, ?, ?)`
    ),
    message: db.prepare<[number], Row>("SELECT account, phase, status, price, parts FROM messages WHERE n = ?"),
    setPhase: db.prepare("UPDATE messages SET phase = ?, status = ?, status_at = ? WHERE n = ?"),
    setStatus: db.prepare(
      "UPDATE messages SET phase = 'accepted', status = ?, carrier_status = ?, status_at = ? WHERE n = ?"
    ),
    insertPart: db.prepare(
      "INSERT INTO parts (ref, message) VALUES (?, ?) ON CONFLICT DO UPDATE SET message = excluded.message, status = NULL"
    ),
    part: db.prepare<[string], number>("SELECT message FROM parts WHERE ref = ?").pluck(),
    setPart: db.prepare("UPDATE parts SET status = ? WHERE ref = ? AND status IS NULL"),
    delivered: db
      .prepare<[number], number>("SELECT count(*) FROM parts WHERE message = ? AND status = 'delivered'")
      .pluck(),
    insertEarly: db.prepare("INSERT INTO early_receipts (ref, status, carrier_status, at) VALUES (?, ?, ?, ?)"),
    early: db.prepare<[string], Receipt>(
      "SELECT ref, status, carrier_status AS carrierStatus FROM early_receipts WHERE ref = ?"
    ),
    deleteEarly: db.prepare("DELETE FROM early_receipts WHERE ref = ?"),
    earlyExist: db.prepare<[], number>("SELECT EXISTS (SELECT 1 FROM early_receipts)").pluck(),
    request: db
      .prepare<[number, string], number>("SELECT message FROM requests WHERE account = ? AND digest = ?")
      .pluck(),
    insertRequest: db.prepare("INSERT OR REPLACE INTO requests (account, digest, message, at) VALUES (?, ?, ?, ?)"),
    forgetRequests: db.prepare("DELETE FROM requests WHERE at < ?"),
    forgetEarly: db.prepare("DELETE FROM early_receipts WHERE at < ?"),
    doubt: db.prepare("UPDATE messages SET phase = 'unknown' WHERE phase = 'pending'"),
    overdue: db
      .prepare<[number], number>("SELECT n FROM messages WHERE phase IN ('pending', 'unknown') AND created_at < ?")
      .pluck(),
    account: db.prepare<[string], Account>(
      "SELECT n, id, sender FROM accounts WHERE n = (SELECT account FROM keys WHERE hash = ? AND revoked = 0)"
    ),
    find: db.prepare<[string, number], Readonly<Record<string, string | number>>>(
      "SELECT id, recipient AS 'to', sender AS 'from', status, price, parts, created_at, status_at FROM messages WHERE id = ? AND account = ?"
    )
  }
  // A message that was pending when the last process died may have been sent.
  sql.doubt.run()

  /** Balances as changed by the steps of this transaction. */
  const moneys = new Map<number, Money>()
  const moneyOf = (account: number): Money => {
    let money = moneys.get(account)
    if (money === undefined) {
      money = sql.money.get(account)
      if (money === undefined) throw new Error("no such account")
      moneys.set(account, money)
    }
    return money
  }

  const waiting: Array<Step> = []
  const submit = <A>(run: () => A): Promise<A> =>
    new Promise((resolve, reject) => {
      let result: A
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ attempt: () => (result = run()), succeed: () => resolve(result), fail: reject })
    })

  const flush = (): void => {
    const steps = waiting.splice(0, MOST_STEPS)
    if (waiting.length > 0) setImmediate(flush)
    commit(steps)
  }

  const commit = (steps: ReadonlyArray<Step>): void => {
    try {
      sql.begin.run()
      for (const step of steps) step.attempt()
      for (const [account, { available, held }] of moneys) sql.setMoney.run(available, held, account)
      sql.commit.run()
    } catch (error) {
      if (db.inTransaction) sql.rollback.run()
      moneys.clear()
      // A failing step must not take its neighbours with it.
      if (steps.length > 1) for (const step of steps) commit([step])
      else for (const step of steps) step.fail(error)
      return
    }
    moneys.clear()
    for (const step of steps) step.succeed()
  }

  const open = ({ account, digest, from, id, parts, price, to }: Message): Promise<Opened> =>
    submit(() => {
      const at = Date.now()
      if (digest !== null) {
        const earlier = sql.request.get(account, digest)
        if (earlier !== undefined && sql.message.get(earlier)?.phase !== "rejected") return { is: "duplicate" }
      }
      const money = moneyOf(account)
      if (money.available < price) return { is: "insufficient" }
      const n = Number(sql.insertMessage.run(id, account, to, from, price, parts, at, at).lastInsertRowid)
      if (digest !== null) sql.insertRequest.run(account, digest, n, at)
      money.available -= price
      money.held += price
      sql.insertEntry.run(account, n, "hold", price, at)
      return { is: "open", n }
    })

  /** Takes the price out of the hold: either for good, or back to the balance. */
  const unhold = (account: number, n: number, price: number, kind: "settle" | "release", at: number): void => {
    const money = moneyOf(account)
    money.held -= price
    if (kind === "release") money.available += price
    sql.insertEntry.run(account, n, kind, price, at)
  }

  const close = (n: number, outcome: Outcome): Promise<void> =>
    submit(() => {
      const at = Date.now()
      const message = sql.message.get(n)
      if (message === undefined) throw new Error("no such message")
      if (message.phase === "pending" || message.phase === "unknown") {
        sql.setPhase.run(outcome.is, outcome.is === "rejected" ? "failed" : message.status, at, n)
        if (outcome.is === "accepted") unhold(message.account, n, message.price, "settle", at)
        if (outcome.is === "rejected") unhold(message.account, n, message.price, "release", at)
      }
      if (outcome.is !== "accepted") return
      for (const ref of outcome.refs) sql.insertPart.run(ref, n)
      if (sql.earlyExist.get() === 0) return
      for (const ref of outcome.refs) {
        for (const receipt of sql.early.all(ref)) apply(receipt, n, at)
        sql.deleteEarly.run(ref)
      }
    })

  const apply = ({ carrierStatus, ref, status }: Receipt, n: number, at: number): void => {
    const message = sql.message.get(n)
    if (message === undefined) return
    // A receipt proves that the carrier took the message.
    if (message.phase === "pending" || message.phase === "unknown") {
      sql.setPhase.run("accepted", message.status, at, n)
      unhold(message.account, n, message.price, "settle", at)
    }
    if (status === "sent" || message.status !== "sent" || sql.setPart.run(status, ref).changes === 0) return
    if (status === "delivered" && message.parts > 1 && (sql.delivered.get(n) ?? 0) < message.parts) return
    sql.setStatus.run(status, carrierStatus, at, n)
  }

  const receipt = (given: Receipt): Promise<void> =>
    submit(() => {
      const at = Date.now()
      const n = sql.part.get(given.ref)
      if (n === undefined) sql.insertEarly.run(given.ref, given.status, given.carrierStatus, at)
      else apply(given, n, at)
    })

  /** Gives up on messages that have been unknown for a day, and deletes data that is no longer needed. */
  const sweep = async (): Promise<void> => {
    const before = Date.now() - DAY
    for (const n of sql.overdue.all(before)) await close(n, { is: "rejected" })
    await submit(() => {
      sql.forgetRequests.run(before)
      sql.forgetEarly.run(before)
    })
  }

  const createAccount = (id: string, sender: string, keyHash: string, available: number): void => {
    const { lastInsertRowid: n } = db
      .prepare("INSERT INTO accounts (id, sender, available, held) VALUES (?, ?, ?, 0)")
      .run(id, sender, available)
    db.prepare("INSERT INTO entries (account, kind, amount, at) VALUES (?, 'credit', ?, ?)").run(
      n,
      available,
      Date.now()
    )
    db.prepare("INSERT INTO keys (hash, account) VALUES (?, ?)").run(keyHash, n)
  }

  return {
    open,
    close,
    receipt,
    sweep,
    createAccount,
    accountByKey: (hash: string): Account | undefined => sql.account.get(hash),
    find: (id: string, account: number) => sql.find.get(id, account)
  }
}
