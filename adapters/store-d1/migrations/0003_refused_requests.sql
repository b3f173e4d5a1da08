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
