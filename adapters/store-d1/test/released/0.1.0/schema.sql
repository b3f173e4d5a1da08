CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE watchword_migrations (version integer PRIMARY KEY, name text NOT NULL, floor integer NOT NULL);

CREATE TABLE accounts (
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
) STRICT, WITHOUT ROWID;

CREATE INDEX keys_of_account ON keys (account);

CREATE INDEX keys_revoked ON keys (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE settings (
  account INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE entries (
  account INTEGER NOT NULL,
  n INTEGER NOT NULL,
  given_id TEXT,
  delivery TEXT,
  kind INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  reason TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (account, n)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX entries_given_id ON entries (given_id) WHERE given_id IS NOT NULL;

CREATE TABLE deliveries (
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
  week INTEGER NOT NULL AS (iif(partition & 1 = 1, status_at, created_at) / 604800000) VIRTUAL
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_listed ON deliveries (partition, listed_at, id, status);

CREATE INDEX deliveries_by_recipient ON deliveries (partition, week, recipient);

CREATE INDEX deliveries_open ON deliveries (phase, created_at, id) WHERE phase < 2;

CREATE INDEX deliveries_due ON deliveries (partition & 255, due_at, id) WHERE due_at IS NOT NULL;

CREATE INDEX deliveries_referred ON deliveries (reference, recipient) WHERE (phase < 2 OR phase = 2 AND parts > 1 AND named < parts);

CREATE TABLE processes (
  id TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE counts (
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

CREATE INDEX counters_until ON counters (until);

CREATE TABLE claims (
  tenant INTEGER NOT NULL,
  key TEXT NOT NULL,
  delivery TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  held_until INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX claims_expiring ON claims (expires_at);

CREATE TABLE parts (
  channel INTEGER NOT NULL,
  ref TEXT NOT NULL,
  delivery TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (channel, ref)
) STRICT, WITHOUT ROWID;

CREATE INDEX parts_of_delivery ON parts (delivery);

CREATE TABLE part_reports (
  delivery TEXT NOT NULL,
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

CREATE TABLE events (
  id TEXT PRIMARY KEY,
  endpoint TEXT NOT NULL,
  state INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  answer TEXT,
  answered_at INTEGER,
  event TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX events_pending ON events (endpoint, state, due_at, id) WHERE state < 2;

CREATE INDEX events_ended ON events (endpoint, state, answered_at) WHERE state > 1;

CREATE TABLE signals (
  n INTEGER PRIMARY KEY,
  topic TEXT NOT NULL,
  delivery TEXT NOT NULL
) STRICT;

CREATE TABLE conflicts (
  changed INTEGER CONSTRAINT if_unchanged CHECK (changed = 0)
) STRICT;

INSERT INTO watchword_migrations (version, name, floor) VALUES (1, '0001_tables.sql', 1);

INSERT INTO d1_migrations (name) VALUES ('0001_tables.sql');

CREATE TABLE traffic (
  hour INTEGER NOT NULL,
  account TEXT NOT NULL,
  mode TEXT NOT NULL,
  channel TEXT NOT NULL,
  carrier TEXT NOT NULL,
  country TEXT NOT NULL,
  sent INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  approved INTEGER NOT NULL,
  expired INTEGER NOT NULL,
  blocked INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  price INTEGER NOT NULL,
  delay_0 INTEGER NOT NULL,
  delay_1 INTEGER NOT NULL,
  delay_2 INTEGER NOT NULL,
  delay_3 INTEGER NOT NULL,
  delay_4 INTEGER NOT NULL,
  delay_5 INTEGER NOT NULL,
  delay_6 INTEGER NOT NULL,
  delay_7 INTEGER NOT NULL,
  delay_8 INTEGER NOT NULL,
  delay_9 INTEGER NOT NULL,
  delay_10 INTEGER NOT NULL,
  PRIMARY KEY (hour, account, mode, channel, carrier, country)
) STRICT, WITHOUT ROWID;

CREATE TABLE traffic_days (
  hour INTEGER NOT NULL,
  account TEXT NOT NULL,
  mode TEXT NOT NULL,
  channel TEXT NOT NULL,
  carrier TEXT NOT NULL,
  country TEXT NOT NULL,
  sent INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  approved INTEGER NOT NULL,
  expired INTEGER NOT NULL,
  blocked INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  price INTEGER NOT NULL,
  delay_0 INTEGER NOT NULL,
  delay_1 INTEGER NOT NULL,
  delay_2 INTEGER NOT NULL,
  delay_3 INTEGER NOT NULL,
  delay_4 INTEGER NOT NULL,
  delay_5 INTEGER NOT NULL,
  delay_6 INTEGER NOT NULL,
  delay_7 INTEGER NOT NULL,
  delay_8 INTEGER NOT NULL,
  delay_9 INTEGER NOT NULL,
  delay_10 INTEGER NOT NULL,
  PRIMARY KEY (hour, account, mode, channel, carrier, country)
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_log (
  id TEXT PRIMARY KEY,
  who TEXT NOT NULL,
  face TEXT NOT NULL,
  command TEXT NOT NULL,
  input TEXT NOT NULL,
  outcome TEXT,
  output TEXT
) STRICT, WITHOUT ROWID;

INSERT INTO watchword_migrations (version, name, floor) VALUES (2, '0002_traffic_and_log.sql', 1);

INSERT INTO d1_migrations (name) VALUES ('0002_traffic_and_log.sql');

CREATE TABLE refused_requests (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account TEXT,
  mode TEXT,
  key TEXT,
  operation TEXT NOT NULL,
  status INTEGER NOT NULL,
  code TEXT NOT NULL,
  reason TEXT,
  request_id TEXT,
  client TEXT,
  number TEXT,
  count INTEGER NOT NULL
) STRICT;

CREATE INDEX refused_requests_of_account ON refused_requests (account, id) WHERE account IS NOT NULL;

INSERT INTO watchword_migrations (version, name, floor) VALUES (3, '0003_refused_requests.sql', 1);

INSERT INTO d1_migrations (name) VALUES ('0003_refused_requests.sql');
