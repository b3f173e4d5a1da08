import { isAwaited, record, row } from "./shape.ts"
import { bucket, listedAt, widths } from "./tables.ts"

/** The closes of a batch as rows `c`. */
const closes = `json_to_recordset(p_closes) AS c(
  i integer, id text, outcome smallint, status text, rank integer, refs text[], details jsonb, at bigint)`

/** Closes. Plain is a close of a delivery that is there and not watched, and for whose refs no unmatched report waits. */
export const closeAll = (s: string): string => `
-- [0, available, record] closed, [1, available, record] unchanged. A close that is not plain has no answer.
CREATE FUNCTION ${s}.close_all(p_closes json) RETURNS json[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  answers json[];
  zeros ${s}.counts[];
  channels smallint[];
  refs text[];
BEGIN
  WITH asked AS MATERIALIZED (
    SELECT c.i, c.outcome, c.refs, c.at, d.id, d.account, d.mode, d.channel, d.recipient, d.sender, d.price, d.parts,
      d.named + fresh.n AS named, fresh.n > 0 AS names, d.reference, d.created_at, d.due_at, d.watch, d.status AS old_status, d.listed_at,
      d.phase < 2 AND d.phase <> c.outcome AS changed,
      CASE WHEN d.phase < 2 THEN c.outcome ELSE d.phase END AS phase,
      CASE WHEN d.phase < 2 AND d.phase <> c.outcome AND c.rank > d.rank THEN c.status ELSE d.status END AS status,
      CASE WHEN d.phase < 2 AND d.phase <> c.outcome AND c.rank > d.rank THEN c.rank ELSE d.rank END AS rank,
      CASE WHEN d.phase < 2 AND d.phase <> c.outcome AND c.rank > d.rank THEN c.at ELSE d.status_at END AS status_at,
      CASE WHEN d.phase < 2 AND d.phase <> c.outcome THEN d.details || c.details ELSE d.details END AS details
    FROM ${closes} CROSS JOIN ${row(`${s}.deliveries`, "t.id = c.id")} d
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS n FROM (SELECT DISTINCT u.ref FROM unnest(c.refs) u(ref)) r WHERE NOT EXISTS (
        SELECT FROM ${s}.parts p WHERE p.channel = d.channel AND p.ref = r.ref AND p.delivery = d.id OFFSET 0
      )
    ) fresh
    WHERE d.watch IS NULL AND NOT ${isAwaited(s, "d.channel", "c.refs")}
  ), settled AS MATERIALIZED (
    SELECT *, coalesce(sum(price) FILTER (WHERE changed AND outcome > 2) OVER (PARTITION BY account), 0) AS released
    FROM asked
  ), written AS (
    UPDATE ${s}.deliveries d
    SET phase = a.phase, named = a.named, status = a.status, rank = a.rank, status_at = a.status_at, details = a.details
    FROM asked a WHERE d.id = a.id AND (a.changed OR a.names)
  ), posted AS (
    INSERT INTO ${s}.entries (account, n, delivery, kind, amount, at)
    SELECT a.account, m.entries + row_number() OVER (PARTITION BY a.account ORDER BY a.i), a.id,
      CASE a.outcome WHEN 2 THEN 2 ELSE 3 END, a.price, a.at
    FROM asked a CROSS JOIN ${row(`${s}.accounts`, "t.n = a.account")} m
    WHERE a.changed AND a.outcome > 1 AND a.price > 0
  ), sums AS (
    SELECT account, coalesce(sum(price) FILTER (WHERE changed AND outcome > 1), 0) AS ended,
      coalesce(sum(price) FILTER (WHERE changed AND outcome > 2), 0) AS released,
      count(*) FILTER (WHERE changed AND outcome > 1 AND price > 0) AS places
    FROM asked GROUP BY account
  ), moved AS (
    UPDATE ${s}.accounts m SET held = m.held - t.ended, available = m.available + t.released, entries = m.entries + t.places
    FROM sums t WHERE m.n = t.account AND t.places > 0
  ), named AS (
    INSERT INTO ${s}.parts SELECT DISTINCT a.channel, r, a.id, NULL FROM asked a, unnest(a.refs) r ORDER BY 1, 2
    ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name
    WHERE parts.delivery IS DISTINCT FROM excluded.delivery
  ), counted AS (
    INSERT INTO ${s}.counts
    SELECT a.account, a.mode, a.channel, w.width, ${bucket("v.listed", "w.width")}, v.status, sum(v.change)
    FROM asked a CROSS JOIN LATERAL (VALUES
      (a.listed_at, a.old_status, -1),
      (${listedAt("a.channel", "a.status_at", "a.created_at")}, a.status, 1)
    ) v(listed, status, change) CROSS JOIN ${widths}
    WHERE a.changed GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(v.change) <> 0
    ON CONFLICT (account, mode, channel, width, bucket, status) DO UPDATE SET n = counts.n + excluded.n
    RETURNING counts AS cell, n
  )
  SELECT array_agg(json_build_array(d.i, json_build_array(CASE WHEN d.changed THEN 0 ELSE 1 END,
      m.available + d.released, ${record("d", "m.id")}))),
    (SELECT array_agg(cell) FROM counted WHERE n = 0),
    (SELECT array_agg(channel ORDER BY i) FROM asked, unnest(asked.refs)),
    (SELECT array_agg(ref ORDER BY i) FROM asked, unnest(asked.refs) ref)
  INTO answers, zeros, channels, refs
  FROM settled d CROSS JOIN ${row(`${s}.accounts`, "t.n = d.account")} m;
  PERFORM ${s}.remove_zeros(zeros);
  PERFORM ${s}.check_named(channels, refs);
  RETURN answers;
END $$;
`
