import { before, isAsKnown, isAwaited, moves, record, row, insertEvents } from "./shape.ts"

/** The closes of a batch as rows `c`. */
const closes = `json_to_recordset(p_closes) AS c(
  i integer, id text, outcome smallint, status text, rank integer, refs text[], details jsonb, at bigint,
  was jsonb, version integer, events text[])`

/** Closes. Plain is a close of a delivery that is there, as it is known where it is watched, and for whose refs no unmatched
 * report waits. */
export const closeAll = (s: string): string => `
-- [0, available, record, before] closed, [1, available, record] unchanged. A close that is not plain has no answer.
CREATE FUNCTION ${s}.close_all(p_closes json) RETURNS json[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  answers json[];
  zeros ${s}.counts[];
  channels smallint[];
  refs text[];
BEGIN
  WITH asked AS MATERIALIZED (
    SELECT c.i, c.outcome, c.refs, c.at, m.id AS holder, m.available, m.entries, d.id, d.account, d.mode, d.channel, d.recipient, d.sender, d.price, d.parts,
      d.named + fresh.n AS named, fresh.n > 0 AS names, d.reference, d.created_at, d.due_at, d.watch || jsonb_build_object('version', c.version) AS watch, c.events, d.status AS old_status, d.listed_at, CASE WHEN d.phase < 2 AND d.phase <> c.outcome THEN ${before("d")} END AS before,
      d.phase < 2 AND d.phase <> c.outcome AS changed,
      CASE WHEN d.phase < 2 THEN c.outcome ELSE d.phase END AS phase,
      CASE WHEN d.phase < 2 AND d.phase <> c.outcome AND c.rank > d.rank THEN c.status ELSE d.status END AS status,
      CASE WHEN d.phase < 2 AND d.phase <> c.outcome AND c.rank > d.rank THEN c.rank ELSE d.rank END AS rank,
      CASE WHEN d.phase < 2 AND d.phase <> c.outcome AND c.rank > d.rank THEN c.at ELSE d.status_at END AS status_at,
      CASE WHEN d.phase < 2 AND d.phase <> c.outcome THEN d.details || c.details ELSE d.details END AS details
    FROM ${closes} CROSS JOIN ${row(`${s}.deliveries`, "t.id = c.id")} d
    CROSS JOIN ${row(`${s}.accounts`, "t.n = d.account")} m
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE p.ref IS NULL)::integer AS n FROM unnest(c.refs) r(ref)
      LEFT JOIN ${row(`${s}.parts`, "t.channel = d.channel AND t.ref = r.ref AND t.delivery = d.id")} p ON true
    ) fresh
    WHERE ${isAsKnown("c")} AND NOT ${isAwaited(s, "d.channel", "c.refs")}
  ), settled AS MATERIALIZED (
    SELECT *, coalesce(sum(price) FILTER (WHERE changed AND outcome > 2) OVER (PARTITION BY account), 0) AS released,
      count(*) FILTER (WHERE changed AND outcome > 1 AND price > 0) OVER (PARTITION BY account ORDER BY i) AS place
    FROM asked
  ), written AS (
    UPDATE ${s}.deliveries d
    SET phase = a.phase, named = a.named, status = a.status, rank = a.rank, status_at = a.status_at, details = a.details, watch = a.watch
    FROM asked a WHERE d.id = a.id AND (a.changed OR a.names)
  ), posted AS (
    INSERT INTO ${s}.entries (account, n, delivery, kind, amount, at)
    SELECT account, entries + place, id, CASE outcome WHEN 2 THEN 2 ELSE 3 END, price, at
    FROM settled WHERE changed AND outcome > 1 AND price > 0
  ), told AS (
    ${insertEvents(s, "asked")}
  ), sums AS (
    SELECT account, coalesce(sum(price) FILTER (WHERE changed AND outcome > 1), 0) AS ended, max(released) AS released,
      max(place) AS places
    FROM settled GROUP BY account
  ), moved AS (
    UPDATE ${s}.accounts m SET held = m.held - t.ended, available = m.available + t.released, entries = m.entries + t.places
    FROM sums t WHERE m.n = t.account AND t.places > 0
  ), refs AS MATERIALIZED (
    SELECT a.channel, r AS ref, a.id FROM asked a, unnest(a.refs) r
  ), named AS (
    INSERT INTO ${s}.parts SELECT channel, ref, id, NULL FROM refs ORDER BY 1, 2
    ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name
    WHERE parts.delivery IS DISTINCT FROM excluded.delivery
  ), counted AS (
    INSERT INTO ${s}.counts ${moves("asked", "changed")}
    RETURNING counts AS cell, n
  )
  SELECT array_agg(json_build_array(d.i, json_build_array(CASE WHEN d.changed THEN 0 ELSE 1 END,
      d.available + d.released, ${record("d", "d.holder")}, d.before))),
    (SELECT array_agg(cell) FROM counted WHERE n = 0),
    (SELECT array_agg(channel) FROM refs), (SELECT array_agg(ref) FROM refs)
  INTO answers, zeros, channels, refs
  FROM settled d;
  PERFORM ${s}.remove_zeros(zeros);
  PERFORM ${s}.check_named(channels, refs);
  RETURN answers;
END $$;
`
