import { isAwaited, row, insertEvents } from "./shape.ts"
import { bucket, widths } from "./tables.ts"

/** The opens of a batch as rows `o`. A claim is [key, fingerprint, held until, expires at]. */
const opens = `json_to_recordset(p_opens) AS o(
  i integer, id text, account text, mode smallint, channel smallint, recipient text, sender text, status text,
  rank integer, price bigint, parts integer, reference integer, details jsonb, claims jsonb, owner text, at bigint,
  phase smallint, refs text[], due_at bigint, watch jsonb, events text[], low bigint)`

/** Whether all opens of the call together would leave the available balance on the side of the threshold where it is. */
const isFar = `(asked.low IS NULL OR asked.available < asked.low
      OR asked.available - (SELECT sum(every.price) FROM asked every) >= asked.low)`

/**
 * Opens, some of which close in the same step.
 *
 * Plain is an open of a new delivery whose account is not suspended, whose claims are free, for whose refs no unmatched
 * report waits, and that writes no low balance. Of an account's opens the cheaper ones come first: once one is too dear, so
 * are all behind it. Each must be paid for, also when it is released at once.
 */
export const openAll = (s: string): string => `
-- [0, available] opened, [3, available] insufficient. An open that is not plain has no answer.
CREATE FUNCTION ${s}.open_all(p_opens json) RETURNS json[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  answers json[];
  channels smallint[];
  refs text[];
BEGIN
  WITH asked AS MATERIALIZED (
    SELECT o.*, a.n, a.available, a.entries, a.suspended_at,
      CASE WHEN o.phase > 2 THEN 0 ELSE o.price END AS cost,
      CASE WHEN o.price = 0 THEN 0 WHEN o.phase > 1 THEN 2 ELSE 1 END AS places
    FROM ${opens} CROSS JOIN ${row(`${s}.accounts`, "t.id = o.account")} a
  ), plain AS (
    SELECT * FROM asked
    WHERE asked.suspended_at IS NULL AND ${isFar} AND (SELECT d.id FROM ${s}.deliveries d WHERE d.id = asked.id) IS NULL
      AND NOT ${isAwaited(s, "asked.channel", "asked.refs")} AND (asked.claims IS NULL OR NOT EXISTS (
      SELECT FROM jsonb_array_elements(asked.claims) c CROSS JOIN ${row(
        `${s}.claims`,
        "t.account = asked.n AND t.mode = asked.mode AND t.key = c ->> 0 AND t.expires_at > asked.at"
      )} h OFFSET 0
    ))
  ), spending AS (
    SELECT *, sum(cost) OVER earlier AS spent, sum(places) OVER earlier AS place FROM plain
    WINDOW earlier AS (PARTITION BY n ORDER BY price, i)
  ), settled AS MATERIALIZED (
    SELECT *, max(spent) FILTER (WHERE spent - cost + price <= available) OVER (PARTITION BY n) AS spent_by_all
    FROM spending
  ), paid AS MATERIALIZED (
    SELECT * FROM settled WHERE spent - cost + price <= available
  ), written AS (
    INSERT INTO ${s}.deliveries
    SELECT id, n, mode, channel, recipient, sender, phase, status, rank, price, parts, coalesce(cardinality(refs), 0), reference, at, at, due_at, details, owner, watch
    FROM paid
  ), claimed AS (
    INSERT INTO ${s}.claims
    SELECT DISTINCT ON (1, 2, 3) p.n, p.mode, c.v ->> 0, p.id, c.v ->> 1, (c.v ->> 2)::smallint, (c.v ->> 3)::bigint
    FROM paid p, jsonb_array_elements(p.claims) WITH ORDINALITY c(v, i) ORDER BY 1, 2, 3, c.i DESC
    ON CONFLICT (account, mode, key) DO UPDATE SET delivery = excluded.delivery, fingerprint = excluded.fingerprint,
      held_until = excluded.held_until, expires_at = excluded.expires_at
  ), posted AS (
    INSERT INTO ${s}.entries (account, n, delivery, kind, amount, at)
    SELECT p.n, p.entries + p.place - p.places + e.place, p.id, e.kind, p.price, p.at
    FROM paid p CROSS JOIN LATERAL (VALUES (1, 1), (2, CASE p.phase WHEN 2 THEN 2 ELSE 3 END)) e(place, kind)
    WHERE e.place <= p.places
  ), told AS (
    ${insertEvents(s, "paid")}
  ), sums AS (
    SELECT n, max(spent) AS spent, coalesce(sum(price) FILTER (WHERE phase < 2), 0) AS held, max(place) AS places
    FROM paid GROUP BY n
  ), moved AS (
    UPDATE ${s}.accounts a SET available = a.available - t.spent, held = a.held + t.held, entries = a.entries + t.places
    FROM sums t WHERE a.n = t.n AND t.places > 0
  ), refs AS MATERIALIZED (
    SELECT p.channel, r AS ref, p.id FROM paid p, unnest(p.refs) r
  ), named AS (
    INSERT INTO ${s}.parts SELECT channel, ref, id, NULL FROM refs ORDER BY 1, 2
    ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name
    WHERE parts.delivery IS DISTINCT FROM excluded.delivery
  ), counted AS (
    INSERT INTO ${s}.counts
    SELECT n, mode, channel, width, ${bucket("at", "width")}, status, count(*) FROM paid, ${widths}
    GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account, mode, channel, width, bucket, status) DO UPDATE SET n = counts.n + excluded.n
  )
  SELECT array_agg(json_build_array(p.i, CASE
      WHEN p.spent - p.cost + p.price <= p.available THEN json_build_array(0, p.available - p.spent)
      ELSE json_build_array(3, p.available - coalesce(p.spent_by_all, 0))
    END)),
    (SELECT array_agg(channel) FROM refs), (SELECT array_agg(ref) FROM refs)
  INTO answers, channels, refs
  FROM settled p;
  PERFORM ${s}.check_named(channels, refs);
  RETURN answers;
END $$;
`
