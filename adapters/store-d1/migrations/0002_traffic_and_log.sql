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
