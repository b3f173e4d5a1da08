/**
 * The database: its tables, and queries whose only column is JSON, so that rows need no decoding. Columns by which
 * records are found are generated from their JSON.
 */
import { DatabaseSync, type SQLInputValue } from "node:sqlite"

const tables = `
CREATE TABLE IF NOT EXISTS accounts (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  changed_at INTEGER NOT NULL DEFAULT 0,
  available INTEGER NOT NULL DEFAULT 0 CHECK (available >= 0),
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0)
);
CREATE TABLE IF NOT EXISTS keys (id TEXT PRIMARY KEY, account TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, key TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS settings (owner TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (owner, name));
CREATE TABLE IF NOT EXISTS operator_log (id TEXT PRIMARY KEY, entry TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS refused_requests (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, request TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entries (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL, entry TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS entries_of_account ON entries (account, n);
CREATE TABLE IF NOT EXISTS deliveries (
  id TEXT PRIMARY KEY,
  record TEXT NOT NULL,
  owner TEXT NOT NULL,
  tenant TEXT AS (record ->> 'account' || ' ' || (record ->> 'mode')),
  channel TEXT AS (record ->> 'channel'),
  phase TEXT AS (record ->> 'phase'),
  status TEXT AS (record ->> '$.status.name'),
  recipient TEXT AS (record ->> 'to'),
  sender TEXT AS (record ->> 'from'),
  price INTEGER AS (record ->> 'price'),
  parts INTEGER AS (record ->> 'parts'),
  reference INTEGER AS (record ->> 'reference'),
  created_at INTEGER AS (record ->> 'createdAt'),
  status_at INTEGER AS (record ->> 'statusAt'),
  due_at INTEGER AS (record ->> 'dueAt'),
  details TEXT AS (record -> 'details')
);
CREATE INDEX IF NOT EXISTS deliveries_listed ON deliveries (tenant, channel, created_at, id);
CREATE INDEX IF NOT EXISTS deliveries_open ON deliveries (phase, created_at, id) WHERE phase IN ('pending', 'unknown');
CREATE INDEX IF NOT EXISTS deliveries_in_status ON deliveries (channel, status, created_at, id);
CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (channel, due_at, id) WHERE due_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS claims (
  tenant TEXT NOT NULL,
  key TEXT NOT NULL,
  claim TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, key)
);
CREATE TABLE IF NOT EXISTS parts (
  channel TEXT NOT NULL,
  ref TEXT NOT NULL,
  part TEXT NOT NULL,
  PRIMARY KEY (channel, ref)
);
CREATE TABLE IF NOT EXISTS part_reports (
  delivery TEXT NOT NULL,
  status TEXT NOT NULL,
  part TEXT NOT NULL,
  PRIMARY KEY (delivery, status, part)
);
CREATE TABLE IF NOT EXISTS unmatched (n INTEGER PRIMARY KEY, channel TEXT NOT NULL, report TEXT NOT NULL, at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS events (
  id TEXT PRIMARY KEY,
  endpoint TEXT NOT NULL,
  state TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  answer TEXT,
  answered_at INTEGER,
  event TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS events_due ON events (endpoint, due_at, id) WHERE state IN ('waiting', 'taken');
CREATE TABLE IF NOT EXISTS counters (key TEXT NOT NULL, until INTEGER NOT NULL, amount INTEGER NOT NULL, PRIMARY KEY (key, until));
CREATE INDEX IF NOT EXISTS counters_until ON counters (until);
CREATE TABLE IF NOT EXISTS processes (id TEXT PRIMARY KEY, until INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS traffic (hour INTEGER NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (hour, key));
`

/** Opens a file, made when it is missing. */
export const open = (file: string) => {
  const db = new DatabaseSync(file, { timeout: 10_000 })
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
  db.exec(tables)

  /** The first column of each row is a JSON text. */
  const all = <Row>(sql: string, ...values: Array<SQLInputValue>): ReadonlyArray<Row> =>
    db
      .prepare(sql)
      .all(...values)
      .map((row) => JSON.parse(String(Object.values(row)[0])))

  const one = <Row>(sql: string, ...values: Array<SQLInputValue>): Row | undefined => all<Row>(sql, ...values)[0]

  const run = (sql: string, ...values: Array<SQLInputValue>): number => Number(db.prepare(sql).run(...values).changes)

  /** All of the work happens, or none. */
  const transaction = <A>(work: () => A): A => {
    db.exec("BEGIN IMMEDIATE")
    try {
      const result = work()
      db.exec("COMMIT")
      return result
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK")
      throw error
    }
  }

  return { all, one, run, transaction, close: () => db.close() }
}

export type Database = ReturnType<typeof open>
