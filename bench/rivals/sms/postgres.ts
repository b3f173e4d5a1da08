/**
 * Accounts, keys, messages and the ledger in PostgreSQL. Each step is one call of a function, prepared on each of ten
 * connections: one round trip and one transaction.
 */
import { Pool } from "pg"
import type { Account, Message, Opened, Outcome, Receipt, Store } from "./store.ts"

const SCHEMA = `
CREATE TABLE IF NOT EXISTS accounts (
  n int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, id text NOT NULL UNIQUE, sender text,
  available bigint NOT NULL CHECK (available >= 0), held bigint NOT NULL CHECK (held >= 0)
);
CREATE TABLE IF NOT EXISTS keys (hash text PRIMARY KEY, account int NOT NULL, revoked boolean NOT NULL DEFAULT false);
CREATE TABLE IF NOT EXISTS entries (
  n bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, account int NOT NULL, message bigint, kind text NOT NULL,
  amount bigint NOT NULL, at bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS messages (
  n bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, id text NOT NULL UNIQUE, account int NOT NULL,
  recipient text NOT NULL, sender text NOT NULL, phase text NOT NULL, status text NOT NULL, price bigint NOT NULL,
  parts int NOT NULL, carrier_status text, created_at bigint NOT NULL, status_at bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX IF NOT EXISTS messages_open ON messages (created_at) WHERE phase IN ('pending', 'unknown');
CREATE TABLE IF NOT EXISTS parts (ref text PRIMARY KEY, message bigint NOT NULL, status text) WITH (fillfactor = 70);
CREATE TABLE IF NOT EXISTS early_receipts (
  ref text NOT NULL, status text NOT NULL, carrier_status text NOT NULL, at bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS early_receipts_ref ON early_receipts (ref);
CREATE TABLE IF NOT EXISTS requests (
  account int NOT NULL, digest text NOT NULL, message bigint NOT NULL, at bigint NOT NULL,
  PRIMARY KEY (account, digest)
);
CREATE INDEX IF NOT EXISTS requests_at ON requests (at);

-- The account comes last in every function: its row is locked until the commit is on the disk.
CREATE OR REPLACE FUNCTION open_message(
  p_id text, p_account int, p_digest text, p_to text, p_from text, p_price bigint, p_parts int, p_at bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE m bigint := nextval('messages_n_seq');
BEGIN
  IF p_digest IS NOT NULL THEN
    INSERT INTO requests AS r VALUES (p_account, p_digest, m, p_at)
      ON CONFLICT (account, digest) DO UPDATE SET message = excluded.message, at = excluded.at
      WHERE (SELECT phase FROM messages WHERE n = r.message) = 'rejected';
    IF NOT FOUND THEN RETURN 0; END IF;
  END IF;
  INSERT INTO messages OVERRIDING SYSTEM VALUE
    VALUES (m, p_id, p_account, p_to, p_from, 'pending', 'sent', p_price, p_parts, NULL, p_at, p_at);
  INSERT INTO entries (account, message, kind, amount, at) VALUES (p_account, m, 'hold', p_price, p_at);
  UPDATE accounts SET available = available - p_price, held = held + p_price
    WHERE n = p_account AND available >= p_price;
  IF NOT FOUND THEN RAISE 'insufficient' USING ERRCODE = 'WW402'; END IF;
  RETURN m;
END $$;

CREATE OR REPLACE FUNCTION unhold(p_account int, p_message bigint, p_price bigint, p_kind text, p_at bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO entries (account, message, kind, amount, at) VALUES (p_account, p_message, p_kind, p_price, p_at);
  UPDATE accounts SET held = held - p_price,
    available = available + CASE p_kind WHEN 'release' THEN p_price ELSE 0 END WHERE n = p_account;
END $$;

CREATE OR REPLACE FUNCTION apply_receipt(p_message bigint, p_ref text, p_status text, p_carrier_status text, p_at bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE m messages;
BEGIN
  SELECT * INTO m FROM messages WHERE n = p_message FOR NO KEY UPDATE;
  IF p_status <> 'sent' AND m.status = 'sent' THEN
    UPDATE parts SET status = p_status WHERE ref = p_ref AND status IS NULL;
    IF FOUND AND (p_status <> 'delivered' OR m.parts = 1 OR
      (SELECT count(*) FROM parts WHERE message = p_message AND status = 'delivered') >= m.parts)
    THEN
      UPDATE messages SET phase = 'accepted', status = p_status, carrier_status = p_carrier_status, status_at = p_at
        WHERE n = p_message;
    END IF;
  END IF;
  -- A receipt proves that the carrier took the message.
  IF m.phase IN ('pending', 'unknown') THEN
    UPDATE messages SET phase = 'accepted' WHERE n = p_message;
    PERFORM unhold(m.account, p_message, m.price, 'settle', p_at);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION close_message(p_message bigint, p_outcome text, p_refs text[], p_at bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE m messages; early early_receipts;
BEGIN
  -- A receipt that is being stored as early either sees the part, or is seen here.
  PERFORM pg_advisory_xact_lock(hashtext(ref)) FROM unnest(p_refs) ref ORDER BY ref;
  SELECT * INTO m FROM messages WHERE n = p_message FOR NO KEY UPDATE;
  INSERT INTO parts SELECT ref, p_message FROM unnest(p_refs) ref
    ON CONFLICT (ref) DO UPDATE SET message = excluded.message, status = NULL;
  IF m.phase IN ('pending', 'unknown') THEN
    UPDATE messages SET phase = p_outcome, status_at = p_at,
      status = CASE p_outcome WHEN 'rejected' THEN 'failed' ELSE status END WHERE n = p_message;
  END IF;
  FOR early IN DELETE FROM early_receipts WHERE ref = ANY (p_refs) RETURNING * LOOP
    PERFORM apply_receipt(p_message, early.ref, early.status, early.carrier_status, p_at);
  END LOOP;
  IF m.phase IN ('pending', 'unknown') AND p_outcome <> 'unknown' THEN
    PERFORM unhold(m.account, p_message, m.price, CASE p_outcome WHEN 'accepted' THEN 'settle' ELSE 'release' END, p_at);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION store_receipt(p_ref text, p_status text, p_carrier_status text, p_at bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE m bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext(p_ref));
  SELECT message INTO m FROM parts WHERE ref = p_ref;
  IF FOUND THEN PERFORM apply_receipt(m, p_ref, p_status, p_carrier_status, p_at);
  ELSE INSERT INTO early_receipts VALUES (p_ref, p_status, p_carrier_status, p_at);
  END IF;
END $$;
`

const DAY = 24 * 60 * 60 * 1000
const CONNECTIONS = 10
const INSUFFICIENT = "WW402"

export const openPostgres = async (address: string): Promise<Store> => {
  const pool = new Pool({ connectionString: address, max: CONNECTIONS })
  pool.on("error", () => {})
  await pool.query(SCHEMA)
  // A message that was pending when the last process died may have been sent.
  await pool.query("UPDATE messages SET phase = 'unknown' WHERE phase = 'pending'")

  const open = async ({ account, digest, from, id, parts, price, to }: Message): Promise<Opened> => {
    try {
      const { rows } = await pool.query<{ readonly n: string }>({
        name: "open",
        text: "SELECT open_message($1, $2, $3, $4, $5, $6, $7, $8) AS n",
        values: [id, account, digest, to, from, price, parts, Date.now()]
      })
      const n = Number(rows[0]?.n)
      return n === 0 ? { is: "duplicate" } : { is: "open", n }
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === INSUFFICIENT) return { is: "insufficient" }
      throw error
    }
  }

  const close = async (n: number, outcome: Outcome): Promise<void> => {
    await pool.query({
      name: "close",
      text: "SELECT close_message($1, $2, $3, $4)",
      values: [n, outcome.is, outcome.is === "accepted" ? outcome.refs : [], Date.now()]
    })
  }

  const receipt = async ({ carrierStatus, ref, status }: Receipt): Promise<void> => {
    await pool.query({
      name: "receipt",
      text: "SELECT store_receipt($1, $2, $3, $4)",
      values: [ref, status, carrierStatus, Date.now()]
    })
  }

  const sweep = async (): Promise<void> => {
    const now = Date.now()
    await pool.query(
      `SELECT close_message(n, 'rejected', '{}', $2) FROM messages
       WHERE phase IN ('pending', 'unknown') AND created_at < $1`,
      [now - DAY, now]
    )
    await pool.query("DELETE FROM requests WHERE at < $1", [now - DAY])
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

  const find = async (id: string, account: number): Promise<unknown> => {
    const { rows } = await pool.query({
      name: "find",
      text: `SELECT id, recipient AS to, sender AS from, status, price, parts, created_at, status_at FROM messages
             WHERE id = $1 AND account = $2`,
      values: [id, account]
    })
    return rows[0]
  }

  return { open, close, receipt, sweep, createAccount, accountByKey, find }
}
