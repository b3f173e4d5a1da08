import { before, fit, isAsKnown, moves, record, row, insertEvents } from "./shape.ts"

/**
 * The reports of a batch as rows `r`. Without an id a report is about a part. `conditions` is null where there are none,
 * and `due` has the new time, null or not, where the report brings one.
 */
const reports = `json_to_recordset(p_reports) AS r(
  i integer, id text, channel smallint, refs text[], recipient text, reference integer, status text, rank integer,
  conditions jsonb, details jsonb, every_part boolean, refund boolean, due bigint[], at bigint, was jsonb, version integer,
  events text[])`

/** Whether the details of a record `d` are as a report requires. */
const isMet = `(r.conditions IS NULL OR NOT EXISTS (
  SELECT FROM jsonb_each(r.conditions) c WHERE coalesce(d.details -> c.key, 'null') <> c.value))`

/**
 * Reports.
 *
 * Plain is the first report of a batch about a delivery that is as it is known where it is watched: by id, or about the part of a message that is known for
 * certain, was accepted, and need not wait for other parts. A refund is plain where the delivery has no price.
 */
export const reportAll = (s: string): string => `
-- [0, record, before] moved, [1, record] unchanged. A report that is not plain has no answer.
CREATE FUNCTION ${s}.report_all(p_reports json, p_locked integer[]) RETURNS json[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  answers json[];
  zeros ${s}.counts[];
BEGIN
  WITH met AS MATERIALIZED (
    SELECT r.i, d.id, d.account, d.mode, d.channel, d.recipient, d.sender, d.price, d.parts, d.named, d.reference,
      d.created_at, d.watch || jsonb_build_object('version', r.version) AS watch, r.events, d.status AS old_status, d.listed_at, t.advanced OR t.refunded AS changed,
      CASE WHEN t.advanced OR t.refunded THEN ${before("d")} END AS before,
      CASE WHEN t.refunded THEN 4 ELSE d.phase END AS phase,
      CASE WHEN t.advanced AND r.status IS NOT NULL THEN r.status ELSE d.status END AS status,
      CASE WHEN t.advanced AND r.status IS NOT NULL THEN r.rank ELSE d.rank END AS rank,
      CASE WHEN t.advanced AND r.status IS NOT NULL THEN r.at ELSE d.status_at END AS status_at,
      CASE WHEN (t.advanced OR t.refunded) AND r.due IS NOT NULL THEN r.due[1] ELSE d.due_at END AS due_at,
      CASE WHEN t.advanced THEN d.details || r.details ELSE d.details END AS details,
      row_number() OVER (PARTITION BY d.id ORDER BY r.i) = 1 AND d.account = ANY (p_locked) AND ${isAsKnown("r")}
        AND (d.price = 0 OR NOT r.refund)
        AND (r.id IS NOT NULL OR d.phase > 1 AND (d.parts < 2 OR NOT r.every_part)
          AND ${fit("d", "r", "true")} = CASE WHEN r.reference IS NULL THEN 1 ELSE 2 END) AS plain
    FROM ${reports}
    LEFT JOIN ${row(`${s}.parts`, "r.id IS NULL AND t.channel = r.channel AND t.ref = r.refs[1]")} p ON true
    CROSS JOIN ${row(`${s}.deliveries`, "t.id = coalesce(r.id, p.delivery)")} d
    CROSS JOIN LATERAL (
      SELECT m.met AND (r.status IS NULL OR r.rank > d.rank) AS advanced, m.met AND r.refund AND d.phase < 3 AS refunded
      FROM (VALUES (${isMet})) m(met) OFFSET 0
    ) t
  ), written AS (
    UPDATE ${s}.deliveries d SET phase = m.phase, status = m.status, rank = m.rank, status_at = m.status_at,
      due_at = m.due_at, details = m.details, watch = m.watch
    FROM met m WHERE d.id = m.id AND m.plain AND m.changed
  ), told AS (
    ${insertEvents(s, "met", "t.plain")}
  ), counted AS (
    INSERT INTO ${s}.counts ${moves("met", "plain AND changed")}
    RETURNING counts AS cell, n
  )
  SELECT array_agg(json_build_array(d.i, json_build_array(CASE WHEN d.changed THEN 0 ELSE 1 END, ${record("d", "a.id")}, d.before)))
    , (SELECT array_agg(cell) FROM counted WHERE n = 0)
  INTO answers, zeros
  FROM met d CROSS JOIN ${row(`${s}.accounts`, "t.n = d.account")} a WHERE d.plain;
  PERFORM ${s}.remove_zeros(zeros);
  RETURN answers;
END $$;
`
