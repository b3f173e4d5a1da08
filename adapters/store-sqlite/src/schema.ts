/**
 * The tables, and the migrations that create them.
 *
 * - Accounts have small numbers. An account, a mode and a channel are a *partition*, an account and a mode a *tenant*;
 *   both are numbers too, see `Partitions` of `@watchword/store/sql`.
 * - The settings of account 0 belong to the installation.
 * - A delivery's `phase` is 0 pending, 1 unknown, 2 accepted, 3 rejected, 4 refunded: below 2 it is open. Its `owner`
 *   is the process that handles it. A claim is held until its expiry (0), a rejection (1) or an end (2).
 * - Numbers of accounts and deliveries are never reused after a deletion, because other rows keep them.
 * - `listed_at` is the default sort time of a channel's records, `week` is its week. `counts` has the number of records
 *   of each status in each eight-hour bucket, `fine_counts` in each eight-minute bucket. See `planOf` of
 *   `@watchword/store/sql` for the lists that they and the indexes serve.
 * - `watch` has the endpoints and the version of a watched delivery as JSON. Events are in `@watchword/store/sql`.
 * - An entry's `place` is its account's number and, in the lower 40 bits, its place in the account's ledger. Only
 *   credits and debits store an id; the ids of other entries are computed from their rows, see Entries.ts.
 */
import { EventSql, createRefused, isReferable, sqliteTrafficTables } from "@watchword/store/sql"
import type * as Migrator from "@watchword/store/Migrator"

/** Statements that bring a file from one version to the next, in one transaction. */
export interface Migration extends Migrator.Migration {
  readonly sql: string
}

const tables = `
CREATE TABLE accounts (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
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
  available INTEGER NOT NULL CHECK (available >= 0),
  held INTEGER NOT NULL CHECK (held >= 0),
  entries INTEGER NOT NULL
) STRICT;
CREATE INDEX accounts_changed ON accounts (changed_at) WHERE changed_at IS NOT NULL;

CREATE TABLE keys (
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
) STRICT;
CREATE INDEX keys_of_account ON keys (account);
CREATE INDEX keys_revoked ON keys (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE settings (
  account INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE entries (
  place INTEGER PRIMARY KEY,
  given_id TEXT,
  delivery INTEGER,
  kind INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  reason TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX entries_given_id ON entries (given_id) WHERE given_id IS NOT NULL;

CREATE TABLE deliveries (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
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
  owner INTEGER NOT NULL,
  week INTEGER NOT NULL,
  listed_at INTEGER NOT NULL AS (iif(partition & 1, status_at, created_at)) VIRTUAL
) STRICT;
CREATE INDEX deliveries_listed ON deliveries (partition, listed_at, id, status);
CREATE INDEX deliveries_by_recipient ON deliveries (partition, week, recipient);
CREATE INDEX deliveries_open ON deliveries (phase, created_at, id) WHERE phase < 2;
CREATE INDEX deliveries_due ON deliveries (partition & 255, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_referred ON deliveries (reference, recipient) WHERE reference IS NOT NULL AND ${isReferable()};

CREATE TABLE processes (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  until INTEGER NOT NULL
) STRICT;

CREATE TABLE counts (
  partition INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  status TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (partition, bucket, status)
) STRICT, WITHOUT ROWID;

CREATE TABLE fine_counts (
  partition INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  status TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (partition, bucket, status)
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
  key TEXT NOT NULL,
  until INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (key, until)
) STRICT, WITHOUT ROWID;

CREATE TABLE claims (
  tenant INTEGER NOT NULL,
  key TEXT NOT NULL,
  delivery INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  held_until INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX claims_expiring ON claims (expires_at);

CREATE TABLE parts (
  channel INTEGER NOT NULL,
  ref TEXT NOT NULL,
  delivery INTEGER NOT NULL,
  name TEXT,
  PRIMARY KEY (channel, ref)
) STRICT, WITHOUT ROWID;
CREATE INDEX parts_of_delivery ON parts (delivery);

CREATE TABLE part_reports (
  delivery INTEGER NOT NULL,
  status TEXT NOT NULL,
  part TEXT NOT NULL,
  PRIMARY KEY (delivery, status, part)
) STRICT, WITHOUT ROWID;

CREATE TABLE unmatched_reports (
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
) STRICT;
CREATE INDEX unmatched_reports_at ON unmatched_reports (at);
CREATE INDEX unmatched_reports_of_channel ON unmatched_reports (channel, at);

CREATE TABLE unmatched_refs (
  channel INTEGER NOT NULL,
  ref TEXT NOT NULL,
  report INTEGER NOT NULL,
  PRIMARY KEY (channel, ref, report)
) STRICT, WITHOUT ROWID;

${EventSql.eventTables.map((statement) => `${statement};`).join("\n")}
`

const log = `
CREATE TABLE operator_log (
  id TEXT PRIMARY KEY,
  who TEXT NOT NULL,
  face TEXT NOT NULL,
  command TEXT NOT NULL,
  input TEXT NOT NULL,
  outcome TEXT,
  output TEXT
) STRICT, WITHOUT ROWID;
`

export const migrations: ReadonlyArray<Migration> = [
  { name: "tables", sql: tables },
  { name: "traffic and log", sql: `${sqliteTrafficTables.join(";\n")};${log}` },
  { name: "refused requests", sql: `${createRefused("INTEGER PRIMARY KEY", { options: " STRICT" }).join(";\n")};` }
]
