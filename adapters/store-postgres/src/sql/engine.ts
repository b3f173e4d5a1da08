import { PART_OF } from "@watchword/store/Delivery"
import { isReferable } from "@watchword/store/sql"
import { insertEvents } from "./events.ts"
import { ENTRY, record, row } from "./shape.ts"

/** The lookups of some steps as rows `l`, see `@watchword/store/step`. */
const lookups = `json_to_recordset(p_lookups) AS l(
  id text, account text, mode smallint, keys text[], channel smallint, refs text[], recipient text, reference integer)`

/** The deliveries that a report or a lookup `m` may be about by the recipient and the reference of its message. */
const referred = `t.reference = m.reference AND t.recipient = m.recipient AND ${isReferable("t.")} AND t.channel = m.channel`

const list = (values: string): string => `(SELECT coalesce(json_agg(${values}), '[]') FROM`

/**
 * The two ends of a transaction in which the step engine decides: `look_up` locks and answers the facts, and `apply`
 * writes the changes.
 *
 * Locks come in one order: accounts by number, which guard their deliveries, claims and counts, and then refs. A report
 * about a ref that no part has yet makes a placeholder in `parts`; without one, a step locks the refs that it names
 * when it writes them, and is repeated where a report has come to wait for one of them since the look-up.
 */
export const engine = (s: string): string => `
-- The accounts that steps are about, and whether a report is about a ref that no part has yet.
CREATE FUNCTION ${s}.concerned(p_lookups json, OUT accounts integer[], OUT is_early boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  WITH asked AS MATERIALIZED (
    SELECT l.*, a.n, d.account AS owner, coalesce(l.channel, d.channel) AS place FROM ${lookups}
    LEFT JOIN ${row(`${s}.accounts`, "t.id = l.account")} a ON true
    LEFT JOIN ${row(`${s}.deliveries`, "t.id = l.id")} d ON true
  ), named AS MATERIALIZED (
    SELECT a.id, a.place AS channel, r.ref, p.delivery FROM asked a CROSS JOIN unnest(a.refs) r(ref)
    LEFT JOIN ${row(`${s}.parts`, "t.channel = a.place AND t.ref = r.ref")} p ON true
  ), unmatched AS MATERIALIZED (
    SELECT u.* FROM named f
    CROSS JOIN ${row(`${s}.unmatched_refs`, "t.channel = f.channel AND t.ref = f.ref")} w
    CROSS JOIN ${row(`${s}.unmatched_reports`, "t.n = w.report")} u WHERE f.id IS NOT NULL
  )
  SELECT array_agg(DISTINCT c.n), (SELECT bool_or(id IS NULL AND delivery IS NULL) FROM named)
  INTO accounts, is_early FROM (
    SELECT n FROM asked WHERE n IS NOT NULL UNION ALL SELECT owner FROM asked WHERE owner IS NOT NULL
    UNION ALL SELECT d.account FROM (
      SELECT delivery FROM named
      UNION ALL SELECT p.delivery FROM unmatched u CROSS JOIN unnest(u.refs) r(ref)
      CROSS JOIN ${row(`${s}.parts`, "t.channel = u.channel AND t.ref = r.ref")} p
    ) k CROSS JOIN ${row(`${s}.deliveries`, "t.id = k.delivery")} d
    UNION ALL SELECT d.account FROM (
      SELECT place AS channel, recipient, reference FROM asked WHERE reference IS NOT NULL
      UNION ALL SELECT channel, recipient, reference FROM unmatched
    ) m CROSS JOIN ${row(`${s}.deliveries`, referred)} d
  ) c;
END $$;

-- The facts that steps are decided on: of their accounts, and the refs under which placeholders were made. Null when the
-- steps are about other accounts, too.
CREATE FUNCTION ${s}.facts(p_lookups json, p_locked integer[], p_refs json) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  RETURN (WITH asked AS MATERIALIZED (
    SELECT l.id, a.n AS account, l.mode, l.keys, coalesce(l.channel, d.channel) AS channel, l.refs, l.recipient, l.reference
    FROM ${lookups}
    LEFT JOIN ${row(`${s}.accounts`, "t.id = l.account")} a ON true
    LEFT JOIN ${row(`${s}.deliveries`, "t.id = l.id")} d ON true
  ), named AS MATERIALIZED (
    SELECT DISTINCT a.channel, u.ref, a.id IS NOT NULL AS is_named FROM asked a CROSS JOIN unnest(a.refs) u(ref)
    WHERE a.channel IS NOT NULL
  ), unmatched AS MATERIALIZED (
    SELECT u.* FROM (
      SELECT DISTINCT w.report FROM named f
      CROSS JOIN ${row(`${s}.unmatched_refs`, "t.channel = f.channel AND t.ref = f.ref")} w WHERE f.is_named
    ) waiting CROSS JOIN ${row(`${s}.unmatched_reports`, "t.n = waiting.report")} u
  ), refs AS MATERIALIZED (
    SELECT channel, ref FROM named UNION SELECT u.channel, unnest(u.refs) FROM unmatched u
  ), known AS MATERIALIZED (
    SELECT p.* FROM refs r
    CROSS JOIN ${row(`${s}.parts`, "t.channel = r.channel AND t.ref = r.ref AND t.delivery IS NOT NULL")} p
  ), held AS MATERIALIZED (
    SELECT c.* FROM asked a CROSS JOIN unnest(a.keys) k(key)
    CROSS JOIN ${row(`${s}.claims`, "t.account = a.account AND t.mode = a.mode AND t.key = k.key")} c
  ), found AS MATERIALIZED (
    SELECT d.* FROM (
      SELECT id FROM asked UNION SELECT delivery FROM known UNION SELECT delivery FROM held
      UNION SELECT o.id FROM (
        SELECT channel, recipient, reference FROM asked WHERE reference IS NOT NULL UNION SELECT channel, recipient, reference FROM unmatched
      ) m CROSS JOIN ${row(`${s}.deliveries`, referred)} o
    ) i CROSS JOIN ${row(`${s}.deliveries`, "t.id = i.id")} d
  ), concerned AS MATERIALIZED (
    -- The records that these are parts of are the same account's.
    SELECT * FROM found UNION ALL SELECT w.* FROM (
      SELECT (details ->> '${PART_OF}') COLLATE "C" AS id FROM found EXCEPT SELECT id FROM found
    ) p CROSS JOIN ${row(`${s}.deliveries`, "t.id = p.id")} w
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
    'waiting', ${list("w.report")} refs r
      CROSS JOIN ${row(`${s}.unmatched_refs`, "t.channel = r.channel AND t.ref = r.ref")} w),
    'refs', p_refs
  ) WHERE NOT EXISTS (SELECT FROM owners WHERE n <> ALL (p_locked)));
END $$;

-- Locks what steps are about, and answers the facts.
CREATE FUNCTION ${s}.look_up(p_lookups json) RETURNS json ${ENTRY} $$
DECLARE
  locked integer[];
  is_early boolean;
  placeholders json;
  facts json;
BEGIN
  SELECT coalesce(c.accounts, '{}'), c.is_early INTO locked, is_early FROM ${s}.concerned(p_lookups) c;
  PERFORM FROM ${s}.accounts WHERE n = ANY (locked) ORDER BY n FOR NO KEY UPDATE;
  -- All refs get placeholders then, so that locks of refs come in one order, too.
  IF is_early THEN
    WITH made AS (
      INSERT INTO ${s}.parts
      SELECT DISTINCT coalesce(l.channel, d.channel), r.ref, NULL, NULL FROM ${lookups} CROSS JOIN unnest(l.refs) r(ref)
      LEFT JOIN ${row(`${s}.deliveries`, "t.id = l.id")} d ON true WHERE coalesce(l.channel, d.channel) IS NOT NULL ORDER BY 1, 2
      ON CONFLICT (channel, ref) DO UPDATE SET name = parts.name
      RETURNING channel, ref
    )
    SELECT json_agg(json_build_array(channel, ref)) INTO placeholders FROM made;
  END IF;
  facts := ${s}.facts(p_lookups, locked, coalesce(placeholders, '[]'));
  IF facts IS NULL THEN
    RAISE serialization_failure USING MESSAGE = 'a step is about another account than it was before its locks';
  END IF;
  RETURN facts;
END $$;

-- Removes counts of those given that are zero.
CREATE FUNCTION ${s}.remove_zeros(p_zeros ${s}.counts[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_zeros IS NULL THEN RETURN; END IF;
  DELETE FROM ${s}.counts c USING unnest(p_zeros) z
  WHERE c.account = z.account AND c.mode = z.mode AND c.channel = z.channel AND c.width = z.width
    AND c.bucket = z.bucket AND c.status = z.status AND c.n = 0;
END $$;

-- Writes the changes of steps whose facts were looked up in the same transaction, and removes the placeholders of refs
-- that no report waits for.
CREATE FUNCTION ${s}.apply(p_changes json) RETURNS void ${ENTRY} $$
#variable_conflict use_column
DECLARE
  zeros ${s}.counts[];
  new record;
BEGIN
  -- Taken apart once.
  SELECT * INTO new FROM json_to_record(p_changes) AS c(opened json, updated json, counts json, entries json, balances json,
    claims json, parts json, waiting bigint[], reported json, complete json, unmatched json, replayed json, events json, refs json);

  IF new.opened IS NOT NULL THEN
    INSERT INTO ${s}.deliveries
    SELECT o.id, a.n, o.mode, o.channel, o.recipient, o.sender, o.phase, o.status, o.rank, o.price, o.parts, o.named, o.reference,
      o.created_at, o.status_at, o.due_at, o.details, o.owner, o.watch
    FROM json_to_recordset(new.opened) AS o(id text, account text, mode smallint, channel smallint,
      recipient text, sender text, phase smallint, status text, rank integer, price bigint, parts integer,
      named integer, reference integer, created_at bigint, status_at bigint, due_at bigint, details jsonb,
      owner text, watch jsonb)
    CROSS JOIN ${row(`${s}.accounts`, "t.id = o.account")} a;
  END IF;

  IF new.updated IS NOT NULL THEN
    UPDATE ${s}.deliveries d
    SET phase = u.phase, named = u.named, status = u.status, rank = u.rank, status_at = u.status_at,
      due_at = u.due_at, details = u.details, watch = u.watch
    FROM json_to_recordset(new.updated)
      AS u(id text, phase smallint, named integer, status text, rank integer, status_at bigint, due_at bigint,
        details jsonb, watch jsonb)
    WHERE d.id = u.id;
  END IF;

  IF new.counts IS NOT NULL THEN
    WITH counted AS (
      INSERT INTO ${s}.counts
      SELECT a.n, c.mode, c.channel, c.width, c.bucket, c.status, c.change
      FROM json_to_recordset(new.counts)
        AS c(account text, mode smallint, channel smallint, width integer, bucket integer, status text, change bigint)
      CROSS JOIN ${row(`${s}.accounts`, "t.id = c.account")} a
      ON CONFLICT (account, mode, channel, width, bucket, status) DO UPDATE SET n = counts.n + excluded.n
      RETURNING counts AS cell, n
    )
    SELECT array_agg(cell) INTO zeros FROM counted WHERE n = 0;
    PERFORM ${s}.remove_zeros(zeros);
  END IF;

  IF new.entries IS NOT NULL THEN
    INSERT INTO ${s}.entries (account, n, delivery, kind, amount, at)
    SELECT a.n, a.entries + e.place, e.delivery, e.kind, e.amount, e.at
    FROM json_to_recordset(new.entries)
      AS e(account text, place bigint, delivery text, kind smallint, amount bigint, at bigint)
    CROSS JOIN ${row(`${s}.accounts`, "t.id = e.account")} a;

    UPDATE ${s}.accounts a SET available = b.available, held = b.held, entries = a.entries + b.places
    FROM json_to_recordset(new.balances) AS b(account text, available bigint, held bigint, places bigint)
    WHERE a.id = b.account;
  END IF;

  IF new.claims IS NOT NULL THEN
    INSERT INTO ${s}.claims
    SELECT a.n, c.mode, c.key, c.delivery, c.fingerprint, c.held_until, c.expires_at
    FROM json_to_recordset(new.claims) AS c(account text, mode smallint, key text, delivery text,
      fingerprint text, held_until smallint, expires_at bigint)
    CROSS JOIN ${row(`${s}.accounts`, "t.id = c.account")} a
    ON CONFLICT (account, mode, key) DO UPDATE SET delivery = excluded.delivery, fingerprint = excluded.fingerprint,
      held_until = excluded.held_until, expires_at = excluded.expires_at;
  END IF;

  IF new.parts IS NOT NULL THEN
    INSERT INTO ${s}.parts
    SELECT * FROM json_to_recordset(new.parts) AS p(channel smallint, ref text, delivery text, name text) ORDER BY 1, 2
    ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name;

    -- A report that another transaction has kept unmatched since the look-up is in the way of the step that names its ref.
    IF EXISTS (
      SELECT FROM json_to_recordset(new.parts) AS p(channel smallint, ref text)
      CROSS JOIN ${row(`${s}.unmatched_refs`, "t.channel = p.channel AND t.ref = p.ref")} w
      WHERE new.waiting IS NULL OR w.report <> ALL (new.waiting)
    ) THEN
      RAISE serialization_failure USING MESSAGE = 'a report waits for a ref that has just been named';
    END IF;
  END IF;

  IF new.reported IS NOT NULL THEN
    INSERT INTO ${s}.part_reports
    SELECT * FROM json_to_recordset(new.reported) AS p(delivery text, status text, part text)
    ON CONFLICT DO NOTHING;
  END IF;

  IF new.complete IS NOT NULL THEN
    DELETE FROM ${s}.part_reports p
    USING json_to_recordset(new.complete) AS c(delivery text, status text)
    WHERE p.delivery = c.delivery AND p.status = c.status;
  END IF;

  IF new.unmatched IS NOT NULL THEN
    WITH kept AS (
      INSERT INTO ${s}.unmatched_reports
        (channel, refs, recipient, reference, status, rank, details, conditions, every_part, refund, at)
      SELECT * FROM json_to_recordset(new.unmatched) AS k(channel smallint, refs text[], recipient text,
        reference integer, status text, rank integer, details jsonb, conditions jsonb, every_part boolean,
        refund boolean, at bigint)
      RETURNING n, channel, refs
    )
    INSERT INTO ${s}.unmatched_refs SELECT DISTINCT channel, unnest(refs), n FROM kept;
  END IF;

  IF new.replayed IS NOT NULL THEN
    WITH replayed AS (
      DELETE FROM ${s}.unmatched_reports u USING json_array_elements_text(new.replayed) r
      WHERE u.n = r::bigint RETURNING u.n, u.channel, u.refs
    )
    DELETE FROM ${s}.unmatched_refs w USING (SELECT n, channel, unnest(refs) AS ref FROM replayed) r
    WHERE w.channel = r.channel AND w.ref = r.ref AND w.report = r.n;
  END IF;

  IF new.events IS NOT NULL THEN
    ${insertEvents(s, "new.events")}
  END IF;

  IF new.refs IS NOT NULL THEN
    DELETE FROM ${s}.parts p USING json_array_elements(new.refs) r
    WHERE p.channel = (r ->> 0)::smallint AND p.ref = r ->> 1 AND p.delivery IS NULL AND NOT EXISTS (
      SELECT FROM ${s}.unmatched_refs w WHERE w.channel = p.channel AND w.ref = p.ref OFFSET 0
    );
  END IF;
END $$;
`
