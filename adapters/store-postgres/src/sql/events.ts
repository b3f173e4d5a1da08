import { ENTRY } from "./shape.ts"

/** The class of the lock, which distinguishes it from other programs' locks: "WWEV". */
const APPLICATION = 0x57574556

/** Due events in one state, oldest first, for the endpoint of `w`. */
const due = (s: string, state: number): string => `(SELECT t.id, t.due_at FROM ${s}.events t
        WHERE t.endpoint = w.endpoint AND t.state = ${state} AND t.due_at <= moment ORDER BY t.due_at, t.id LIMIT b.bound)`

/**
 * Events. `state` is 0 waiting, 1 taken, 2 sent, 3 failed: below 2 an event is pending. The `due_at` of a taken event
 * is the end of its lease. `events_pending` finds the due events of each endpoint, and its leases, without reading
 * events that are due later; it is empty while no event is pending.
 */
export const events = (s: string): string => `
CREATE TABLE ${s}.events (
  id text COLLATE "C" PRIMARY KEY,
  endpoint text COLLATE "C" NOT NULL,
  state smallint NOT NULL,
  due_at bigint NOT NULL,
  attempts integer NOT NULL,
  answer text,
  answered_at bigint,
  event text NOT NULL
);
CREATE INDEX events_pending ON ${s}.events (endpoint, state, due_at, id) WHERE state < 2;
CREATE INDEX events_ended ON ${s}.events (endpoint, state, answered_at) WHERE state > 1;

${appendEvents(s)}
${takeEvents(s)}
-- Deletes some sent and failed events of an earlier time, and answers how many.
CREATE FUNCTION ${s}.prune_events(p_before text, p_limit integer) RETURNS bigint ${ENTRY} $$
DECLARE
  removed bigint;
BEGIN
  DELETE FROM ${s}.events e USING (
    SELECT id FROM ${s}.events WHERE id < p_before COLLATE "C" AND state > 1 ORDER BY id LIMIT p_limit
    FOR UPDATE SKIP LOCKED
  ) old WHERE e.id = old.id;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;
`

/** Writes a list of events, each with its id, endpoint, time and event. */
export const insertEvents = (
  s: string,
  list: string
): string => `INSERT INTO ${s}.events (id, endpoint, state, due_at, attempts, event)
  SELECT e.id, e.endpoint, 0, e.at, 0, e.event
  FROM json_to_recordset(${list}) AS e(id text, endpoint text, at bigint, event text) ORDER BY 1
  ON CONFLICT DO NOTHING;`

/** Writes events for programs that change nothing else. */
export const appendEvents = (s: string): string => `
-- Writes events, each with its id, endpoint, time and event.
CREATE FUNCTION ${s}.append_events(p_events json) RETURNS void ${ENTRY} $$
BEGIN
  ${insertEvents(s, "p_events")}
END $$;
`

/**
 * Takes events that are due. Returns [id, endpoint, end of the lease, attempts, event] of each. Processes take events
 * one after the other, so that each counts the leases given to the others. `p_bounds` lists the endpoints whose bounds
 * differ from `p_most`; programs from before bounds were added pass nothing.
 */
export const takeEvents = (s: string): string => `
CREATE FUNCTION ${s}.take_events(p_lease bigint, p_limit integer, p_most integer, p_bounds json DEFAULT '{}')
RETURNS json ${ENTRY} $$
DECLARE
  moment bigint;
  taken json;
BEGIN
  IF NOT EXISTS (SELECT FROM ${s}.events WHERE state < 2) THEN RETURN '[]'; END IF;
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(${APPLICATION}, hashtext('${s.replaceAll("'", "''")}'));
  moment := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  WITH RECURSIVE waiting(endpoint) AS (
    (SELECT endpoint FROM ${s}.events WHERE state < 2 ORDER BY endpoint LIMIT 1)
    UNION ALL
    SELECT n.endpoint FROM waiting w CROSS JOIN LATERAL (
      SELECT t.endpoint FROM ${s}.events t WHERE t.state < 2 AND t.endpoint > w.endpoint ORDER BY t.endpoint LIMIT 1
    ) n
  ), offered AS (
    SELECT o.id, l.n + o.place - 1 AS place, b.bound FROM waiting w
    CROSS JOIN LATERAL (SELECT coalesce((p_bounds ->> w.endpoint)::integer, p_most) AS bound) b
    CROSS JOIN LATERAL (
      SELECT count(*) AS n FROM ${s}.events t WHERE t.endpoint = w.endpoint AND t.state = 1 AND t.due_at > moment
    ) l
    CROSS JOIN LATERAL (
      SELECT d.id, row_number() OVER (ORDER BY d.due_at, d.id) AS place FROM (${due(s, 1)} UNION ALL ${due(s, 0)}) d
    ) o
  ), chosen AS MATERIALIZED (
    SELECT id FROM offered WHERE place < bound ORDER BY place, id LIMIT p_limit
  ), leased AS (
    UPDATE ${s}.events e SET state = 1, due_at = moment + p_lease, attempts = e.attempts + 1
    FROM chosen c WHERE e.id = c.id RETURNING e.*
  )
  SELECT coalesce(json_agg(json_build_array(id, endpoint, due_at, attempts, event)), '[]') INTO taken FROM leased;
  RETURN taken;
END $$;
`
