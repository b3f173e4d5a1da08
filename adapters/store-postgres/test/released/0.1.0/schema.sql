CREATE SCHEMA "watchword";
CREATE TABLE "watchword".watchword_migrations (version integer PRIMARY KEY, name text NOT NULL, floor integer NOT NULL);


CREATE TABLE "watchword".accounts (
  n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  name text NOT NULL,
  caller text,
  sms_sender text,
  sender_username text,
  min_ring integer NOT NULL,
  max_ring integer NOT NULL,
  store_text boolean NOT NULL,
  originators jsonb NOT NULL,
  suspended_at bigint,
  created_at bigint NOT NULL,
  changed_at bigint,
  available bigint NOT NULL CHECK (available >= 0),
  held bigint NOT NULL CHECK (held >= 0),
  entries bigint NOT NULL
) WITH (fillfactor = 20);
CREATE INDEX accounts_changed ON "watchword".accounts (changed_at) WHERE changed_at IS NOT NULL;

CREATE TABLE "watchword".keys (
  id text COLLATE "C" PRIMARY KEY,
  account integer NOT NULL REFERENCES "watchword".accounts (n),
  mode smallint NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE,
  prefix text NOT NULL,
  last_four text NOT NULL,
  scopes jsonb,
  allow jsonb NOT NULL,
  expires_at bigint,
  created_at bigint NOT NULL,
  revoked_at bigint,
  last_used_at bigint
);
CREATE INDEX keys_of_account ON "watchword".keys (account);
CREATE INDEX keys_revoked ON "watchword".keys (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE "watchword".settings (
  account integer NOT NULL,
  name text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (account, name)
);

CREATE TABLE "watchword".entries (
  account integer NOT NULL,
  n bigint NOT NULL,
  given_id text COLLATE "C",
  delivery text COLLATE "C",
  kind smallint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  reason text,
  at bigint NOT NULL,
  PRIMARY KEY (account, n)
);
CREATE UNIQUE INDEX entries_given_id ON "watchword".entries (given_id) WHERE given_id IS NOT NULL;

CREATE TABLE "watchword".deliveries (
  id text COLLATE "C" PRIMARY KEY,
  account integer NOT NULL,
  mode smallint NOT NULL,
  channel smallint NOT NULL,
  recipient text COLLATE "C" NOT NULL,
  sender text COLLATE "C",
  phase smallint NOT NULL,
  status text COLLATE "C" NOT NULL,
  rank integer NOT NULL,
  price bigint NOT NULL,
  parts integer NOT NULL,
  named integer NOT NULL,
  reference integer,
  created_at bigint NOT NULL,
  status_at bigint NOT NULL,
  due_at bigint,
  details jsonb NOT NULL,
  owner text COLLATE "C" NOT NULL,
  watch jsonb,
  listed_at bigint NOT NULL GENERATED ALWAYS AS (CASE WHEN channel & 1 = 1 THEN status_at ELSE created_at END) STORED
);
CREATE INDEX deliveries_listed ON "watchword".deliveries (account, mode, channel, listed_at, id, status);
CREATE INDEX deliveries_by_recipient ON "watchword".deliveries (account, mode, channel, (listed_at / 604800000), recipient, listed_at);
CREATE INDEX deliveries_open ON "watchword".deliveries (phase, created_at, id) WHERE phase < 2;
CREATE INDEX deliveries_due ON "watchword".deliveries (channel, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_referred ON "watchword".deliveries (reference, recipient) WHERE (phase < 2 OR phase = 2 AND parts > 1 AND named < parts);

CREATE TABLE "watchword".processes (
  id text COLLATE "C" PRIMARY KEY,
  until bigint NOT NULL
);

CREATE TABLE "watchword".counts (
  account integer NOT NULL,
  mode smallint NOT NULL,
  channel smallint NOT NULL,
  width integer NOT NULL,
  bucket integer NOT NULL,
  status text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (account, mode, channel, width, bucket, status)
) WITH (fillfactor = 50);
CREATE INDEX counts_of_status ON "watchword".counts (channel, status) WHERE width = 28800000;

CREATE TABLE "watchword".claims (
  account integer NOT NULL,
  mode smallint NOT NULL,
  key text COLLATE "C" NOT NULL,
  delivery text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  held_until smallint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (account, mode, key)
);
CREATE INDEX claims_expiring ON "watchword".claims (expires_at);

CREATE TABLE "watchword".parts (
  channel smallint NOT NULL,
  ref text COLLATE "C" NOT NULL,
  delivery text COLLATE "C",
  name text COLLATE "C",
  PRIMARY KEY (channel, ref)
);
CREATE INDEX parts_of_delivery ON "watchword".parts (delivery) WHERE delivery IS NOT NULL;

CREATE TABLE "watchword".part_reports (
  delivery text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  part text COLLATE "C" NOT NULL,
  PRIMARY KEY (delivery, status, part)
);

CREATE TABLE "watchword".unmatched_reports (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel smallint NOT NULL,
  refs text[] COLLATE "C" NOT NULL,
  recipient text COLLATE "C",
  reference integer,
  status text COLLATE "C",
  rank integer,
  details jsonb NOT NULL,
  conditions jsonb NOT NULL,
  every_part boolean NOT NULL,
  refund boolean NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX unmatched_reports_at ON "watchword".unmatched_reports (at);
CREATE INDEX unmatched_reports_of_channel ON "watchword".unmatched_reports (channel, at, n);

CREATE TABLE "watchword".unmatched_refs (
  channel smallint NOT NULL,
  ref text COLLATE "C" NOT NULL,
  report bigint NOT NULL,
  PRIMARY KEY (channel, ref, report)
);

ALTER TABLE "watchword".deliveries ALTER COLUMN recipient SET STATISTICS 0, ALTER COLUMN sender SET STATISTICS 0, ALTER COLUMN details SET STATISTICS 0;
ALTER TABLE "watchword".claims ALTER COLUMN key SET STATISTICS 0, ALTER COLUMN fingerprint SET STATISTICS 0;
ALTER TABLE "watchword".parts ALTER COLUMN ref SET STATISTICS 0, ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE "watchword".part_reports ALTER COLUMN part SET STATISTICS 0;
ALTER TABLE "watchword".unmatched_reports ALTER COLUMN refs SET STATISTICS 0, ALTER COLUMN recipient SET STATISTICS 0, ALTER COLUMN details SET STATISTICS 0;
ALTER TABLE "watchword".unmatched_refs ALTER COLUMN ref SET STATISTICS 0;
ALTER TABLE "watchword".settings ALTER COLUMN name SET STATISTICS 0, ALTER COLUMN value SET STATISTICS 0;

-- Writes a credit or a debit unless an entry has its id already. Answers [[available, held] before it, or null when there
-- is no such account; [account, kind, amount] of the entry that had the id, or null].
CREATE FUNCTION "watchword".adjust(
  p_kind smallint, p_id text, p_account text, p_amount bigint, p_change bigint, p_reason text, p_at bigint
) RETURNS json LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
DECLARE
  a "watchword".accounts;
  written json;
BEGIN
  SELECT * INTO a FROM "watchword".accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN json_build_array(NULL, NULL); END IF;
  SELECT json_build_array(o.id, e.kind, e.amount) INTO written
  FROM "watchword".entries e CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.n = e.account OFFSET 0) o WHERE e.given_id = p_id;
  IF written IS NULL AND a.available + p_change >= 0 THEN
    INSERT INTO "watchword".entries (account, n, given_id, kind, amount, reason, at)
    VALUES (a.n, a.entries + 1, p_id, p_kind, p_amount, p_reason, p_at);
    UPDATE "watchword".accounts SET available = available + p_change, entries = entries + 1 WHERE n = a.n;
  END IF;
  RETURN json_build_array(json_build_array(a.available, a.held), written);
END $$;

-- Removes some expired claims and old unmatched reports, and answers how many. Rows that others have locked are left for
-- the next time, which prevents deadlocks.
CREATE FUNCTION "watchword".sweep(p_at bigint, p_unmatched_before bigint, p_limit integer) RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
DECLARE
  r "watchword".unmatched_reports;
  removed bigint;
BEGIN
  DELETE FROM "watchword".claims c USING (
    SELECT account, mode, key FROM "watchword".claims WHERE expires_at < p_at ORDER BY expires_at LIMIT p_limit
    FOR UPDATE SKIP LOCKED
  ) old WHERE c.account = old.account AND c.mode = old.mode AND c.key = old.key;
  GET DIAGNOSTICS removed = ROW_COUNT;
  FOR r IN
    SELECT * FROM "watchword".unmatched_reports WHERE at < p_unmatched_before ORDER BY at LIMIT p_limit FOR UPDATE SKIP LOCKED
  LOOP
    PERFORM "watchword".drop_unmatched(r);
    removed := removed + 1;
  END LOOP;
  DELETE FROM "watchword".processes p USING (
    SELECT id FROM "watchword".processes WHERE until < (extract(epoch FROM statement_timestamp()) * 1000)::bigint - 86400000 FOR UPDATE SKIP LOCKED
  ) old WHERE p.id = old.id;
  RETURN removed;
END $$;

-- Removes some unmatched reports of a channel beyond its latest ones, and answers how many. Several at once remove no
-- more than one would: a report's place counts, and those that another removes are locked.
CREATE FUNCTION "watchword".trim_unmatched(p_channel smallint, p_most integer, p_limit integer) RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
DECLARE
  r "watchword".unmatched_reports;
  removed bigint := 0;
BEGIN
  FOR r IN
    SELECT u.* FROM (
      SELECT n FROM "watchword".unmatched_reports WHERE channel = p_channel ORDER BY at DESC, n DESC LIMIT p_limit OFFSET p_most
    ) excess JOIN "watchword".unmatched_reports u ON u.n = excess.n FOR UPDATE OF u SKIP LOCKED
  LOOP
    PERFORM "watchword".drop_unmatched(r);
    removed := removed + 1;
  END LOOP;
  RETURN removed;
END $$;

-- Removes an unmatched report that is locked, with its refs.
CREATE FUNCTION "watchword".drop_unmatched(r "watchword".unmatched_reports) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
BEGIN
  DELETE FROM "watchword".unmatched_reports u WHERE u.n = r.n;
  DELETE FROM "watchword".unmatched_refs w WHERE w.channel = r.channel AND w.ref = ANY (r.refs) AND w.report = r.n;
  DELETE FROM "watchword".parts p USING (
    SELECT channel, ref FROM "watchword".parts q WHERE q.channel = r.channel AND q.ref = ANY (r.refs) AND q.delivery IS NULL
    FOR UPDATE SKIP LOCKED
  ) old WHERE p.channel = old.channel AND p.ref = old.ref;
END $$;

CREATE TABLE "watchword".counters (
  key text COLLATE "C" NOT NULL,
  until bigint NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (key, until)
) WITH (fillfactor = 50);
CREATE INDEX counters_until ON "watchword".counters (until);

-- Decides on requests one after the other: adds to all counters of one unless one of them would be above its limit then.
-- Answers [the time, [[key, until, amount], …]]: what the buckets of all counters had before.
CREATE FUNCTION "watchword".count_all(p_requests json) RETURNS json LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
DECLARE
  lock integer;
  moment bigint;
  before json;
  p_request json;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  -- One order for every process prevents deadlocks.
  FOR lock IN SELECT DISTINCT hashtext(c.key) & 255 FROM json_array_elements(p_requests) r CROSS JOIN LATERAL json_to_recordset(r) AS c(key text, lasts bigint, slice bigint, amount bigint, most bigint) WHERE c.amount > 0 ORDER BY 1 LOOP
    PERFORM pg_advisory_xact_lock(1465336660, lock);
  END LOOP;
  moment := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  SELECT coalesce(json_agg(json_build_array(b.key, b.until, b.amount)), '[]') INTO before
  FROM (SELECT DISTINCT c.key FROM json_array_elements(p_requests) r CROSS JOIN LATERAL json_to_recordset(r) AS c(key text, lasts bigint, slice bigint, amount bigint, most bigint)) k CROSS JOIN LATERAL (SELECT * FROM "watchword".counters t WHERE t.key = k.key AND t.until > moment OFFSET 0) b;
  IF NOT EXISTS (
    SELECT FROM json_array_elements(p_requests) r CROSS JOIN LATERAL json_to_recordset(r) AS c(key text, lasts bigint, slice bigint, amount bigint, most bigint) WHERE c.amount > 0 GROUP BY c.key HAVING sum(c.amount) + (SELECT coalesce(sum(b.amount), 0) FROM "watchword".counters b WHERE b.key = c.key AND b.until > moment) > min(c.most)
  ) THEN
    INSERT INTO "watchword".counters AS b (key, until, amount)
    SELECT c.key, (moment / c.slice + 1) * c.slice + c.lasts, sum(c.amount) FROM json_array_elements(p_requests) r CROSS JOIN LATERAL json_to_recordset(r) AS c(key text, lasts bigint, slice bigint, amount bigint, most bigint) WHERE c.amount > 0 GROUP BY 1, 2
    ON CONFLICT (key, until) DO UPDATE SET amount = b.amount + excluded.amount;
  ELSE
    FOR p_request IN SELECT r FROM json_array_elements(p_requests) r LOOP
      IF NOT EXISTS (SELECT FROM json_to_recordset(p_request) AS c(key text, lasts bigint, slice bigint, amount bigint, most bigint) WHERE c.amount > 0 AND c.amount + (SELECT coalesce(sum(b.amount), 0) FROM "watchword".counters b WHERE b.key = c.key AND b.until > moment) > c.most) THEN
        INSERT INTO "watchword".counters AS b (key, until, amount)
    SELECT c.key, (moment / c.slice + 1) * c.slice + c.lasts, sum(c.amount) FROM json_to_recordset(p_request) AS c(key text, lasts bigint, slice bigint, amount bigint, most bigint) WHERE c.amount > 0 GROUP BY 1, 2
    ON CONFLICT (key, until) DO UPDATE SET amount = b.amount + excluded.amount;
      END IF;
    END LOOP;
  END IF;
  RETURN json_build_array(moment, before);
END $$;

-- Takes amounts back from the buckets that they were added to.
CREATE FUNCTION "watchword".uncount(p_added json) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
DECLARE
  lock integer;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR lock IN SELECT DISTINCT hashtext(a.key) & 255 FROM (SELECT j.key, j.until, sum(j.amount)::bigint AS amount
  FROM json_to_recordset(p_added) AS j(key text, until bigint, amount bigint) GROUP BY 1, 2) a ORDER BY 1 LOOP
    PERFORM pg_advisory_xact_lock(1465336660, lock);
  END LOOP;
  UPDATE "watchword".counters b SET amount = greatest(b.amount - a.amount, 0)
  FROM (SELECT j.key, j.until, sum(j.amount)::bigint AS amount
  FROM json_to_recordset(p_added) AS j(key text, until bigint, amount bigint) GROUP BY 1, 2) a WHERE b.key = a.key AND b.until = a.until;
  DELETE FROM "watchword".counters b USING (SELECT j.key, j.until, sum(j.amount)::bigint AS amount
  FROM json_to_recordset(p_added) AS j(key text, until bigint, amount bigint) GROUP BY 1, 2) a WHERE b.key = a.key AND b.until = a.until AND b.amount = 0;
END $$;

-- Removes some buckets that count no more, and answers how many.
CREATE FUNCTION "watchword".sweep_counters(p_limit integer) RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
DECLARE
  removed bigint;
BEGIN
  DELETE FROM "watchword".counters b USING (
    SELECT key, until FROM "watchword".counters WHERE until <= (extract(epoch FROM statement_timestamp()) * 1000)::bigint
    ORDER BY until LIMIT p_limit FOR UPDATE SKIP LOCKED
  ) old WHERE b.key = old.key AND b.until = old.until;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;

CREATE TABLE "watchword".events (
  id text COLLATE "C" PRIMARY KEY,
  endpoint text COLLATE "C" NOT NULL,
  state smallint NOT NULL,
  due_at bigint NOT NULL,
  attempts integer NOT NULL,
  answer text,
  answered_at bigint,
  event text NOT NULL
);
CREATE INDEX events_pending ON "watchword".events (endpoint, state, due_at, id) WHERE state < 2;
CREATE INDEX events_ended ON "watchword".events (endpoint, state, answered_at) WHERE state > 1;


-- Writes events, each with its id, endpoint, time and event.
CREATE FUNCTION "watchword".append_events(p_events json) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
BEGIN
  INSERT INTO "watchword".events (id, endpoint, state, due_at, attempts, event)
  SELECT e.id, e.endpoint, 0, e.at, 0, e.event
  FROM json_to_recordset(p_events) AS e(id text, endpoint text, at bigint, event text) ORDER BY 1
  ON CONFLICT DO NOTHING;
END $$;


CREATE FUNCTION "watchword".take_events(p_lease bigint, p_limit integer, p_most integer, p_bounds json DEFAULT '{}')
RETURNS json LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
DECLARE
  moment bigint;
  taken json;
BEGIN
  IF NOT EXISTS (SELECT FROM "watchword".events WHERE state < 2) THEN RETURN '[]'; END IF;
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(1465337174, hashtext('"watchword"'));
  moment := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  WITH RECURSIVE waiting(endpoint) AS (
    (SELECT endpoint FROM "watchword".events WHERE state < 2 ORDER BY endpoint LIMIT 1)
    UNION ALL
    SELECT n.endpoint FROM waiting w CROSS JOIN LATERAL (
      SELECT t.endpoint FROM "watchword".events t WHERE t.state < 2 AND t.endpoint > w.endpoint ORDER BY t.endpoint LIMIT 1
    ) n
  ), offered AS (
    SELECT o.id, l.n + o.place - 1 AS place, b.bound FROM waiting w
    CROSS JOIN LATERAL (SELECT coalesce((p_bounds ->> w.endpoint)::integer, p_most) AS bound) b
    CROSS JOIN LATERAL (
      SELECT count(*) AS n FROM "watchword".events t WHERE t.endpoint = w.endpoint AND t.state = 1 AND t.due_at > moment
    ) l
    CROSS JOIN LATERAL (
      SELECT d.id, row_number() OVER (ORDER BY d.due_at, d.id) AS place FROM ((SELECT t.id, t.due_at FROM "watchword".events t
        WHERE t.endpoint = w.endpoint AND t.state = 1 AND t.due_at <= moment ORDER BY t.due_at, t.id LIMIT b.bound) UNION ALL (SELECT t.id, t.due_at FROM "watchword".events t
        WHERE t.endpoint = w.endpoint AND t.state = 0 AND t.due_at <= moment ORDER BY t.due_at, t.id LIMIT b.bound)) d
    ) o
  ), chosen AS MATERIALIZED (
    SELECT id FROM offered WHERE place < bound ORDER BY place, id LIMIT p_limit
  ), leased AS (
    UPDATE "watchword".events e SET state = 1, due_at = moment + p_lease, attempts = e.attempts + 1
    FROM chosen c WHERE e.id = c.id RETURNING e.*
  )
  SELECT coalesce(json_agg(json_build_array(id, endpoint, due_at, attempts, event)), '[]') INTO taken FROM leased;
  RETURN taken;
END $$;

-- Deletes some sent and failed events of an earlier time, and answers how many.
CREATE FUNCTION "watchword".prune_events(p_before text, p_limit integer) RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
DECLARE
  removed bigint;
BEGIN
  DELETE FROM "watchword".events e USING (
    SELECT id FROM "watchword".events WHERE id < p_before COLLATE "C" AND state > 1 ORDER BY id LIMIT p_limit
    FOR UPDATE SKIP LOCKED
  ) old WHERE e.id = old.id;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;

-- The accounts that steps are about, and whether a report is about a ref that no part has yet.
CREATE FUNCTION "watchword".concerned(p_lookups json, OUT accounts integer[], OUT is_early boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  WITH asked AS MATERIALIZED (
    SELECT l.*, a.n, d.account AS owner, coalesce(l.channel, d.channel) AS place FROM json_to_recordset(p_lookups) AS l(
  id text, account text, mode smallint, keys text[], channel smallint, refs text[], recipient text, reference integer)
    LEFT JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.id = l.account OFFSET 0) a ON true
    LEFT JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = l.id OFFSET 0) d ON true
  ), named AS MATERIALIZED (
    SELECT a.id, a.place AS channel, r.ref, p.delivery FROM asked a CROSS JOIN unnest(a.refs) r(ref)
    LEFT JOIN LATERAL (SELECT * FROM "watchword".parts t WHERE t.channel = a.place AND t.ref = r.ref OFFSET 0) p ON true
  ), unmatched AS MATERIALIZED (
    SELECT u.* FROM named f
    CROSS JOIN LATERAL (SELECT * FROM "watchword".unmatched_refs t WHERE t.channel = f.channel AND t.ref = f.ref OFFSET 0) w
    CROSS JOIN LATERAL (SELECT * FROM "watchword".unmatched_reports t WHERE t.n = w.report OFFSET 0) u WHERE f.id IS NOT NULL
  )
  SELECT array_agg(DISTINCT c.n), (SELECT bool_or(id IS NULL AND delivery IS NULL) FROM named)
  INTO accounts, is_early FROM (
    SELECT n FROM asked WHERE n IS NOT NULL UNION ALL SELECT owner FROM asked WHERE owner IS NOT NULL
    UNION ALL SELECT d.account FROM (
      SELECT delivery FROM named
      UNION ALL SELECT p.delivery FROM unmatched u CROSS JOIN unnest(u.refs) r(ref)
      CROSS JOIN LATERAL (SELECT * FROM "watchword".parts t WHERE t.channel = u.channel AND t.ref = r.ref OFFSET 0) p
    ) k CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = k.delivery OFFSET 0) d
    UNION ALL SELECT d.account FROM (
      SELECT place AS channel, recipient, reference FROM asked WHERE reference IS NOT NULL
      UNION ALL SELECT channel, recipient, reference FROM unmatched
    ) m CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.reference = m.reference AND t.recipient = m.recipient AND (t.phase < 2 OR t.phase = 2 AND t.parts > 1 AND t.named < t.parts) AND t.channel = m.channel OFFSET 0) d
  ) c;
END $$;

-- The facts that steps are decided on: of their accounts, and the refs under which placeholders were made. Null when the
-- steps are about other accounts, too.
CREATE FUNCTION "watchword".facts(p_lookups json, p_locked integer[], p_refs json) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  RETURN (WITH asked AS MATERIALIZED (
    SELECT l.id, a.n AS account, l.mode, l.keys, coalesce(l.channel, d.channel) AS channel, l.refs, l.recipient, l.reference
    FROM json_to_recordset(p_lookups) AS l(
  id text, account text, mode smallint, keys text[], channel smallint, refs text[], recipient text, reference integer)
    LEFT JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.id = l.account OFFSET 0) a ON true
    LEFT JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = l.id OFFSET 0) d ON true
  ), named AS MATERIALIZED (
    SELECT DISTINCT a.channel, u.ref, a.id IS NOT NULL AS is_named FROM asked a CROSS JOIN unnest(a.refs) u(ref)
    WHERE a.channel IS NOT NULL
  ), unmatched AS MATERIALIZED (
    SELECT u.* FROM (
      SELECT DISTINCT w.report FROM named f
      CROSS JOIN LATERAL (SELECT * FROM "watchword".unmatched_refs t WHERE t.channel = f.channel AND t.ref = f.ref OFFSET 0) w WHERE f.is_named
    ) waiting CROSS JOIN LATERAL (SELECT * FROM "watchword".unmatched_reports t WHERE t.n = waiting.report OFFSET 0) u
  ), refs AS MATERIALIZED (
    SELECT channel, ref FROM named UNION SELECT u.channel, unnest(u.refs) FROM unmatched u
  ), known AS MATERIALIZED (
    SELECT p.* FROM refs r
    CROSS JOIN LATERAL (SELECT * FROM "watchword".parts t WHERE t.channel = r.channel AND t.ref = r.ref AND t.delivery IS NOT NULL OFFSET 0) p
  ), held AS MATERIALIZED (
    SELECT c.* FROM asked a CROSS JOIN unnest(a.keys) k(key)
    CROSS JOIN LATERAL (SELECT * FROM "watchword".claims t WHERE t.account = a.account AND t.mode = a.mode AND t.key = k.key OFFSET 0) c
  ), found AS MATERIALIZED (
    SELECT d.* FROM (
      SELECT id FROM asked UNION SELECT delivery FROM known UNION SELECT delivery FROM held
      UNION SELECT o.id FROM (
        SELECT channel, recipient, reference FROM asked WHERE reference IS NOT NULL UNION SELECT channel, recipient, reference FROM unmatched
      ) m CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.reference = m.reference AND t.recipient = m.recipient AND (t.phase < 2 OR t.phase = 2 AND t.parts > 1 AND t.named < t.parts) AND t.channel = m.channel OFFSET 0) o
    ) i CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = i.id OFFSET 0) d
  ), concerned AS MATERIALIZED (
    -- The records that these are parts of are the same account's.
    SELECT * FROM found UNION ALL SELECT w.* FROM (
      SELECT (details ->> 'verification') COLLATE "C" AS id FROM found EXCEPT SELECT id FROM found
    ) p CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = p.id OFFSET 0) w
  ), owners AS MATERIALIZED (
    SELECT a.* FROM (SELECT account FROM asked UNION SELECT account FROM concerned) n
    CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.n = n.account OFFSET 0) a
  )
  SELECT json_build_object(
    'accounts', (SELECT coalesce(json_agg(json_build_array(a.id, a.available, a.held, a.suspended_at IS NOT NULL)), '[]') FROM owners a),
    'deliveries', (SELECT coalesce(json_agg(json_build_array(d.id, a.id, d.mode, d.channel, d.recipient, d.sender, d.phase, d.status,
    d.rank, d.price, d.parts, d.named, d.reference, d.created_at, d.status_at, d.due_at, d.details, d.watch)), '[]') FROM concerned d CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.n = d.account OFFSET 0) a),
    'claims', (SELECT coalesce(json_agg(json_build_array(a.id, c.mode, c.key, c.delivery, c.fingerprint, c.held_until, c.expires_at)), '[]') FROM held c CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.n = c.account OFFSET 0) a),
    'parts', (SELECT coalesce(json_agg(json_build_array(p.channel, p.ref, p.delivery, p.name)), '[]') FROM known p),
    'reported', (SELECT coalesce(json_agg(json_build_array(p.delivery, p.status, p.part)), '[]') FROM concerned d
      CROSS JOIN LATERAL (SELECT * FROM "watchword".part_reports t WHERE t.delivery = d.id OFFSET 0) p),
    'unmatched', (SELECT coalesce(json_agg(json_build_array(u.n, u.channel, u.refs, u.recipient, u.reference, u.status, u.rank,
      u.conditions, u.details, u.every_part, u.refund, u.at) ORDER BY u.n), '[]') FROM unmatched u),
    'waiting', (SELECT coalesce(json_agg(w.report), '[]') FROM refs r
      CROSS JOIN LATERAL (SELECT * FROM "watchword".unmatched_refs t WHERE t.channel = r.channel AND t.ref = r.ref OFFSET 0) w),
    'refs', p_refs
  ) WHERE NOT EXISTS (SELECT FROM owners WHERE n <> ALL (p_locked)));
END $$;

-- Locks what steps are about, and answers the facts.
CREATE FUNCTION "watchword".look_up(p_lookups json) RETURNS json LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
DECLARE
  locked integer[];
  is_early boolean;
  placeholders json;
  facts json;
BEGIN
  SELECT coalesce(c.accounts, '{}'), c.is_early INTO locked, is_early FROM "watchword".concerned(p_lookups) c;
  PERFORM FROM "watchword".accounts WHERE n = ANY (locked) ORDER BY n FOR NO KEY UPDATE;
  -- All refs get placeholders then, so that locks of refs come in one order, too.
  IF is_early THEN
    WITH made AS (
      INSERT INTO "watchword".parts
      SELECT DISTINCT coalesce(l.channel, d.channel), r.ref, NULL, NULL FROM json_to_recordset(p_lookups) AS l(
  id text, account text, mode smallint, keys text[], channel smallint, refs text[], recipient text, reference integer) CROSS JOIN unnest(l.refs) r(ref)
      LEFT JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = l.id OFFSET 0) d ON true WHERE coalesce(l.channel, d.channel) IS NOT NULL ORDER BY 1, 2
      ON CONFLICT (channel, ref) DO UPDATE SET name = parts.name
      RETURNING channel, ref
    )
    SELECT json_agg(json_build_array(channel, ref)) INTO placeholders FROM made;
  END IF;
  facts := "watchword".facts(p_lookups, locked, coalesce(placeholders, '[]'));
  IF facts IS NULL THEN
    RAISE serialization_failure USING MESSAGE = 'a step is about another account than it was before its locks';
  END IF;
  RETURN facts;
END $$;

-- Removes counts of those given that are zero.
CREATE FUNCTION "watchword".remove_zeros(p_zeros "watchword".counts[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_zeros IS NULL THEN RETURN; END IF;
  DELETE FROM "watchword".counts c USING unnest(p_zeros) z
  WHERE c.account = z.account AND c.mode = z.mode AND c.channel = z.channel AND c.width = z.width
    AND c.bucket = z.bucket AND c.status = z.status AND c.n = 0;
END $$;

-- Writes the changes of steps whose facts were looked up in the same transaction, and removes the placeholders of refs
-- that no report waits for.
CREATE FUNCTION "watchword".apply(p_changes json) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
#variable_conflict use_column
DECLARE
  zeros "watchword".counts[];
  new record;
BEGIN
  -- Taken apart once.
  SELECT * INTO new FROM json_to_record(p_changes) AS c(opened json, updated json, counts json, entries json, balances json,
    claims json, parts json, waiting bigint[], reported json, complete json, unmatched json, replayed json, events json, refs json);

  IF new.opened IS NOT NULL THEN
    INSERT INTO "watchword".deliveries
    SELECT o.id, a.n, o.mode, o.channel, o.recipient, o.sender, o.phase, o.status, o.rank, o.price, o.parts, o.named, o.reference,
      o.created_at, o.status_at, o.due_at, o.details, o.owner, o.watch
    FROM json_to_recordset(new.opened) AS o(id text, account text, mode smallint, channel smallint,
      recipient text, sender text, phase smallint, status text, rank integer, price bigint, parts integer,
      named integer, reference integer, created_at bigint, status_at bigint, due_at bigint, details jsonb,
      owner text, watch jsonb)
    CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.id = o.account OFFSET 0) a;
  END IF;

  IF new.updated IS NOT NULL THEN
    UPDATE "watchword".deliveries d
    SET phase = u.phase, named = u.named, status = u.status, rank = u.rank, status_at = u.status_at,
      due_at = u.due_at, details = u.details, watch = u.watch
    FROM json_to_recordset(new.updated)
      AS u(id text, phase smallint, named integer, status text, rank integer, status_at bigint, due_at bigint,
        details jsonb, watch jsonb)
    WHERE d.id = u.id;
  END IF;

  IF new.counts IS NOT NULL THEN
    WITH counted AS (
      INSERT INTO "watchword".counts
      SELECT a.n, c.mode, c.channel, c.width, c.bucket, c.status, c.change
      FROM json_to_recordset(new.counts)
        AS c(account text, mode smallint, channel smallint, width integer, bucket integer, status text, change bigint)
      CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.id = c.account OFFSET 0) a
      ON CONFLICT (account, mode, channel, width, bucket, status) DO UPDATE SET n = counts.n + excluded.n
      RETURNING counts AS cell, n
    )
    SELECT array_agg(cell) INTO zeros FROM counted WHERE n = 0;
    PERFORM "watchword".remove_zeros(zeros);
  END IF;

  IF new.entries IS NOT NULL THEN
    INSERT INTO "watchword".entries (account, n, delivery, kind, amount, at)
    SELECT a.n, a.entries + e.place, e.delivery, e.kind, e.amount, e.at
    FROM json_to_recordset(new.entries)
      AS e(account text, place bigint, delivery text, kind smallint, amount bigint, at bigint)
    CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.id = e.account OFFSET 0) a;

    UPDATE "watchword".accounts a SET available = b.available, held = b.held, entries = a.entries + b.places
    FROM json_to_recordset(new.balances) AS b(account text, available bigint, held bigint, places bigint)
    WHERE a.id = b.account;
  END IF;

  IF new.claims IS NOT NULL THEN
    INSERT INTO "watchword".claims
    SELECT a.n, c.mode, c.key, c.delivery, c.fingerprint, c.held_until, c.expires_at
    FROM json_to_recordset(new.claims) AS c(account text, mode smallint, key text, delivery text,
      fingerprint text, held_until smallint, expires_at bigint)
    CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.id = c.account OFFSET 0) a
    ON CONFLICT (account, mode, key) DO UPDATE SET delivery = excluded.delivery, fingerprint = excluded.fingerprint,
      held_until = excluded.held_until, expires_at = excluded.expires_at;
  END IF;

  IF new.parts IS NOT NULL THEN
    INSERT INTO "watchword".parts
    SELECT * FROM json_to_recordset(new.parts) AS p(channel smallint, ref text, delivery text, name text) ORDER BY 1, 2
    ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name;

    -- A report that another transaction has kept unmatched since the look-up is in the way of the step that names its ref.
    IF EXISTS (
      SELECT FROM json_to_recordset(new.parts) AS p(channel smallint, ref text)
      CROSS JOIN LATERAL (SELECT * FROM "watchword".unmatched_refs t WHERE t.channel = p.channel AND t.ref = p.ref OFFSET 0) w
      WHERE new.waiting IS NULL OR w.report <> ALL (new.waiting)
    ) THEN
      RAISE serialization_failure USING MESSAGE = 'a report waits for a ref that has just been named';
    END IF;
  END IF;

  IF new.reported IS NOT NULL THEN
    INSERT INTO "watchword".part_reports
    SELECT * FROM json_to_recordset(new.reported) AS p(delivery text, status text, part text)
    ON CONFLICT DO NOTHING;
  END IF;

  IF new.complete IS NOT NULL THEN
    DELETE FROM "watchword".part_reports p
    USING json_to_recordset(new.complete) AS c(delivery text, status text)
    WHERE p.delivery = c.delivery AND p.status = c.status;
  END IF;

  IF new.unmatched IS NOT NULL THEN
    WITH kept AS (
      INSERT INTO "watchword".unmatched_reports
        (channel, refs, recipient, reference, status, rank, details, conditions, every_part, refund, at)
      SELECT * FROM json_to_recordset(new.unmatched) AS k(channel smallint, refs text[], recipient text,
        reference integer, status text, rank integer, details jsonb, conditions jsonb, every_part boolean,
        refund boolean, at bigint)
      RETURNING n, channel, refs
    )
    INSERT INTO "watchword".unmatched_refs SELECT DISTINCT channel, unnest(refs), n FROM kept;
  END IF;

  IF new.replayed IS NOT NULL THEN
    WITH replayed AS (
      DELETE FROM "watchword".unmatched_reports u USING json_array_elements_text(new.replayed) r
      WHERE u.n = r::bigint RETURNING u.n, u.channel, u.refs
    )
    DELETE FROM "watchword".unmatched_refs w USING (SELECT n, channel, unnest(refs) AS ref FROM replayed) r
    WHERE w.channel = r.channel AND w.ref = r.ref AND w.report = r.n;
  END IF;

  IF new.events IS NOT NULL THEN
    INSERT INTO "watchword".events (id, endpoint, state, due_at, attempts, event)
  SELECT e.id, e.endpoint, 0, e.at, 0, e.event
  FROM json_to_recordset(new.events) AS e(id text, endpoint text, at bigint, event text) ORDER BY 1
  ON CONFLICT DO NOTHING;
  END IF;

  IF new.refs IS NOT NULL THEN
    DELETE FROM "watchword".parts p USING json_array_elements(new.refs) r
    WHERE p.channel = (r ->> 0)::smallint AND p.ref = r ->> 1 AND p.delivery IS NULL AND NOT EXISTS (
      SELECT FROM "watchword".unmatched_refs w WHERE w.channel = p.channel AND w.ref = p.ref OFFSET 0
    );
  END IF;
END $$;

-- Takes persons out of records that are not under way, and answers how many it changed.
CREATE FUNCTION "watchword".redact(p_redactions json) RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
DECLARE
  changed bigint;
BEGIN
  PERFORM FROM "watchword".accounts WHERE n IN (
    SELECT d.account FROM json_to_recordset(p_redactions) AS r(id text)
    CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = r.id OFFSET 0) d
  ) ORDER BY n FOR NO KEY UPDATE;
  WITH asked AS MATERIALIZED (
    SELECT d.id, d.recipient AS number, r.person,
      CASE WHEN r.person THEN 'erased' ELSE d.recipient END AS recipient,
      CASE WHEN r.sender THEN NULL ELSE d.sender END AS sender,
      d.details || coalesce((
        SELECT jsonb_object_agg(k.key, k.value) FROM jsonb_each(r.details) k WHERE d.details ? k.key
      ), '{}') AS details
    FROM json_to_recordset(p_redactions) AS r(id text, person boolean, sender boolean, details jsonb)
    CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = r.id OFFSET 0) d
    WHERE NOT (d.phase < 2 OR d.due_at IS NOT NULL)
  ), unnamed AS (
    DELETE FROM "watchword".parts p USING asked a
    WHERE a.person AND p.delivery = a.id AND position(a.number in p.ref) > 0
  ), written AS (
    UPDATE "watchword".deliveries d SET recipient = a.recipient, sender = a.sender, details = a.details
    FROM asked a WHERE d.id = a.id
      AND (d.recipient, d.sender, d.details) IS DISTINCT FROM (a.recipient, a.sender, a.details)
    RETURNING 1
  )
  SELECT count(*) INTO changed FROM written;
  RETURN changed;
END $$;

-- Deletes some records of a time before p_before, of which p_id is the first id, and answers how many.
CREATE FUNCTION "watchword".purge(p_id text, p_before bigint, p_limit integer) RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
#variable_conflict use_column
DECLARE
  locked integer[];
  zeros "watchword".counts[];
  purged bigint;
BEGIN
  locked := ARRAY (
    SELECT DISTINCT o.account FROM (
      SELECT d.account FROM "watchword".deliveries d
      WHERE d.id < p_id AND NOT (d.phase < 2 OR d.due_at IS NOT NULL) AND d.created_at < p_before AND d.status_at < p_before
      ORDER BY d.id LIMIT p_limit
    ) o
  );
  PERFORM FROM "watchword".accounts WHERE n = ANY (locked) ORDER BY n FOR NO KEY UPDATE;
  WITH old AS MATERIALIZED (
    SELECT d.id FROM "watchword".deliveries d
    WHERE d.id < p_id AND NOT (d.phase < 2 OR d.due_at IS NOT NULL) AND d.created_at < p_before AND d.status_at < p_before
      AND d.account = ANY (locked)
    ORDER BY d.id LIMIT p_limit
  ), gone AS (
    DELETE FROM "watchword".deliveries d USING old WHERE d.id = old.id
    RETURNING d.account, d.mode, d.channel, d.status, d.listed_at
  ), unnamed AS (
    DELETE FROM "watchword".parts p USING old WHERE p.delivery = old.id
  ), unreported AS (
    DELETE FROM "watchword".part_reports p USING old WHERE p.delivery = old.id
  ), counted AS (
    INSERT INTO "watchword".counts
    SELECT g.account, g.mode, g.channel, w.width, (g.listed_at / w.width), g.status, -count(*)
    FROM gone g CROSS JOIN (VALUES (28800000), (480000)) w(width) GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account, mode, channel, width, bucket, status) DO UPDATE SET n = counts.n + excluded.n
    RETURNING counts AS cell, n
  )
  SELECT (SELECT count(*) FROM gone), (SELECT array_agg(cell) FROM counted WHERE n = 0) INTO purged, zeros;
  PERFORM "watchword".remove_zeros(zeros);
  IF purged > 0 THEN
    INSERT INTO "watchword".settings VALUES (0, 'purged-before', p_before::text)
    ON CONFLICT (account, name) DO UPDATE
    SET value = greatest(settings.value::bigint, excluded.value::bigint)::text;
  END IF;
  RETURN purged;
END $$;

-- Deletes what is kept under a number beside records. Answers how many claims, unmatched reports and settings. It looks at
-- all claims, so the planner is free.
CREATE FUNCTION "watchword".forget(p_to text, p_settings text[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  r "watchword".unmatched_reports;
  claims bigint;
  reports bigint := 0;
  settings bigint;
BEGIN
  DELETE FROM "watchword".claims c WHERE right(c.key, length(p_to)) = p_to AND NOT EXISTS (
    SELECT FROM "watchword".deliveries d WHERE d.id = c.delivery AND (d.phase < 2 OR d.due_at IS NOT NULL)
  );
  GET DIAGNOSTICS claims = ROW_COUNT;
  FOR r IN SELECT * FROM "watchword".unmatched_reports u WHERE u.recipient = p_to FOR UPDATE SKIP LOCKED LOOP
    PERFORM "watchword".drop_unmatched(r);
    reports := reports + 1;
  END LOOP;
  DELETE FROM "watchword".settings t WHERE t.name = ANY (p_settings);
  GET DIAGNOSTICS settings = ROW_COUNT;
  UPDATE "watchword".operator_log o
  SET input = replace(o.input, p_to, 'erased'), output = replace(o.output, p_to, 'erased')
  WHERE position(p_to in o.input) > 0 OR position(p_to in o.output) > 0;
  RETURN ARRAY[claims, reports, settings];
END $$;

INSERT INTO "watchword".watchword_migrations (version, name, floor) VALUES (1, 'tables', 1);

CREATE TABLE "watchword".traffic (
  hour bigint NOT NULL,
  account text COLLATE "C" NOT NULL,
  mode text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  carrier text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  sent bigint NOT NULL,
  delivered bigint NOT NULL,
  failed bigint NOT NULL,
  approved bigint NOT NULL,
  expired bigint NOT NULL,
  blocked bigint NOT NULL,
  cost bigint NOT NULL,
  price bigint NOT NULL,
  delay_0 bigint NOT NULL,
  delay_1 bigint NOT NULL,
  delay_2 bigint NOT NULL,
  delay_3 bigint NOT NULL,
  delay_4 bigint NOT NULL,
  delay_5 bigint NOT NULL,
  delay_6 bigint NOT NULL,
  delay_7 bigint NOT NULL,
  delay_8 bigint NOT NULL,
  delay_9 bigint NOT NULL,
  delay_10 bigint NOT NULL,
  PRIMARY KEY (hour, account, mode, channel, carrier, country)
);
CREATE TABLE "watchword".traffic_days (
  hour bigint NOT NULL,
  account text COLLATE "C" NOT NULL,
  mode text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  carrier text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  sent bigint NOT NULL,
  delivered bigint NOT NULL,
  failed bigint NOT NULL,
  approved bigint NOT NULL,
  expired bigint NOT NULL,
  blocked bigint NOT NULL,
  cost bigint NOT NULL,
  price bigint NOT NULL,
  delay_0 bigint NOT NULL,
  delay_1 bigint NOT NULL,
  delay_2 bigint NOT NULL,
  delay_3 bigint NOT NULL,
  delay_4 bigint NOT NULL,
  delay_5 bigint NOT NULL,
  delay_6 bigint NOT NULL,
  delay_7 bigint NOT NULL,
  delay_8 bigint NOT NULL,
  delay_9 bigint NOT NULL,
  delay_10 bigint NOT NULL,
  PRIMARY KEY (hour, account, mode, channel, carrier, country)
);

CREATE TABLE "watchword".operator_log (
  id text COLLATE "C" PRIMARY KEY,
  who text NOT NULL,
  face text NOT NULL,
  command text NOT NULL,
  input text NOT NULL,
  outcome text,
  output text
);

-- Takes persons out of records that are not under way, and answers how many it changed.
CREATE OR REPLACE FUNCTION "watchword".redact(p_redactions json) RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
DECLARE
  changed bigint;
BEGIN
  PERFORM FROM "watchword".accounts WHERE n IN (
    SELECT d.account FROM json_to_recordset(p_redactions) AS r(id text)
    CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = r.id OFFSET 0) d
  ) ORDER BY n FOR NO KEY UPDATE;
  WITH asked AS MATERIALIZED (
    SELECT d.id, d.recipient AS number, r.person,
      CASE WHEN r.person THEN 'erased' ELSE d.recipient END AS recipient,
      CASE WHEN r.sender THEN NULL ELSE d.sender END AS sender,
      d.details || coalesce((
        SELECT jsonb_object_agg(k.key, k.value) FROM jsonb_each(r.details) k WHERE d.details ? k.key
      ), '{}') AS details
    FROM json_to_recordset(p_redactions) AS r(id text, person boolean, sender boolean, details jsonb)
    CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = r.id OFFSET 0) d
    WHERE NOT (d.phase < 2 OR d.due_at IS NOT NULL)
  ), unnamed AS (
    DELETE FROM "watchword".parts p USING asked a
    WHERE a.person AND p.delivery = a.id AND position(a.number in p.ref) > 0
  ), written AS (
    UPDATE "watchword".deliveries d SET recipient = a.recipient, sender = a.sender, details = a.details
    FROM asked a WHERE d.id = a.id
      AND (d.recipient, d.sender, d.details) IS DISTINCT FROM (a.recipient, a.sender, a.details)
    RETURNING 1
  )
  SELECT count(*) INTO changed FROM written;
  RETURN changed;
END $$;

-- Deletes some records of a time before p_before, of which p_id is the first id, and answers how many.
CREATE OR REPLACE FUNCTION "watchword".purge(p_id text, p_before bigint, p_limit integer) RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
#variable_conflict use_column
DECLARE
  locked integer[];
  zeros "watchword".counts[];
  purged bigint;
BEGIN
  locked := ARRAY (
    SELECT DISTINCT o.account FROM (
      SELECT d.account FROM "watchword".deliveries d
      WHERE d.id < p_id AND NOT (d.phase < 2 OR d.due_at IS NOT NULL) AND d.created_at < p_before AND d.status_at < p_before
      ORDER BY d.id LIMIT p_limit
    ) o
  );
  PERFORM FROM "watchword".accounts WHERE n = ANY (locked) ORDER BY n FOR NO KEY UPDATE;
  WITH old AS MATERIALIZED (
    SELECT d.id FROM "watchword".deliveries d
    WHERE d.id < p_id AND NOT (d.phase < 2 OR d.due_at IS NOT NULL) AND d.created_at < p_before AND d.status_at < p_before
      AND d.account = ANY (locked)
    ORDER BY d.id LIMIT p_limit
  ), gone AS (
    DELETE FROM "watchword".deliveries d USING old WHERE d.id = old.id
    RETURNING d.account, d.mode, d.channel, d.status, d.listed_at
  ), unnamed AS (
    DELETE FROM "watchword".parts p USING old WHERE p.delivery = old.id
  ), unreported AS (
    DELETE FROM "watchword".part_reports p USING old WHERE p.delivery = old.id
  ), counted AS (
    INSERT INTO "watchword".counts
    SELECT g.account, g.mode, g.channel, w.width, (g.listed_at / w.width), g.status, -count(*)
    FROM gone g CROSS JOIN (VALUES (28800000), (480000)) w(width) GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account, mode, channel, width, bucket, status) DO UPDATE SET n = counts.n + excluded.n
    RETURNING counts AS cell, n
  )
  SELECT (SELECT count(*) FROM gone), (SELECT array_agg(cell) FROM counted WHERE n = 0) INTO purged, zeros;
  PERFORM "watchword".remove_zeros(zeros);
  IF purged > 0 THEN
    INSERT INTO "watchword".settings VALUES (0, 'purged-before', p_before::text)
    ON CONFLICT (account, name) DO UPDATE
    SET value = greatest(settings.value::bigint, excluded.value::bigint)::text;
  END IF;
  RETURN purged;
END $$;

-- Deletes what is kept under a number beside records. Answers how many claims, unmatched reports and settings. It looks at
-- all claims, so the planner is free.
CREATE OR REPLACE FUNCTION "watchword".forget(p_to text, p_settings text[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  r "watchword".unmatched_reports;
  claims bigint;
  reports bigint := 0;
  settings bigint;
BEGIN
  DELETE FROM "watchword".claims c WHERE right(c.key, length(p_to)) = p_to AND NOT EXISTS (
    SELECT FROM "watchword".deliveries d WHERE d.id = c.delivery AND (d.phase < 2 OR d.due_at IS NOT NULL)
  );
  GET DIAGNOSTICS claims = ROW_COUNT;
  FOR r IN SELECT * FROM "watchword".unmatched_reports u WHERE u.recipient = p_to FOR UPDATE SKIP LOCKED LOOP
    PERFORM "watchword".drop_unmatched(r);
    reports := reports + 1;
  END LOOP;
  DELETE FROM "watchword".settings t WHERE t.name = ANY (p_settings);
  GET DIAGNOSTICS settings = ROW_COUNT;
  UPDATE "watchword".operator_log o
  SET input = replace(o.input, p_to, 'erased'), output = replace(o.output, p_to, 'erased')
  WHERE position(p_to in o.input) > 0 OR position(p_to in o.output) > 0;
  RETURN ARRAY[claims, reports, settings];
END $$;

INSERT INTO "watchword".watchword_migrations (version, name, floor) VALUES (2, 'traffic and log', 1);


CREATE OR REPLACE FUNCTION "watchword".take_events(p_lease bigint, p_limit integer, p_most integer, p_bounds json DEFAULT '{}')
RETURNS json LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
DECLARE
  moment bigint;
  taken json;
BEGIN
  IF NOT EXISTS (SELECT FROM "watchword".events WHERE state < 2) THEN RETURN '[]'; END IF;
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(1465337174, hashtext('"watchword"'));
  moment := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  WITH RECURSIVE waiting(endpoint) AS (
    (SELECT endpoint FROM "watchword".events WHERE state < 2 ORDER BY endpoint LIMIT 1)
    UNION ALL
    SELECT n.endpoint FROM waiting w CROSS JOIN LATERAL (
      SELECT t.endpoint FROM "watchword".events t WHERE t.state < 2 AND t.endpoint > w.endpoint ORDER BY t.endpoint LIMIT 1
    ) n
  ), offered AS (
    SELECT o.id, l.n + o.place - 1 AS place, b.bound FROM waiting w
    CROSS JOIN LATERAL (SELECT coalesce((p_bounds ->> w.endpoint)::integer, p_most) AS bound) b
    CROSS JOIN LATERAL (
      SELECT count(*) AS n FROM "watchword".events t WHERE t.endpoint = w.endpoint AND t.state = 1 AND t.due_at > moment
    ) l
    CROSS JOIN LATERAL (
      SELECT d.id, row_number() OVER (ORDER BY d.due_at, d.id) AS place FROM ((SELECT t.id, t.due_at FROM "watchword".events t
        WHERE t.endpoint = w.endpoint AND t.state = 1 AND t.due_at <= moment ORDER BY t.due_at, t.id LIMIT b.bound) UNION ALL (SELECT t.id, t.due_at FROM "watchword".events t
        WHERE t.endpoint = w.endpoint AND t.state = 0 AND t.due_at <= moment ORDER BY t.due_at, t.id LIMIT b.bound)) d
    ) o
  ), chosen AS MATERIALIZED (
    SELECT id FROM offered WHERE place < bound ORDER BY place, id LIMIT p_limit
  ), leased AS (
    UPDATE "watchword".events e SET state = 1, due_at = moment + p_lease, attempts = e.attempts + 1
    FROM chosen c WHERE e.id = c.id RETURNING e.*
  )
  SELECT coalesce(json_agg(json_build_array(id, endpoint, due_at, attempts, event)), '[]') INTO taken FROM leased;
  RETURN taken;
END $$;

INSERT INTO "watchword".watchword_migrations (version, name, floor) VALUES (3, 'bounds of endpoints', 1);


DROP FUNCTION IF EXISTS "watchword".steps, "watchword".open_all, "watchword".close_all, "watchword".report_all, "watchword".check_named, "watchword".facts(json);

-- Writes events, each with its id, endpoint, time and event.
CREATE OR REPLACE FUNCTION "watchword".append_events(p_events json) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
BEGIN
  INSERT INTO "watchword".events (id, endpoint, state, due_at, attempts, event)
  SELECT e.id, e.endpoint, 0, e.at, 0, e.event
  FROM json_to_recordset(p_events) AS e(id text, endpoint text, at bigint, event text) ORDER BY 1
  ON CONFLICT DO NOTHING;
END $$;

-- The accounts that steps are about, and whether a report is about a ref that no part has yet.
CREATE OR REPLACE FUNCTION "watchword".concerned(p_lookups json, OUT accounts integer[], OUT is_early boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  WITH asked AS MATERIALIZED (
    SELECT l.*, a.n, d.account AS owner, coalesce(l.channel, d.channel) AS place FROM json_to_recordset(p_lookups) AS l(
  id text, account text, mode smallint, keys text[], channel smallint, refs text[], recipient text, reference integer)
    LEFT JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.id = l.account OFFSET 0) a ON true
    LEFT JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = l.id OFFSET 0) d ON true
  ), named AS MATERIALIZED (
    SELECT a.id, a.place AS channel, r.ref, p.delivery FROM asked a CROSS JOIN unnest(a.refs) r(ref)
    LEFT JOIN LATERAL (SELECT * FROM "watchword".parts t WHERE t.channel = a.place AND t.ref = r.ref OFFSET 0) p ON true
  ), unmatched AS MATERIALIZED (
    SELECT u.* FROM named f
    CROSS JOIN LATERAL (SELECT * FROM "watchword".unmatched_refs t WHERE t.channel = f.channel AND t.ref = f.ref OFFSET 0) w
    CROSS JOIN LATERAL (SELECT * FROM "watchword".unmatched_reports t WHERE t.n = w.report OFFSET 0) u WHERE f.id IS NOT NULL
  )
  SELECT array_agg(DISTINCT c.n), (SELECT bool_or(id IS NULL AND delivery IS NULL) FROM named)
  INTO accounts, is_early FROM (
    SELECT n FROM asked WHERE n IS NOT NULL UNION ALL SELECT owner FROM asked WHERE owner IS NOT NULL
    UNION ALL SELECT d.account FROM (
      SELECT delivery FROM named
      UNION ALL SELECT p.delivery FROM unmatched u CROSS JOIN unnest(u.refs) r(ref)
      CROSS JOIN LATERAL (SELECT * FROM "watchword".parts t WHERE t.channel = u.channel AND t.ref = r.ref OFFSET 0) p
    ) k CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = k.delivery OFFSET 0) d
    UNION ALL SELECT d.account FROM (
      SELECT place AS channel, recipient, reference FROM asked WHERE reference IS NOT NULL
      UNION ALL SELECT channel, recipient, reference FROM unmatched
    ) m CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.reference = m.reference AND t.recipient = m.recipient AND (t.phase < 2 OR t.phase = 2 AND t.parts > 1 AND t.named < t.parts) AND t.channel = m.channel OFFSET 0) d
  ) c;
END $$;

-- The facts that steps are decided on: of their accounts, and the refs under which placeholders were made. Null when the
-- steps are about other accounts, too.
CREATE OR REPLACE FUNCTION "watchword".facts(p_lookups json, p_locked integer[], p_refs json) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  RETURN (WITH asked AS MATERIALIZED (
    SELECT l.id, a.n AS account, l.mode, l.keys, coalesce(l.channel, d.channel) AS channel, l.refs, l.recipient, l.reference
    FROM json_to_recordset(p_lookups) AS l(
  id text, account text, mode smallint, keys text[], channel smallint, refs text[], recipient text, reference integer)
    LEFT JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.id = l.account OFFSET 0) a ON true
    LEFT JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = l.id OFFSET 0) d ON true
  ), named AS MATERIALIZED (
    SELECT DISTINCT a.channel, u.ref, a.id IS NOT NULL AS is_named FROM asked a CROSS JOIN unnest(a.refs) u(ref)
    WHERE a.channel IS NOT NULL
  ), unmatched AS MATERIALIZED (
    SELECT u.* FROM (
      SELECT DISTINCT w.report FROM named f
      CROSS JOIN LATERAL (SELECT * FROM "watchword".unmatched_refs t WHERE t.channel = f.channel AND t.ref = f.ref OFFSET 0) w WHERE f.is_named
    ) waiting CROSS JOIN LATERAL (SELECT * FROM "watchword".unmatched_reports t WHERE t.n = waiting.report OFFSET 0) u
  ), refs AS MATERIALIZED (
    SELECT channel, ref FROM named UNION SELECT u.channel, unnest(u.refs) FROM unmatched u
  ), known AS MATERIALIZED (
    SELECT p.* FROM refs r
    CROSS JOIN LATERAL (SELECT * FROM "watchword".parts t WHERE t.channel = r.channel AND t.ref = r.ref AND t.delivery IS NOT NULL OFFSET 0) p
  ), held AS MATERIALIZED (
    SELECT c.* FROM asked a CROSS JOIN unnest(a.keys) k(key)
    CROSS JOIN LATERAL (SELECT * FROM "watchword".claims t WHERE t.account = a.account AND t.mode = a.mode AND t.key = k.key OFFSET 0) c
  ), found AS MATERIALIZED (
    SELECT d.* FROM (
      SELECT id FROM asked UNION SELECT delivery FROM known UNION SELECT delivery FROM held
      UNION SELECT o.id FROM (
        SELECT channel, recipient, reference FROM asked WHERE reference IS NOT NULL UNION SELECT channel, recipient, reference FROM unmatched
      ) m CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.reference = m.reference AND t.recipient = m.recipient AND (t.phase < 2 OR t.phase = 2 AND t.parts > 1 AND t.named < t.parts) AND t.channel = m.channel OFFSET 0) o
    ) i CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = i.id OFFSET 0) d
  ), concerned AS MATERIALIZED (
    -- The records that these are parts of are the same account's.
    SELECT * FROM found UNION ALL SELECT w.* FROM (
      SELECT (details ->> 'verification') COLLATE "C" AS id FROM found EXCEPT SELECT id FROM found
    ) p CROSS JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = p.id OFFSET 0) w
  ), owners AS MATERIALIZED (
    SELECT a.* FROM (SELECT account FROM asked UNION SELECT account FROM concerned) n
    CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.n = n.account OFFSET 0) a
  )
  SELECT json_build_object(
    'accounts', (SELECT coalesce(json_agg(json_build_array(a.id, a.available, a.held, a.suspended_at IS NOT NULL)), '[]') FROM owners a),
    'deliveries', (SELECT coalesce(json_agg(json_build_array(d.id, a.id, d.mode, d.channel, d.recipient, d.sender, d.phase, d.status,
    d.rank, d.price, d.parts, d.named, d.reference, d.created_at, d.status_at, d.due_at, d.details, d.watch)), '[]') FROM concerned d CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.n = d.account OFFSET 0) a),
    'claims', (SELECT coalesce(json_agg(json_build_array(a.id, c.mode, c.key, c.delivery, c.fingerprint, c.held_until, c.expires_at)), '[]') FROM held c CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.n = c.account OFFSET 0) a),
    'parts', (SELECT coalesce(json_agg(json_build_array(p.channel, p.ref, p.delivery, p.name)), '[]') FROM known p),
    'reported', (SELECT coalesce(json_agg(json_build_array(p.delivery, p.status, p.part)), '[]') FROM concerned d
      CROSS JOIN LATERAL (SELECT * FROM "watchword".part_reports t WHERE t.delivery = d.id OFFSET 0) p),
    'unmatched', (SELECT coalesce(json_agg(json_build_array(u.n, u.channel, u.refs, u.recipient, u.reference, u.status, u.rank,
      u.conditions, u.details, u.every_part, u.refund, u.at) ORDER BY u.n), '[]') FROM unmatched u),
    'waiting', (SELECT coalesce(json_agg(w.report), '[]') FROM refs r
      CROSS JOIN LATERAL (SELECT * FROM "watchword".unmatched_refs t WHERE t.channel = r.channel AND t.ref = r.ref OFFSET 0) w),
    'refs', p_refs
  ) WHERE NOT EXISTS (SELECT FROM owners WHERE n <> ALL (p_locked)));
END $$;

-- Locks what steps are about, and answers the facts.
CREATE OR REPLACE FUNCTION "watchword".look_up(p_lookups json) RETURNS json LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
DECLARE
  locked integer[];
  is_early boolean;
  placeholders json;
  facts json;
BEGIN
  SELECT coalesce(c.accounts, '{}'), c.is_early INTO locked, is_early FROM "watchword".concerned(p_lookups) c;
  PERFORM FROM "watchword".accounts WHERE n = ANY (locked) ORDER BY n FOR NO KEY UPDATE;
  -- All refs get placeholders then, so that locks of refs come in one order, too.
  IF is_early THEN
    WITH made AS (
      INSERT INTO "watchword".parts
      SELECT DISTINCT coalesce(l.channel, d.channel), r.ref, NULL, NULL FROM json_to_recordset(p_lookups) AS l(
  id text, account text, mode smallint, keys text[], channel smallint, refs text[], recipient text, reference integer) CROSS JOIN unnest(l.refs) r(ref)
      LEFT JOIN LATERAL (SELECT * FROM "watchword".deliveries t WHERE t.id = l.id OFFSET 0) d ON true WHERE coalesce(l.channel, d.channel) IS NOT NULL ORDER BY 1, 2
      ON CONFLICT (channel, ref) DO UPDATE SET name = parts.name
      RETURNING channel, ref
    )
    SELECT json_agg(json_build_array(channel, ref)) INTO placeholders FROM made;
  END IF;
  facts := "watchword".facts(p_lookups, locked, coalesce(placeholders, '[]'));
  IF facts IS NULL THEN
    RAISE serialization_failure USING MESSAGE = 'a step is about another account than it was before its locks';
  END IF;
  RETURN facts;
END $$;

-- Removes counts of those given that are zero.
CREATE OR REPLACE FUNCTION "watchword".remove_zeros(p_zeros "watchword".counts[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_zeros IS NULL THEN RETURN; END IF;
  DELETE FROM "watchword".counts c USING unnest(p_zeros) z
  WHERE c.account = z.account AND c.mode = z.mode AND c.channel = z.channel AND c.width = z.width
    AND c.bucket = z.bucket AND c.status = z.status AND c.n = 0;
END $$;

-- Writes the changes of steps whose facts were looked up in the same transaction, and removes the placeholders of refs
-- that no report waits for.
CREATE OR REPLACE FUNCTION "watchword".apply(p_changes json) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET cpu_tuple_cost = 10 SET cpu_index_tuple_cost = 10 SET jit = off AS $$
#variable_conflict use_column
DECLARE
  zeros "watchword".counts[];
  new record;
BEGIN
  -- Taken apart once.
  SELECT * INTO new FROM json_to_record(p_changes) AS c(opened json, updated json, counts json, entries json, balances json,
    claims json, parts json, waiting bigint[], reported json, complete json, unmatched json, replayed json, events json, refs json);

  IF new.opened IS NOT NULL THEN
    INSERT INTO "watchword".deliveries
    SELECT o.id, a.n, o.mode, o.channel, o.recipient, o.sender, o.phase, o.status, o.rank, o.price, o.parts, o.named, o.reference,
      o.created_at, o.status_at, o.due_at, o.details, o.owner, o.watch
    FROM json_to_recordset(new.opened) AS o(id text, account text, mode smallint, channel smallint,
      recipient text, sender text, phase smallint, status text, rank integer, price bigint, parts integer,
      named integer, reference integer, created_at bigint, status_at bigint, due_at bigint, details jsonb,
      owner text, watch jsonb)
    CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.id = o.account OFFSET 0) a;
  END IF;

  IF new.updated IS NOT NULL THEN
    UPDATE "watchword".deliveries d
    SET phase = u.phase, named = u.named, status = u.status, rank = u.rank, status_at = u.status_at,
      due_at = u.due_at, details = u.details, watch = u.watch
    FROM json_to_recordset(new.updated)
      AS u(id text, phase smallint, named integer, status text, rank integer, status_at bigint, due_at bigint,
        details jsonb, watch jsonb)
    WHERE d.id = u.id;
  END IF;

  IF new.counts IS NOT NULL THEN
    WITH counted AS (
      INSERT INTO "watchword".counts
      SELECT a.n, c.mode, c.channel, c.width, c.bucket, c.status, c.change
      FROM json_to_recordset(new.counts)
        AS c(account text, mode smallint, channel smallint, width integer, bucket integer, status text, change bigint)
      CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.id = c.account OFFSET 0) a
      ON CONFLICT (account, mode, channel, width, bucket, status) DO UPDATE SET n = counts.n + excluded.n
      RETURNING counts AS cell, n
    )
    SELECT array_agg(cell) INTO zeros FROM counted WHERE n = 0;
    PERFORM "watchword".remove_zeros(zeros);
  END IF;

  IF new.entries IS NOT NULL THEN
    INSERT INTO "watchword".entries (account, n, delivery, kind, amount, at)
    SELECT a.n, a.entries + e.place, e.delivery, e.kind, e.amount, e.at
    FROM json_to_recordset(new.entries)
      AS e(account text, place bigint, delivery text, kind smallint, amount bigint, at bigint)
    CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.id = e.account OFFSET 0) a;

    UPDATE "watchword".accounts a SET available = b.available, held = b.held, entries = a.entries + b.places
    FROM json_to_recordset(new.balances) AS b(account text, available bigint, held bigint, places bigint)
    WHERE a.id = b.account;
  END IF;

  IF new.claims IS NOT NULL THEN
    INSERT INTO "watchword".claims
    SELECT a.n, c.mode, c.key, c.delivery, c.fingerprint, c.held_until, c.expires_at
    FROM json_to_recordset(new.claims) AS c(account text, mode smallint, key text, delivery text,
      fingerprint text, held_until smallint, expires_at bigint)
    CROSS JOIN LATERAL (SELECT * FROM "watchword".accounts t WHERE t.id = c.account OFFSET 0) a
    ON CONFLICT (account, mode, key) DO UPDATE SET delivery = excluded.delivery, fingerprint = excluded.fingerprint,
      held_until = excluded.held_until, expires_at = excluded.expires_at;
  END IF;

  IF new.parts IS NOT NULL THEN
    INSERT INTO "watchword".parts
    SELECT * FROM json_to_recordset(new.parts) AS p(channel smallint, ref text, delivery text, name text) ORDER BY 1, 2
    ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name;

    -- A report that another transaction has kept unmatched since the look-up is in the way of the step that names its ref.
    IF EXISTS (
      SELECT FROM json_to_recordset(new.parts) AS p(channel smallint, ref text)
      CROSS JOIN LATERAL (SELECT * FROM "watchword".unmatched_refs t WHERE t.channel = p.channel AND t.ref = p.ref OFFSET 0) w
      WHERE new.waiting IS NULL OR w.report <> ALL (new.waiting)
    ) THEN
      RAISE serialization_failure USING MESSAGE = 'a report waits for a ref that has just been named';
    END IF;
  END IF;

  IF new.reported IS NOT NULL THEN
    INSERT INTO "watchword".part_reports
    SELECT * FROM json_to_recordset(new.reported) AS p(delivery text, status text, part text)
    ON CONFLICT DO NOTHING;
  END IF;

  IF new.complete IS NOT NULL THEN
    DELETE FROM "watchword".part_reports p
    USING json_to_recordset(new.complete) AS c(delivery text, status text)
    WHERE p.delivery = c.delivery AND p.status = c.status;
  END IF;

  IF new.unmatched IS NOT NULL THEN
    WITH kept AS (
      INSERT INTO "watchword".unmatched_reports
        (channel, refs, recipient, reference, status, rank, details, conditions, every_part, refund, at)
      SELECT * FROM json_to_recordset(new.unmatched) AS k(channel smallint, refs text[], recipient text,
        reference integer, status text, rank integer, details jsonb, conditions jsonb, every_part boolean,
        refund boolean, at bigint)
      RETURNING n, channel, refs
    )
    INSERT INTO "watchword".unmatched_refs SELECT DISTINCT channel, unnest(refs), n FROM kept;
  END IF;

  IF new.replayed IS NOT NULL THEN
    WITH replayed AS (
      DELETE FROM "watchword".unmatched_reports u USING json_array_elements_text(new.replayed) r
      WHERE u.n = r::bigint RETURNING u.n, u.channel, u.refs
    )
    DELETE FROM "watchword".unmatched_refs w USING (SELECT n, channel, unnest(refs) AS ref FROM replayed) r
    WHERE w.channel = r.channel AND w.ref = r.ref AND w.report = r.n;
  END IF;

  IF new.events IS NOT NULL THEN
    INSERT INTO "watchword".events (id, endpoint, state, due_at, attempts, event)
  SELECT e.id, e.endpoint, 0, e.at, 0, e.event
  FROM json_to_recordset(new.events) AS e(id text, endpoint text, at bigint, event text) ORDER BY 1
  ON CONFLICT DO NOTHING;
  END IF;

  IF new.refs IS NOT NULL THEN
    DELETE FROM "watchword".parts p USING json_array_elements(new.refs) r
    WHERE p.channel = (r ->> 0)::smallint AND p.ref = r ->> 1 AND p.delivery IS NULL AND NOT EXISTS (
      SELECT FROM "watchword".unmatched_refs w WHERE w.channel = p.channel AND w.ref = p.ref OFFSET 0
    );
  END IF;
END $$;

INSERT INTO "watchword".watchword_migrations (version, name, floor) VALUES (4, 'one engine', 4);

CREATE TABLE "watchword".refused_requests (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  account text COLLATE "C",
  mode TEXT,
  key TEXT,
  operation TEXT NOT NULL,
  status integer NOT NULL,
  code TEXT NOT NULL,
  reason TEXT,
  request_id TEXT,
  client TEXT,
  number TEXT,
  count integer NOT NULL
);
CREATE INDEX refused_requests_of_account ON "watchword".refused_requests (account, id) WHERE account IS NOT NULL;

INSERT INTO "watchword".watchword_migrations (version, name, floor) VALUES (5, 'refused requests', 1);
