import { fit, record, row } from "./shape.ts"
import { bucket } from "./tables.ts"

/** The reports of a batch as rows `r`. Without an id a report is about a part. */
const reports = `json_to_recordset(p_reports) AS r(
  i integer, id text, channel smallint, refs text[], recipient text, reference integer, status text, rank integer,
  details jsonb, conditions jsonb, every_part boolean, refund boolean, at bigint)`

/**
 * Reports.
 *
 * Plain is the first report of a batch about a delivery that names a status and no condition: by id, or about the part
 * of a message that is known for certain, was accepted, and need not wait for other parts.
 */
export const reportAll = (s: string): string => `
-- [0, record] moved, [1, record] unchanged.
CREATE FUNCTION ${s}.report_all(p_reports json, p_locked integer[]) RETURNS json[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  answers json[];
  done integer[];
  r record;
BEGIN
  WITH met AS MATERIALIZED (
    SELECT r.i, d.id, d.account, d.mode, d.channel, d.recipient, d.sender, d.phase, d.price, d.parts, d.reference,
      d.created_at, d.status AS old_status, d.by_status, d.listed_at,
      r.rank > d.rank AS changed,
      CASE WHEN r.rank > d.rank THEN r.status ELSE d.status END AS status,
      CASE WHEN r.rank > d.rank THEN r.rank ELSE d.rank END AS rank,
      CASE WHEN r.rank > d.rank THEN r.at ELSE d.status_at END AS status_at,
      CASE WHEN r.rank > d.rank THEN d.details || r.details ELSE d.details END AS details,
      row_number() OVER (PARTITION BY d.id ORDER BY r.i) = 1 AND NOT r.refund AND r.conditions = '{}'
        AND r.status IS NOT NULL AND d.account = ANY (p_locked)
        AND (r.id IS NOT NULL OR d.phase > 1 AND (d.parts < 2 OR NOT r.every_part)
          AND ${fit("d", "r", "true")} = CASE WHEN r.reference IS NULL THEN 1 ELSE 2 END) AS plain
    FROM ${reports}
    LEFT JOIN ${row(`${s}.parts`, "r.id IS NULL AND t.channel = r.channel AND t.ref = r.refs[1]")} p ON true
    CROSS JOIN ${row(`${s}.deliveries`, "t.id = coalesce(r.id, p.delivery)")} d
  ), written AS (
    UPDATE ${s}.deliveries d SET status = m.status, rank = m.rank, status_at = m.status_at, details = m.details
    FROM met m WHERE d.id = m.id AND m.plain AND m.changed
  ), counted AS (
    INSERT INTO ${s}.counts
    SELECT m.account, m.mode, m.channel, ${bucket("v.listed")}, v.status, sum(v.change)
    FROM met m CROSS JOIN LATERAL (VALUES
      (m.listed_at, m.old_status, -1),
      (CASE WHEN m.by_status THEN m.status_at ELSE m.created_at END, m.status, 1)
    ) v(listed, status, change)
    WHERE m.plain AND m.changed GROUP BY 1, 2, 3, 4, 5 HAVING sum(v.change) <> 0
    ON CONFLICT (account, mode, channel, bucket, status) DO UPDATE SET n = counts.n + excluded.n
  )
  SELECT array_agg(json_build_array(d.i, json_build_array(CASE WHEN d.changed THEN 0 ELSE 1 END, ${record("d", "a.id")}))),
    array_agg(d.i)
  INTO answers, done
  FROM met d CROSS JOIN ${row(`${s}.accounts`, "t.n = d.account")} a WHERE d.plain;
  IF coalesce(cardinality(done), 0) < json_array_length(p_reports) THEN
    FOR r IN SELECT * FROM ${reports} WHERE done IS NULL OR r.i <> ALL (done) ORDER BY r.i LOOP
      answers := answers || json_build_array(r.i, ${s}.report_one(r.id, r.channel, r.refs, r.recipient, r.reference,
        r.status, r.rank, r.details, r.conditions, r.every_part, r.refund, r.at, p_locked));
    END LOOP;
  END IF;
  RETURN answers;
END $$;
`
