/**
 * Verifications, messages, the ledger and the outbox in PostgreSQL. While a transaction
 * commits, steps wait and then share the next transaction, a single statement. Without grouping, each step has a
 * transaction, on one of ten connections.
 */
import { Pool } from "pg"
import type { Account } from "../sms/store.ts"
import { SCHEMA } from "./schema.ts"
import { type Checked, DAY, type Found, HOUR, type Opened, type Store, type Waiting } from "./store.ts"

const CONNECTIONS = 10
const MOST_STEPS = 512

interface Step {
  readonly text: string
  readonly succeed: (answer: string) => void
  readonly fail: (error: unknown) => void
}

export const openPostgres = async (address: string, grouped: boolean): Promise<Store> => {
  // One more connection for reads.
  const pool = new Pool({ connectionString: address, max: CONNECTIONS + 1 })
  pool.on("error", () => {})
  await pool.query(SCHEMA)
  // The last process may have sent its pending messages before it died.
  await pool.query("UPDATE messages SET phase = 'unknown' WHERE phase = 'pending'")

  const [writers, most] = grouped ? [1, MOST_STEPS] : [CONNECTIONS, 1]
  const waiting: Array<Step> = []
  let writing = 0

  const write = async (steps: ReadonlyArray<Step>): Promise<void> => {
    try {
      const { rows } = await pool.query<{ readonly answer: string }>({
        name: "run",
        text: "SELECT answer::text FROM run_steps($1) answer",
        values: [`[${steps.map(({ text }) => text).join()}]`]
      })
      for (const [index, { succeed }] of steps.entries()) succeed(rows[index]?.answer ?? "{}")
    } catch (error) {
      // A failing step must not take its neighbours with it.
      if (steps.length > 1) for (const step of steps) await write([step])
      else for (const { fail } of steps) fail(error)
    }
  }

  const pump = (): void => {
    while (writing < writers && waiting.length > 0) {
      writing++
      void write(waiting.splice(0, most)).finally(() => {
        writing--
        pump()
      })
    }
  }

  const submit = <A>(step: object): Promise<A> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(pump)
      waiting.push({
        text: JSON.stringify({ ...step, at: Date.now() }),
        succeed: (answer) => resolve(JSON.parse(answer)),
        fail: reject
      })
    })

  const sweep = async (): Promise<void> => {
    const now = Date.now()
    await pool.query(
      `SELECT close_message(n, 'rejected', NULL, $2) FROM messages
       WHERE phase IN ('pending', 'unknown') AND created_at < $1`,
      [now - DAY, now]
    )
    await pool.query(
      `SELECT end_verification(v, 'expired', $1) FROM (
         SELECT * FROM verifications WHERE status = 'pending' AND expires_at <= $1
         LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED
       ) v`,
      [now]
    )
    await pool.query("DELETE FROM send_limits WHERE since < $1", [now - HOUR])
    await pool.query("DELETE FROM early_receipts WHERE at < $1", [now - DAY])
  }

  const createAccount = async (id: string, sender: string, keyHash: string, available: number): Promise<void> => {
    await pool.query(
      `WITH a AS (INSERT INTO accounts (id, sender, available, held) VALUES ($1, $2, $3, 0) RETURNING n),
       e AS (INSERT INTO entries (account, kind, amount, at) SELECT n, 'credit', $3, $4 FROM a)
       INSERT INTO keys (hash, account) SELECT $5, n FROM a`,
      [id, sender, available, Date.now(), keyHash]
    )
  }

  const accountByKey = async (hash: string): Promise<Account | undefined> => {
    const { rows } = await pool.query<Account>({
      name: "account",
      text: "SELECT n, id, sender FROM accounts WHERE n = (SELECT account FROM keys WHERE hash = $1 AND NOT revoked)",
      values: [hash]
    })
    return rows[0]
  }

  const dueEvents = async (most: number): Promise<ReadonlyArray<Waiting>> => {
    const { rows } = await pool.query<Waiting>({
      name: "due",
      // Numbers of rows stay far below 2^53.
      text: "SELECT n::float8 AS n, event, tries FROM outbox WHERE due_at <= $1 ORDER BY due_at LIMIT $2",
      values: [Date.now(), most]
    })
    return rows
  }

  const find = async (id: string, account: number): Promise<Found | undefined> => {
    const { rows } = await pool.query<Found>({
      name: "find",
      text: `SELECT v.id, v.recipient AS to, v.status, v.checks_left,
             v.expires_at::float8 AS expires_at, m.status AS sms, m.price::float8 AS price
             FROM verifications v JOIN messages m ON m.verification = v.n WHERE v.id = $1 AND v.account = $2
             ORDER BY m.n DESC LIMIT 1`,
      values: [id, account]
    })
    return rows[0]
  }

  return {
    start: (start) => submit<Opened>({ do: "start", ...start }),
    resend: (resend) => submit<Opened>({ do: "resend", ...resend }),
    check: (guess) => submit<Checked>({ do: "check", ...guess }),
    close: async (message, outcome) => {
      const ref = outcome.is === "accepted" ? outcome.ref : null
      await submit({ do: "close", message, outcome: outcome.is, ref })
    },
    receipt: async (receipt) => {
      await submit({ do: "receipt", ...receipt })
    },
    posted: async (taken, again) => {
      await submit({ do: "posted", taken, again })
    },
    dueEvents,
    sweep,
    createAccount,
    accountByKey,
    find
  }
}
