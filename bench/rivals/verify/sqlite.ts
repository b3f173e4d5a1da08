/**
 * Verifications, messages, the ledger and the outbox in SQLite. Steps from one turn of the event loop
 * share one transaction, and each is answered once the transaction is on the disk.
 */
import Sqlite from "better-sqlite3"
import { randomUUID, timingSafeEqual } from "node:crypto"
import type { Account } from "../sms/store.ts"
import {
  CHECKS,
  type Checked,
  DAY,
  type Found,
  type Guess,
  HOUR,
  type Opened,
  type Outcome,
  type Receipt,
  type Resend,
  type Retry,
  SENDS_AN_HOUR,
  type Start,
  type Status,
  type Store,
  type Waiting
} from "./store.ts"

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
CREATE TABLE IF NOT EXISTS verifications (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account INTEGER NOT NULL, recipient TEXT NOT NULL,
  code_hash TEXT NOT NULL, status TEXT NOT NULL, checks_left INTEGER NOT NULL CHECK (checks_left >= 0),
  created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, ended_at INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS verifications_open ON verifications (expires_at) WHERE status = 'pending';
CREATE TABLE IF NOT EXISTS messages (
  n INTEGER PRIMARY KEY, verification INTEGER NOT NULL, account INTEGER NOT NULL, phase TEXT NOT NULL,
  status TEXT NOT NULL, price INTEGER NOT NULL, ref TEXT, carrier_status TEXT, created_at INTEGER NOT NULL,
  status_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS messages_ref ON messages (ref) WHERE ref IS NOT NULL;
CREATE INDEX IF NOT EXISTS messages_open ON messages (created_at) WHERE phase IN ('pending', 'unknown');
CREATE TABLE IF NOT EXISTS send_limits (
  account INTEGER NOT NULL, number TEXT NOT NULL, since INTEGER NOT NULL, sends INTEGER NOT NULL,
  PRIMARY KEY (account, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS early_receipts (
  ref TEXT NOT NULL, status TEXT NOT NULL, carrier_status TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS outbox (
  n INTEGER PRIMARY KEY, event TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS outbox_due ON outbox (due_at);
`

const MOST_STEPS = 512

interface Money {
  available: number
  held: number
}

interface Verification {
  readonly n: number
  readonly id: string
  readonly to: string
  readonly codeHash: string
  readonly status: Status
  readonly checksLeft: number
  readonly expiresAt: number
}

interface Message {
  readonly n: number
  readonly verification: string
  readonly account: number
  readonly phase: string
  readonly status: string
  readonly price: number
}

interface Limit {
  readonly since: number
  readonly sends: number
}

interface Step {
  readonly attempt: () => void
  readonly succeed: () => void
  readonly fail: (error: unknown) => void
}

const MESSAGE = `SELECT m.n, v.id AS verification, m.account, m.phase, m.status, m.price
  FROM messages m JOIN verifications v ON v.n = m.verification`

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
    limit: db.prepare<[number, string], Limit>("SELECT since, sends FROM send_limits WHERE account = ? AND number = ?"),
    setLimit: db.prepare("INSERT OR REPLACE INTO send_limits (account, number, since, sends) VALUES (?, ?, ?, ?)"),
    insertVerification: db.prepare(
      `INSERT INTO verifications (id, account, recipient, code_hash, status, checks_left, created_at, expires_at)
       VALUES (?, ?, ?, ?, 'pending', ${CHECKS}, ?, ?)`
    ),
    verification: db.prepare<[string, number], Verification>(
      `SELECT n, id, recipient AS 'to', code_hash AS codeHash, status, checks_left AS checksLeft,
       expires_at AS expiresAt FROM verifications WHERE id = ? AND account = ?`
    ),
    setCode: db.prepare("UPDATE verifications SET code_hash = ? WHERE n = ?"),
    setVerification: db.prepare("UPDATE verifications SET status = ?, checks_left = ?, ended_at = ? WHERE n = ?"),
    expired: db.prepare<[number], Verification>(
      `SELECT n, id, checks_left AS checksLeft FROM verifications
       WHERE status = 'pending' AND expires_at <= ? LIMIT 1000`
    ),
    insertMessage: db.prepare(
      `INSERT INTO messages (verification, account, phase, status, price, created_at, status_at)
       VALUES (?, ?, 'pending', 'sent', ?, ?, ?)`
    ),
    message: db.prepare<[number], Message>(`${MESSAGE} WHERE m.n = ?`),
    messageByRef: db.prepare<[string], Message>(`${MESSAGE} WHERE m.ref = ? ORDER BY m.n DESC LIMIT 1`),
    setPhase: db.prepare("UPDATE messages SET phase = ?, status = ?, ref = ?, status_at = ? WHERE n = ?"),
    setStatus: db.prepare(
      "UPDATE messages SET phase = 'accepted', status = ?, carrier_status = ?, status_at = ? WHERE n = ?"
    ),
    insertEarly: db.prepare("INSERT INTO early_receipts (ref, status, carrier_status, at) VALUES (?, ?, ?, ?)"),
    early: db.prepare<[string], Receipt>(
      "SELECT ref, status, carrier_status AS carrierStatus FROM early_receipts WHERE ref = ?"
    ),
    deleteEarly: db.prepare("DELETE FROM early_receipts WHERE ref = ?"),
    earlyExist: db.prepare<[], number>("SELECT EXISTS (SELECT 1 FROM early_receipts)").pluck(),
    emit: db.prepare("INSERT INTO outbox (event, due_at) VALUES (?, ?)"),
    due: db.prepare<[number, number], Waiting>(
      "SELECT n, event, tries FROM outbox WHERE due_at <= ? ORDER BY due_at LIMIT ?"
    ),
    taken: db.prepare("DELETE FROM outbox WHERE n = ?"),
    again: db.prepare("UPDATE outbox SET tries = tries + 1, due_at = ? WHERE n = ?"),
    doubt: db.prepare("UPDATE messages SET phase = 'unknown' WHERE phase = 'pending'"),
    overdue: db
      .prepare<[number], number>("SELECT n FROM messages WHERE phase IN ('pending', 'unknown') AND created_at < ?")
      .pluck(),
    forgetLimits: db.prepare("DELETE FROM send_limits WHERE since < ?"),
    forgetEarly: db.prepare("DELETE FROM early_receipts WHERE at < ?"),
    account: db.prepare<[string], Account>(
      "SELECT n, id, sender FROM accounts WHERE n = (SELECT account FROM keys WHERE hash = ? AND revoked = 0)"
    ),
    insertAccount: db.prepare("INSERT INTO accounts (id, sender, available, held) VALUES (?, ?, ?, 0)"),
    insertKey: db.prepare("INSERT INTO keys (hash, account) VALUES (?, ?)"),
    find: db.prepare<[string, number], Found>(
      `SELECT v.id, v.recipient AS 'to', v.status, v.checks_left, v.expires_at, m.status AS sms, m.price
       FROM verifications v JOIN messages m ON m.verification = v.n WHERE v.id = ? AND v.account = ?
       ORDER BY m.n DESC LIMIT 1`
    )
  }
  // The last process may have sent its pending messages before it died.
  sql.doubt.run()

  /** Balances as the steps of this transaction leave them. */
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

  const emit = (type: string, data: Readonly<Record<string, unknown>>, at: number): void => {
    sql.emit.run(JSON.stringify({ id: `evt_${randomUUID()}`, type, created_at: at, data }), at)
  }

  const emitMessage = ({ n, verification }: Message, status: string, at: number): void =>
    emit(`sms.${status}`, { verification_id: verification, message: n, status }, at)

  /** Ends a verification, or counts a guess. */
  const setVerification = ({ id, n }: Verification, status: Status, checksLeft: number, at: number): void => {
    sql.setVerification.run(status, checksLeft, status === "pending" ? null : at, n)
    if (status !== "pending") emit(`verification.${status}`, { verification_id: id, status }, at)
  }

  /** Counts a send to a number. A window of an hour begins with its first send. */
  const isLimited = (account: number, to: string, at: number): boolean => {
    const limit = sql.limit.get(account, to)
    if (limit === undefined || limit.since <= at - HOUR) sql.setLimit.run(account, to, at, 1)
    else if (limit.sends >= SENDS_AN_HOUR) return true
    else sql.setLimit.run(account, to, limit.since, limit.sends + 1)
    return false
  }

  /** Once money and limit allow it, writes the verification with `record` and opens a message. */
  const open = (account: number, to: string, price: number, at: number, record: () => number): Opened => {
    const money = moneyOf(account)
    if (money.available < price) return { is: "insufficient" }
    if (isLimited(account, to, at)) return { is: "limited" }
    const message = Number(sql.insertMessage.run(record(), account, price, at, at).lastInsertRowid)
    money.available -= price
    money.held += price
    sql.insertEntry.run(account, message, "hold", price, at)
    return { is: "open", message, to }
  }

  const start = ({ account, codeHash, expiresAt, id, price, to }: Start): Promise<Opened> =>
    submit(() => {
      const at = Date.now()
      const record = () => Number(sql.insertVerification.run(id, account, to, codeHash, at, expiresAt).lastInsertRowid)
      return open(account, to, price, at, record)
    })

  const resend = ({ account, codeHash, id, price }: Resend): Promise<Opened> =>
    submit(() => {
      const at = Date.now()
      const verification = sql.verification.get(id, account)
      if (verification === undefined) return { is: "missing" }
      const { expiresAt, n, status, to } = verification
      if (status !== "pending" || expiresAt <= at) return { is: "ended" }
      return open(account, to, price, at, () => {
        sql.setCode.run(codeHash, n)
        return n
      })
    })

  /** Takes the price out of the hold: for good, or back to the balance. */
  const unhold = ({ account, n, price }: Message, kind: "settle" | "release", at: number): void => {
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
      if (message.phase !== "pending" && message.phase !== "unknown") return
      const status = outcome.is === "rejected" ? "failed" : message.status
      sql.setPhase.run(outcome.is, status, outcome.is === "accepted" ? outcome.ref : null, at, n)
      emitMessage(message, outcome.is, at)
      if (outcome.is === "rejected") unhold(message, "release", at)
      if (outcome.is !== "accepted") return
      unhold(message, "settle", at)
      if (sql.earlyExist.get() === 0) return
      for (const early of sql.early.all(outcome.ref)) apply(early, { ...message, phase: "accepted" }, at)
      sql.deleteEarly.run(outcome.ref)
    })

  const apply = ({ carrierStatus, status }: Receipt, message: Message, at: number): void => {
    if (status === "sent" || message.status !== "sent") return
    sql.setStatus.run(status, carrierStatus, at, message.n)
    emitMessage(message, status, at)
  }

  const receipt = (given: Receipt): Promise<void> =>
    submit(() => {
      const at = Date.now()
      const message = sql.messageByRef.get(given.ref)
      if (message === undefined) sql.insertEarly.run(given.ref, given.status, given.carrierStatus, at)
      else apply(given, message, at)
    })

  const check = ({ account, codeHash, id }: Guess): Promise<Checked> =>
    submit(() => {
      const at = Date.now()
      const verification = sql.verification.get(id, account)
      if (verification === undefined) return { is: "missing" }
      if (verification.status !== "pending") return { is: "ended", status: verification.status }
      if (verification.expiresAt <= at) {
        setVerification(verification, "expired", verification.checksLeft, at)
        return { is: "ended", status: "expired" }
      }
      const valid = timingSafeEqual(Buffer.from(codeHash), Buffer.from(verification.codeHash))
      const checksLeft = verification.checksLeft - 1
      const status = valid ? "approved" : checksLeft === 0 ? "failed" : "pending"
      setVerification(verification, status, checksLeft, at)
      return { is: "compared", valid, status, checksLeft }
    })

  const posted = (taken: ReadonlyArray<number>, again: ReadonlyArray<Retry>): Promise<void> =>
    submit(() => {
      for (const n of taken) sql.taken.run(n)
      for (const { dueAt, n } of again) sql.again.run(dueAt, n)
    })

  const sweep = async (): Promise<void> => {
    const now = Date.now()
    for (const n of sql.overdue.all(now - DAY)) await close(n, { is: "rejected" })
    await submit(() => {
      for (const row of sql.expired.all(now)) setVerification(row, "expired", row.checksLeft, now)
      sql.forgetLimits.run(now - HOUR)
      sql.forgetEarly.run(now - DAY)
    })
  }

  const createAccount = (id: string, sender: string, keyHash: string, available: number): Promise<void> =>
    submit(() => {
      const account = sql.insertAccount.run(id, sender, available).lastInsertRowid
      sql.insertEntry.run(account, null, "credit", available, Date.now())
      sql.insertKey.run(keyHash, account)
    })

  return {
    start,
    resend,
    close,
    check,
    receipt,
    dueEvents: async (most) => sql.due.all(Date.now(), most),
    posted,
    sweep,
    createAccount,
    accountByKey: async (hash) => sql.account.get(hash),
    find: async (id, account) => sql.find.get(id, account)
  }
}
