import { isReferable } from "@watchword/store/sql"
import { ENTRY, record, row } from "./shape.ts"

/** The lookups of some steps as rows `l`, see `@watchword/store/step`. */
const lookups = `json_to_recordset(p_lookups) AS l(
  id text, account text, mode smallint, keys text[], channel smallint, refs text[], recipient text, reference integer)`

const list = (values: string): string => `(SELECT coalesce(json_agg(${values}), '[]') FROM`

/**
 * The two ends of a transaction in which the step engine decides: `look_up` locks and answers the facts, and `apply`
 * writes the changes.
 *
 * Locks come in one order: accounts by number, which guard their deliveries, claims and counts, and then refs.
 */
export const engine = (s: string): string => `
-- The facts that steps are decided on, and the refs that they name.
CREATE FUNCTION ${s}.facts(p_lookups json) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  RETURN (WITH asked AS MATERIALIZED (
    SELECT l.id, a.n AS account, l.mode, l.keys, coalesce(l.channel, d.channel) AS channel, l.refs, l.recipient, l.reference
    FROM ${lookups}
    LEFT JOIN ${row(`${s}.accounts`, "t.id = l.account")} a ON true
    LEFT JOIN ${row(`${s}.deliveries`, "t.id = l.id")} d ON true
  ), refs AS MATERIALIZED (
    SELECT DISTINCT a.channel, u.ref FROM asked a CROSS JOIN unnest(a.refs) u(ref) WHERE a.channel IS NOT NULL
  ), unmatched AS MATERIALIZED (
    SELECT u.* FROM (
      SELECT DISTINCT w.report FROM asked a CROSS JOIN unnest(a.refs) f(ref)
      CROSS JOIN ${row(`${s}.unmatched_refs`, "t.channel = a.channel AND t.ref = f.ref")} w WHERE a.id IS NOT NULL
    ) waiting CROSS JOIN ${row(`${s}.unmatched_reports`, "t.n = waiting.report")} u
  ), known AS MATERIALIZED (
    SELECT p.* FROM (SELECT * FROM refs UNION SELECT u.channel, unnest(u.refs) FROM unmatched u) r(channel, ref)
    CROSS JOIN ${row(`${s}.parts`, "t.channel = r.channel AND t.ref = r.ref AND t.delivery IS NOT NULL")} p
  ), held AS MATERIALIZED (
    SELECT c.* FROM asked a CROSS JOIN unnest(a.keys) k(key)
    CROSS JOIN ${row(`${s}.claims`, "t.account = a.account AND t.mode = a.mode AND t.key = k.key")} c
  ), concerned AS MATERIALIZED (
    SELECT d.* FROM (
      SELECT id FROM asked UNION SELECT delivery FROM known UNION SELECT delivery FROM held
      UNION SELECT o.id FROM (
        SELECT channel, recipient, reference FROM asked UNION SELECT channel, recipient, reference FROM unmatched
      ) m CROSS JOIN ${row(
        `${s}.deliveries`,
        `t.reference = m.reference AND t.recipient = m.recipient AND ${isReferable("t.")} AND t.channel = m.channel`
      )} o
    ) i CROSS JOIN ${row(`${s}.deliveries`, "t.id = i.id")} d
  ), owners AS MATERIALIZED (
    SELECT a.* FROM (SELECT account FROM asked UNION SELECT account FROM concerned) n
    CROSS JOIN ${row(`${s}.accounts`, "t.n = n.account")} a
  )
  SELECT json_build_object(
    'accounts', ${list("json_build_array(a.id, a.available, a.held, a.suspended_at IS NOT NULL)")} owners a),
    'deliveries', ${list(record("d", "a.id"))} concerned d CROSS JOIN ${row(`${s}.accounts`, "t.n = d.account")} a),
    'claims', ${list(
      "json_build_array(a.id, c.mode, c.key, c.delivery, c.fingerprint, c.held_until, c.expires_at)"
    )} held c CROSS JOIN ${row(`${s}.accounts`, "t.n = c.account")} a),
    'parts', ${list("json_build_array(p.channel, p.ref, p.delivery, p.name)")} known p),
    'reported', ${list("json_build_array(p.delivery, p.status, p.part)")} concerned d
      CROSS JOIN ${row(`${s}.part_reports`, "t.delivery = d.id")} p),
    'unmatched', ${list(`json_build_array(u.n, u.channel, u.refs, u.recipient, u.reference, u.status, u.rank,
      u.conditions, u.details, u.every_part, u.refund, u.at) ORDER BY u.n`)} unmatched u),
    'refs', ${list("json_build_array(r.channel, r.ref)")} refs r)
  ));
END $$;

-- Locks what steps are about, and answers the facts.
CREATE FUNCTION ${s}.look_up(p_lookups json) RETURNS json ${ENTRY} $$
DECLARE
  before json := ${s}.facts(p_lookups);
  locked text[] := ARRAY (SELECT a ->> 0 FROM json_array_elements(before -> 'accounts') a);
  facts json;
BEGIN
  PERFORM FROM ${s}.accounts WHERE id = ANY (locked) ORDER BY n FOR NO KEY UPDATE;
  -- A ref that no part has yet gets a placeholder, so that a step with the same ref in another transaction waits.
  INSERT INTO ${s}.parts
  SELECT (r ->> 0)::smallint, r ->> 1, NULL, NULL FROM json_array_elements(before -> 'refs') r ORDER BY 1, 2
  ON CONFLICT (channel, ref) DO UPDATE SET name = parts.name;
  facts := ${s}.facts(p_lookups);
  IF EXISTS (SELECT FROM json_array_elements(facts -> 'accounts') a WHERE a ->> 0 <> ALL (locked)) THEN
    RAISE serialization_failure USING MESSAGE = 'a step is about another account than it was before its locks';
  END IF;
  RETURN facts;
END $$;

-- Writes the changes of steps whose facts were looked up in the same transaction, and removes the placeholders of refs
-- that no report waits for.
CREATE FUNCTION ${s}.apply(p_changes json) RETURNS void ${ENTRY} $$
#variable_conflict use_column
DECLARE
  zeros ${s}.counts[];
BEGIN
  INSERT INTO ${s}.deliveries
  SELECT o.id, a.n, o.mode, o.channel, o.recipient, o.sender, o.phase, o.status, o.rank, o.price, o.parts, o.named, o.reference,
    o.created_at, o.status_at, o.due_at, o.details, o.owner, o.watch
  FROM json_to_recordset(p_changes -> 'opened') AS o(id text, account text, mode smallint, channel smallint,
    recipient text, sender text, phase smallint, status text, rank integer, price bigint, parts integer,
    named integer, reference integer, created_at bigint, status_at bigint, due_at bigint, details jsonb,
    owner text, watch jsonb)
  CROSS JOIN ${row(`${s}.accounts`, "t.id = o.account")} a;

  UPDATE ${s}.deliveries d
  SET phase = u.phase, named = u.named, status = u.status, rank = u.rank, status_at = u.status_at,
    due_at = u.due_at, details = u.details, watch = u.watch
  FROM json_to_recordset(p_changes -> 'updated')
    AS u(id text, phase smallint, named integer, status text, rank integer, status_at bigint, due_at bigint,
      details jsonb, watch jsonb)
  WHERE d.id = u.id;

  WITH counted AS (
    INSERT INTO ${s}.counts
    SELECT a.n, c.mode, c.channel, c.width, c.bucket, c.status, c.change
    FROM json_to_recordset(p_changes -> 'counts')
      AS c(account text, mode smallint, channel smallint, width integer, bucket integer, status text, change bigint)
    CROSS JOIN ${row(`${s}.accounts`, "t.id = c.account")} a
    ON CONFLICT (account, mode, channel, width, bucket, status) DO UPDATE SET n = counts.n + excluded.n
    RETURNING counts AS cell, n
  )
  SELECT array_agg(cell) INTO zeros FROM counted WHERE n = 0;
  PERFORM ${s}.remove_zeros(zeros);

  INSERT INTO ${s}.entries (account, n, delivery, kind, amount, at)
  SELECT a.n, a.entries + e.place, e.delivery, e.kind, e.amount, e.at
  FROM json_to_recordset(p_changes -> 'entries')
    AS e(account text, place bigint, delivery text, kind smallint, amount bigint, at bigint)
  CROSS JOIN ${row(`${s}.accounts`, "t.id = e.account")} a;

  UPDATE ${s}.accounts a SET available = b.available, held = b.held, entries = a.entries + b.places
  FROM json_to_recordset(p_changes -> 'balances') AS b(account text, available bigint, held bigint, places bigint)
  WHERE a.id = b.account;

  INSERT INTO ${s}.claims
  SELECT a.n, c.mode, c.key, c.delivery, c.fingerprint, c.held_until, c.expires_at
  FROM json_to_recordset(p_changes -> 'claims') AS c(account text, mode smallint, key text, delivery text,
    fingerprint text, held_until smallint, expires_at bigint)
  CROSS JOIN ${row(`${s}.accounts`, "t.id = c.account")} a
  ON CONFLICT (account, mode, key) DO UPDATE SET delivery = excluded.delivery, fingerprint = excluded.fingerprint,
    held_until = excluded.held_until, expires_at = excluded.expires_at;

  INSERT INTO ${s}.parts
  SELECT * FROM json_to_recordset(p_changes -> 'parts') AS p(channel smallint, ref text, delivery text, name text)
  ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name;

  INSERT INTO ${s}.part_reports
  SELECT * FROM json_to_recordset(p_changes -> 'reported') AS p(delivery text, status text, part text)
  ON CONFLICT DO NOTHING;

  DELETE FROM ${s}.part_reports p
  USING json_to_recordset(p_changes -> 'complete') AS c(delivery text, status text)
  WHERE p.delivery = c.delivery AND p.status = c.status;

  WITH kept AS (
    INSERT INTO ${s}.unmatched_reports
      (channel, refs, recipient, reference, status, rank, details, conditions, every_part, refund, at)
    SELECT * FROM json_to_recordset(p_changes -> 'unmatched') AS k(channel smallint, refs text[], recipient text,
      reference integer, status text, rank integer, details jsonb, conditions jsonb, every_part boolean,
      refund boolean, at bigint)
    RETURNING n, channel, refs
  )
  INSERT INTO ${s}.unmatched_refs SELECT DISTINCT channel, unnest(refs), n FROM kept;

  WITH replayed AS (
    DELETE FROM ${s}.unmatched_reports u USING json_array_elements_text(p_changes -> 'replayed') r
    WHERE u.n = r::bigint RETURNING u.n, u.channel, u.refs
  )
  DELETE FROM ${s}.unmatched_refs w USING (SELECT n, channel, unnest(refs) AS ref FROM replayed) r
  WHERE w.channel = r.channel AND w.ref = r.ref AND w.report = r.n;

  IF json_array_length(p_changes -> 'events') > 0 THEN
    PERFORM ${s}.append_events(p_changes -> 'events');
  END IF;

  DELETE FROM ${s}.parts p USING json_array_elements(p_changes -> 'refs') r
  WHERE p.channel = (r ->> 0)::smallint AND p.ref = r ->> 1 AND p.delivery IS NULL AND NOT EXISTS (
    SELECT FROM ${s}.unmatched_refs w WHERE w.channel = p.channel AND w.ref = p.ref OFFSET 0
  );
END $$;
`
