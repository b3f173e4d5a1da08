import { ERASED } from "@watchword/store/Delivery"
import { FORGOTTEN, PURGED } from "@watchword/store/Store"
import { ENTRY, row } from "./shape.ts"
import { bucket, widths } from "./tables.ts"

/** Whether a delivery `d` is under way, see `@watchword/store/step`. */
const UNDER_WAY = "(d.phase < 2 OR d.due_at IS NOT NULL)"

/** Redactions of records, and the deletion of old ones. Both lock the accounts first, as the steps of sends do. */
export const retention = (s: string): string => `
-- Takes persons out of records that are not under way, and answers how many it changed.
CREATE FUNCTION ${s}.redact(p_redactions json) RETURNS bigint ${ENTRY} $$
DECLARE
  changed bigint;
BEGIN
  PERFORM FROM ${s}.accounts WHERE n IN (
    SELECT d.account FROM json_to_recordset(p_redactions) AS r(id text)
    CROSS JOIN ${row(`${s}.deliveries`, "t.id = r.id")} d
  ) ORDER BY n FOR NO KEY UPDATE;
  WITH asked AS MATERIALIZED (
    SELECT d.id, d.recipient AS number, r.person,
      CASE WHEN r.person THEN '${ERASED}' ELSE d.recipient END AS recipient,
      CASE WHEN r.sender THEN NULL ELSE d.sender END AS sender,
      d.details || coalesce((
        SELECT jsonb_object_agg(k.key, k.value) FROM jsonb_each(r.details) k WHERE d.details ? k.key
      ), '{}') AS details
    FROM json_to_recordset(p_redactions) AS r(id text, person boolean, sender boolean, details jsonb)
    CROSS JOIN ${row(`${s}.deliveries`, "t.id = r.id")} d
    WHERE NOT ${UNDER_WAY}
  ), unnamed AS (
    DELETE FROM ${s}.parts p USING asked a
    WHERE a.person AND p.delivery = a.id AND position(a.number in p.ref) > 0
  ), written AS (
    UPDATE ${s}.deliveries d SET recipient = a.recipient, sender = a.sender, details = a.details
    FROM asked a WHERE d.id = a.id
      AND (d.recipient, d.sender, d.details) IS DISTINCT FROM (a.recipient, a.sender, a.details)
    RETURNING 1
  )
  SELECT count(*) INTO changed FROM written;
  RETURN changed;
END $$;

-- Deletes some records of a time before p_before, of which p_id is the first id, and answers how many.
CREATE FUNCTION ${s}.purge(p_id text, p_before bigint, p_limit integer) RETURNS bigint ${ENTRY} $$
#variable_conflict use_column
DECLARE
  locked integer[];
  zeros ${s}.counts[];
  purged bigint;
BEGIN
  locked := ARRAY (
    SELECT DISTINCT o.account FROM (
      SELECT d.account FROM ${s}.deliveries d
      WHERE d.id < p_id AND NOT ${UNDER_WAY} AND d.created_at < p_before AND d.status_at < p_before
      ORDER BY d.id LIMIT p_limit
    ) o
  );
  PERFORM FROM ${s}.accounts WHERE n = ANY (locked) ORDER BY n FOR NO KEY UPDATE;
  WITH old AS MATERIALIZED (
    SELECT d.id FROM ${s}.deliveries d
    WHERE d.id < p_id AND NOT ${UNDER_WAY} AND d.created_at < p_before AND d.status_at < p_before
      AND d.account = ANY (locked)
    ORDER BY d.id LIMIT p_limit
  ), gone AS (
    DELETE FROM ${s}.deliveries d USING old WHERE d.id = old.id
    RETURNING d.account, d.mode, d.channel, d.status, d.listed_at
  ), unnamed AS (
    DELETE FROM ${s}.parts p USING old WHERE p.delivery = old.id
  ), unreported AS (
    DELETE FROM ${s}.part_reports p USING old WHERE p.delivery = old.id
  ), counted AS (
    INSERT INTO ${s}.counts
    SELECT g.account, g.mode, g.channel, w.width, ${bucket("g.listed_at", "w.width")}, g.status, -count(*)
    FROM gone g CROSS JOIN ${widths} GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account, mode, channel, width, bucket, status) DO UPDATE SET n = counts.n + excluded.n
    RETURNING counts AS cell, n
  )
  SELECT (SELECT count(*) FROM gone), (SELECT array_agg(cell) FROM counted WHERE n = 0) INTO purged, zeros;
  PERFORM ${s}.remove_zeros(zeros);
  IF purged > 0 THEN
    INSERT INTO ${s}.settings VALUES (0, '${PURGED}', p_before::text)
    ON CONFLICT (account, name) DO UPDATE
    SET value = greatest(settings.value::bigint, excluded.value::bigint)::text;
  END IF;
  RETURN purged;
END $$;

-- Deletes what is kept under a number beside records. Answers how many claims, unmatched reports and settings. It looks at
-- all claims, so the planner is free.
CREATE FUNCTION ${s}.forget(p_to text, p_settings text[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  r ${s}.unmatched_reports;
  claims bigint;
  reports bigint := 0;
  settings bigint;
BEGIN
  DELETE FROM ${s}.claims c WHERE right(c.key, length(p_to)) = p_to AND NOT EXISTS (
    SELECT FROM ${s}.deliveries d WHERE d.id = c.delivery AND ${UNDER_WAY}
  );
  GET DIAGNOSTICS claims = ROW_COUNT;
  FOR r IN SELECT * FROM ${s}.unmatched_reports u WHERE u.recipient = p_to FOR UPDATE SKIP LOCKED LOOP
    PERFORM ${s}.drop_unmatched(r);
    reports := reports + 1;
  END LOOP;
  DELETE FROM ${s}.settings t WHERE t.name = ANY (p_settings);
  GET DIAGNOSTICS settings = ROW_COUNT;
  UPDATE ${s}.operator_log o
  SET input = replace(o.input, p_to, '${FORGOTTEN}'), output = replace(o.output, p_to, '${FORGOTTEN}')
  WHERE position(p_to in o.input) > 0 OR position(p_to in o.output) > 0;
  RETURN ARRAY[claims, reports, settings];
END $$;
`
