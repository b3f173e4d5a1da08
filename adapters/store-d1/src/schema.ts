/**
 * The tables, and the migrations that create them. The tests write the same statements to `migrations/` for `wrangler
 * d1 migrations apply`.
 *
 * - Accounts have small numbers. An account and a mode are a *tenant*, a tenant and a channel a *partition*; both are
 *   numbers too, see `Partitions` of `@watchword/store/sql`.
 * - The settings of account 0 belong to the installation.
 * - A delivery's `phase` is 0 pending, 1 unknown, 2 accepted, 3 rejected, 4 refunded: below 2 it is open. Its `owner`
 *   is the process that handles it, its `token` belongs to the step that last wrote it.
 * - A claim is held until its expiry (0), a rejection (1) or an end (2).
 * - `listed_at` is the default sort time of a channel's records: the time of the status if the lowest bit of the
 *   partition is set, otherwise of the creation; `week` is its week. `counts` has the number of records of each status
 *   in each eight-hour bucket. See `planOf` of `@watchword/store/sql` for the lists that they and the indexes serve.
 * - An entry is found by its account and its place in the account's ledger. Only credits and debits store an id; other
 *   ids are computed from the row, see `entryIdOf` of `@watchword/store/sql`.
 * - `watch` has the endpoints and the version of a watched delivery as JSON. Events are in `@watchword/store/sql`.
 * - `conflicts` is always empty: a step whose facts have changed since it read them inserts a row, which violates the
 *   constraint, and so aborts the whole step.
 *
 * D1 charges for each row written, including index rows: tables whose rows are found by a single key are WITHOUT ROWID.
 */
import { EventSql, WEEK, createRefused, isReferable, sqliteTrafficTables } from "@watchword/store/sql"
import * as Migrator from "@watchword/store/Migrator"

/**
 * Statements that bring a database from one version to the next, in one transaction. The name is the name of its file.
 */
export interface Migration extends Migrator.Migration {
  readonly statements: ReadonlyArray<string>
}

const tables: Migration = {
  name: "0001_tables.sql",
  statements: [
    `CREATE TABLE accounts (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  caller TEXT,
  sms_sender TEXT,
  sender_username TEXT,
  min_ring INTEGER NOT NULL,
  max_ring INTEGER NOT NULL,
  store_text INTEGER NOT NULL,
  originators TEXT NOT NULL,
  suspended_at INTEGER,
  created_at INTEGER NOT NULL,
  changed_at INTEGER,
  available INTEGER NOT NULL CONSTRAINT enough_available CHECK (available >= 0),
  held INTEGER NOT NULL CONSTRAINT enough_held CHECK (held >= 0),
  entries INTEGER NOT NULL
) STRICT`,
    "CREATE INDEX accounts_changed ON accounts (changed_at) WHERE changed_at IS NOT NULL",
    `CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES accounts (n),
  mode INTEGER NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  last_four TEXT NOT NULL,
  scopes TEXT,
  allow TEXT NOT NULL,
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID`,
    "CREATE INDEX keys_of_account ON keys (account)",
    "CREATE INDEX keys_revoked ON keys (revoked_at) WHERE revoked_at IS NOT NULL",
    `CREATE TABLE settings (
  account INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID`,
    `CREATE TABLE entries (
  account INTEGER NOT NULL,
  n INTEGER NOT NULL,
  given_id TEXT,
  delivery TEXT,
  kind INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  reason TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (account, n)
) STRICT, WITHOUT ROWID`,
    "CREATE UNIQUE INDEX entries_given_id ON entries (given_id) WHERE given_id IS NOT NULL",
    `CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  partition INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  sender TEXT,
  phase INTEGER NOT NULL,
  status TEXT NOT NULL,
  rank INTEGER NOT NULL,
  price INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  named INTEGER NOT NULL,
  reference INTEGER,
  created_at INTEGER NOT NULL,
  status_at INTEGER NOT NULL,
  due_at INTEGER,
  details TEXT NOT NULL,
  watch TEXT,
  owner TEXT NOT NULL,
  token INTEGER NOT NULL,
  listed_at INTEGER NOT NULL AS (iif(partition & 1 = 1, status_at, created_at)) VIRTUAL,
  week INTEGER NOT NULL AS (iif(partition & 1 = 1, status_at, created_at) / ${WEEK}) VIRTUAL
) STRICT, WITHOUT ROWID`,
    "CREATE INDEX deliveries_listed ON deliveries (partition, listed_at, id, status)",
    "CREATE INDEX deliveries_by_recipient ON deliveries (partition, week, recipient)",
    "CREATE INDEX deliveries_open ON deliveries (phase, created_at, id) WHERE phase < 2",
    "CREATE INDEX deliveries_due ON deliveries (partition & 255, due_at, id) WHERE due_at IS NOT NULL",
    `CREATE INDEX deliveries_referred ON deliveries (reference, recipient) WHERE ${isReferable()}`,
    `CREATE TABLE processes (
  id TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID`,
    `CREATE TABLE counts (
  partition INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  status TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (partition, bucket, status)
) STRICT, WITHOUT ROWID`,
    `CREATE TABLE counters (
  key TEXT NOT NULL,
  until INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (key, until)
) STRICT, WITHOUT ROWID`,
    "CREATE INDEX counters_until ON counters (until)",
    `CREATE TABLE claims (
  tenant INTEGER NOT NULL,
  key TEXT NOT NULL,
  delivery TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  held_until INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID`,
    "CREATE INDEX claims_expiring ON claims (expires_at)",
    `CREATE TABLE parts (
  channel INTEGER NOT NULL,
  ref TEXT NOT NULL,
  delivery TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (channel, ref)
) STRICT, WITHOUT ROWID`,
    "CREATE INDEX parts_of_delivery ON parts (delivery)",
    `CREATE TABLE part_reports (
  delivery TEXT NOT NULL,
  status TEXT NOT NULL,
  part TEXT NOT NULL,
  PRIMARY KEY (delivery, status, part)
) STRICT, WITHOUT ROWID`,
    `CREATE TABLE unmatched_reports (
  n INTEGER PRIMARY KEY,
  channel INTEGER NOT NULL,
  refs TEXT NOT NULL,
  recipient TEXT,
  reference INTEGER,
  status TEXT,
  rank INTEGER NOT NULL,
  details TEXT NOT NULL,
  every_part INTEGER NOT NULL,
  refund INTEGER NOT NULL,
  conditions TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT`,
    "CREATE INDEX unmatched_reports_at ON unmatched_reports (at)",
    "CREATE INDEX unmatched_reports_of_channel ON unmatched_reports (channel, at)",
    `CREATE TABLE unmatched_refs (
  channel INTEGER NOT NULL,
  ref TEXT NOT NULL,
  report INTEGER NOT NULL,
  PRIMARY KEY (channel, ref, report)
) STRICT, WITHOUT ROWID`,
    ...EventSql.eventTables,
    `CREATE TABLE signals (
  n INTEGER PRIMARY KEY,
  topic TEXT NOT NULL,
  delivery TEXT NOT NULL
) STRICT`,
    `CREATE TABLE conflicts (
  changed INTEGER CONSTRAINT if_unchanged CHECK (changed = 0)
) STRICT`
  ]
}

const trafficAndLog: Migration = {
  name: "0002_traffic_and_log.sql",
  statements: [
    ...sqliteTrafficTables,
    `CREATE TABLE operator_log (
  id TEXT PRIMARY KEY,
  who TEXT NOT NULL,
  face TEXT NOT NULL,
  command TEXT NOT NULL,
  input TEXT NOT NULL,
  outcome TEXT,
  output TEXT
) STRICT, WITHOUT ROWID`
  ]
}

const refusedRequests: Migration = {
  name: "0003_refused_requests.sql",
  statements: createRefused("INTEGER PRIMARY KEY", { options: " STRICT" })
}

export const migrations: ReadonlyArray<Migration> = [tables, trafficAndLog, refusedRequests]

/** The statements of a migration, the last of which records it. */
export const recording = (migration: Migration, version: number): ReadonlyArray<string> => [
  ...(version === 1 ? [Migrator.createJournal()] : []),
  ...migration.statements,
  Migrator.insertRecord(version, migration)
]

/** The content of the corresponding file in `migrations/`. */
export const written = (migration: Migration, version: number): string =>
  recording(migration, version)
    .map((statement) => `${statement};\n`)
    .join("\n")
