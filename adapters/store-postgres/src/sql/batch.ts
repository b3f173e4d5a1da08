/**
 * All steps that wait at the same time as one call: what is plain is done for all of them at once, the rest
 * by the functions in steps.ts, one by one.
 *
 * Steps of one call may come in any order, because none of them has been answered: first opens, then closes,
 * then reports. The caller sees to it that no two opens share an id or a claim, no two closes an id, and no
 * two of either a ref.
 */
import { WIDTH } from "@watchword/store-sql/Buckets"
import { ENTRY, fit, row } from "./steps.ts"

const opens = `json_to_recordset(p_opens) AS o(
  i integer, id text, account text, mode integer, channel integer, recipient text, sender text, status text,
  rank integer, price bigint, parts integer, reference integer, details jsonb, claims jsonb, owner text, at bigint)`

const closes = `json_to_recordset(p_closes) AS c(
  i integer, id text, outcome integer, status text, rank integer, refs text[], details jsonb, at bigint)`

const reports = `json_to_recordset(p_reports) AS r(
  i integer, id text, channel integer, refs text[], recipient text, reference integer, status text, rank integer,
  details jsonb, conditions jsonb, every_part boolean, refund boolean, at bigint)`

export const batch = (s: string): string => `
-- Answers three lists of [i, answer], each for the steps of a kind; of two answers to one step the last counts. What
-- is answered [9] has not been done, and must be asked for alone.
-- A list that is null on both sides has no steps. Accounts and ids are those that the steps name, for the locks.
CREATE FUNCTION ${s}.steps(
  p_opens json, p_closes json, p_reports json, p_accounts text[], p_ids text[], p_channels integer[], p_refs text[]
) RETURNS json ${ENTRY} $$
DECLARE
  mine integer[];
  opened json[];
  closed json[];
  reported json[];
BEGIN
  mine := ARRAY (
    SELECT a.n FROM ${s}.accounts a WHERE a.id = ANY (p_accounts)
    UNION SELECT (d.drawer >> 4)::integer FROM ${s}.deliveries d WHERE d.id = ANY (p_ids)
    UNION SELECT (d.drawer >> 4)::integer FROM unnest(p_channels, p_refs) u(channel, ref)
      CROSS JOIN ${row(`${s}.parts`, "t.channel = u.channel AND t.ref = u.ref")} p
      CROSS JOIN ${row(`${s}.deliveries`, "t.id = p.delivery")} d
  );
  -- In one order for everybody, so that nobody waits in a circle.
  PERFORM FROM ${s}.accounts WHERE n = ANY (mine) ORDER BY n FOR NO KEY UPDATE;
  IF p_opens IS NOT NULL THEN opened := ${s}.open_all(p_opens); END IF;
  IF p_closes IS NOT NULL THEN closed := ${s}.close_all(p_closes); END IF;
  IF p_reports IS NOT NULL THEN reported := ${s}.report_all(p_reports, mine); END IF;
  RETURN json_build_array(opened, closed, reported);
END $$;

-- Of an account's opens the cheaper ones come first: when one is too dear, so are all behind it.
CREATE FUNCTION ${s}.open_all(p_opens json) RETURNS json[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  answers json[];
  done integer[];
  o record;
BEGIN
  WITH asked AS MATERIALIZED (
    SELECT o.*, a.n, a.available, a.entries, a.n::bigint * 2 + o.mode AS realm
    FROM ${opens} CROSS JOIN ${row(`${s}.accounts`, "t.id = o.account")} a
  ), plain AS (
    SELECT * FROM asked
    WHERE (SELECT d.id FROM ${s}.deliveries d WHERE d.id = asked.id) IS NULL AND (asked.claims IS NULL OR NOT EXISTS (
      SELECT FROM jsonb_array_elements(asked.claims) c
      CROSS JOIN ${row(`${s}.claims`, "t.realm = asked.realm AND t.key = c ->> 0 AND t.expires_at > asked.at")} h OFFSET 0
    ))
  ), spending AS (
    SELECT *, sum(price) OVER earlier AS spent, count(*) FILTER (WHERE price > 0) OVER earlier AS place FROM plain
    WINDOW earlier AS (PARTITION BY n ORDER BY price, i)
  ), settled AS MATERIALIZED (
    SELECT *, max(spent) FILTER (WHERE spent <= available) OVER (PARTITION BY n) AS spent_by_all FROM spending
  ), paid AS MATERIALIZED (
    SELECT * FROM settled WHERE spent <= available
  ), written AS (
    INSERT INTO ${s}.deliveries
    SELECT id, realm * 8 + channel, recipient, sender, 0, status, rank, price, parts, reference, at, at, details, owner
    FROM paid
  ), claimed AS (
    INSERT INTO ${s}.claims
    SELECT DISTINCT ON (1, 2) p.realm, c.v ->> 0, p.id, c.v ->> 1, (c.v ->> 2)::boolean, (c.v ->> 3)::bigint
    FROM paid p, jsonb_array_elements(p.claims) WITH ORDINALITY c(v, i) ORDER BY 1, 2, c.i DESC
    ON CONFLICT (realm, key) DO UPDATE SET delivery = excluded.delivery, fingerprint = excluded.fingerprint,
      retry_after_rejection = excluded.retry_after_rejection, expires_at = excluded.expires_at
  ), posted AS (
    INSERT INTO ${s}.entries SELECT n, entries + place, NULL, id, 1, price, at FROM paid WHERE price > 0
  ), sums AS (
    SELECT n, max(spent) AS spent, max(place) AS places FROM paid GROUP BY n
  ), moved AS (
    UPDATE ${s}.accounts a SET available = a.available - t.spent, held = a.held + t.spent, entries = a.entries + t.places
    FROM sums t WHERE a.n = t.n AND t.places > 0
  ), counted AS (
    INSERT INTO ${s}.counts SELECT realm * 8 + channel, at / ${WIDTH}, status, count(*) FROM paid GROUP BY 1, 2, 3
    ON CONFLICT (drawer, bucket, status) DO UPDATE SET n = counts.n + excluded.n
  )
  SELECT array_agg(json_build_array(p.i, CASE
      WHEN p.spent <= p.available THEN json_build_array(0, p.available - p.spent)
      ELSE json_build_array(3, p.available - coalesce(p.spent_by_all, 0))
    END)), array_agg(p.i)
  INTO answers, done
  FROM settled p;
  IF coalesce(cardinality(done), 0) < json_array_length(p_opens) THEN
    FOR o IN SELECT * FROM ${opens} WHERE done IS NULL OR o.i <> ALL (done) ORDER BY o.i LOOP
      answers := answers || json_build_array(o.i, ${s}.open_one(o.id, o.account, o.mode, o.channel, o.recipient,
        o.sender, o.status, o.rank, o.price, o.parts, o.reference, o.details, o.claims, o.owner, o.at));
    END LOOP;
  END IF;
  RETURN answers;
END $$;

CREATE FUNCTION ${s}.close_all(p_closes json) RETURNS json[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  answers json[];
  changed integer[];
  drawers bigint[];
  buckets bigint[];
  named text[];
  c record;
  d ${s}.deliveries;
  a ${s}.accounts;
BEGIN
  WITH asked AS MATERIALIZED (
    SELECT c.i, c.outcome, c.refs, c.at, d.id, d.drawer, (d.drawer >> 4)::integer AS n, d.recipient, d.sender, d.price,
      d.parts, d.reference, d.created_at, d.status AS old_status, d.listed_at, d.owner,
      d.phase < 2 AND d.phase <> c.outcome AS changed,
      CASE WHEN d.phase < 2 THEN c.outcome ELSE d.phase END AS phase,
      CASE WHEN d.phase < 2 AND d.phase <> c.outcome AND c.rank > d.rank THEN c.status ELSE d.status END AS status,
      CASE WHEN d.phase < 2 AND d.phase <> c.outcome AND c.rank > d.rank THEN c.rank ELSE d.rank END AS rank,
      CASE WHEN d.phase < 2 AND d.phase <> c.outcome AND c.rank > d.rank THEN c.at ELSE d.status_at END AS status_at,
      CASE WHEN d.phase < 2 AND d.phase <> c.outcome THEN d.details || c.details ELSE d.details END AS details
    FROM ${closes} CROSS JOIN ${row(`${s}.deliveries`, "t.id = c.id")} d
  ), settled AS MATERIALIZED (
    SELECT *, coalesce(sum(price) FILTER (WHERE changed AND outcome > 2) OVER (PARTITION BY n), 0) AS released FROM asked
  ), written AS (
    UPDATE ${s}.deliveries d
    SET phase = a.phase, status = a.status, rank = a.rank, status_at = a.status_at, details = a.details
    FROM asked a WHERE d.id = a.id AND a.changed
  ), posted AS (
    INSERT INTO ${s}.entries
    SELECT a.n, m.entries + row_number() OVER (PARTITION BY a.n ORDER BY a.i), NULL, a.id,
      CASE a.outcome WHEN 2 THEN 2 ELSE 3 END, a.price, a.at
    FROM asked a CROSS JOIN ${row(`${s}.accounts`, "t.n = a.n")} m WHERE a.changed AND a.outcome > 1 AND a.price > 0
  ), sums AS (
    SELECT n, coalesce(sum(price) FILTER (WHERE changed AND outcome > 1), 0) AS ended,
      coalesce(sum(price) FILTER (WHERE changed AND outcome > 2), 0) AS released,
      count(*) FILTER (WHERE changed AND outcome > 1 AND price > 0) AS places
    FROM asked GROUP BY n
  ), moved AS (
    UPDATE ${s}.accounts m SET held = m.held - t.ended, available = m.available + t.released, entries = m.entries + t.places
    FROM sums t WHERE m.n = t.n AND t.places > 0
  ), named AS (
    INSERT INTO ${s}.parts SELECT DISTINCT a.drawer & 7, r, a.id, NULL FROM asked a, unnest(a.refs) r ORDER BY 1, 2
    ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name
    WHERE parts.delivery IS DISTINCT FROM excluded.delivery
  ), counted AS (
    INSERT INTO ${s}.counts
    SELECT a.drawer, v.listed / ${WIDTH}, v.status, sum(v.change)
    FROM asked a CROSS JOIN LATERAL (VALUES
      (a.listed_at, a.old_status, -1),
      (CASE WHEN a.drawer & 7 = 1 THEN a.status_at ELSE a.created_at END, a.status, 1)
    ) v(listed, status, change)
    WHERE a.changed GROUP BY 1, 2, 3 HAVING sum(v.change) <> 0
    ON CONFLICT (drawer, bucket, status) DO UPDATE SET n = counts.n + excluded.n
  )
  SELECT array_agg(json_build_array(a.i, json_build_array(CASE WHEN a.changed THEN 0 ELSE 1 END,
      m.available + a.released,
      json_build_array(a.id, m.id, a.drawer, a.recipient, a.sender, a.phase, a.status, a.rank, a.price, a.parts,
        a.reference, a.created_at, a.status_at, a.details)))),
    array_agg(a.i) FILTER (WHERE a.changed),
    array_agg(a.drawer) FILTER (WHERE a.old_status <> a.status),
    array_agg(a.listed_at / ${WIDTH}) FILTER (WHERE a.old_status <> a.status),
    (SELECT array_agg(r) FROM asked, unnest(asked.refs) r)
  INTO answers, changed, drawers, buckets, named
  FROM settled a CROSS JOIN ${row(`${s}.accounts`, "t.n = a.n")} m;
  IF drawers IS NOT NULL THEN PERFORM ${s}.forget_empty(drawers, buckets); END IF;
  IF EXISTS (SELECT FROM ${s}.parked_refs w WHERE w.channel IN (0, 1, 2, 3, 4) AND w.ref = ANY (named)) THEN
    FOR c IN SELECT * FROM ${closes} ORDER BY c.i LOOP
      SELECT * INTO d FROM ${s}.deliveries WHERE id = c.id;
      IF d.id IS NOT NULL AND ${s}.unpark(d, c.refs) THEN
        SELECT * INTO d FROM ${s}.deliveries WHERE id = c.id;
        SELECT * INTO a FROM ${s}.accounts WHERE n = d.drawer >> 4;
        answers := answers || json_build_array(c.i, json_build_array(CASE WHEN c.i = ANY (changed) THEN 0 ELSE 1 END,
          a.available, ${s}.record(d, a.id)));
      END IF;
    END LOOP;
  END IF;
  RETURN answers;
END $$;

-- Plain is the first report about a delivery that names a status and no condition: by id, or about the part of a
-- message that is known for certain, was taken, and need not wait for other parts.
CREATE FUNCTION ${s}.report_all(p_reports json, p_mine integer[]) RETURNS json[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  answers json[];
  done integer[];
  drawers bigint[];
  buckets bigint[];
  r record;
BEGIN
  WITH met AS MATERIALIZED (
    SELECT r.i, d.id, d.drawer, (d.drawer >> 4)::integer AS n, d.recipient, d.sender, d.phase, d.price, d.parts,
      d.reference, d.created_at, d.status AS old_status, d.listed_at,
      r.rank > d.rank AS changed,
      CASE WHEN r.rank > d.rank THEN r.status ELSE d.status END AS status,
      CASE WHEN r.rank > d.rank THEN r.rank ELSE d.rank END AS rank,
      CASE WHEN r.rank > d.rank THEN r.at ELSE d.status_at END AS status_at,
      CASE WHEN r.rank > d.rank THEN d.details || r.details ELSE d.details END AS details,
      row_number() OVER (PARTITION BY d.id ORDER BY r.i) = 1 AND NOT r.refund AND r.conditions = '{}'
        AND r.status IS NOT NULL AND (d.drawer >> 4)::integer = ANY (p_mine)
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
    SELECT m.drawer, v.listed / ${WIDTH}, v.status, sum(v.change)
    FROM met m CROSS JOIN LATERAL (VALUES
      (m.listed_at, m.old_status, -1),
      (CASE WHEN m.drawer & 7 = 1 THEN m.status_at ELSE m.created_at END, m.status, 1)
    ) v(listed, status, change)
    WHERE m.plain AND m.changed GROUP BY 1, 2, 3 HAVING sum(v.change) <> 0
    ON CONFLICT (drawer, bucket, status) DO UPDATE SET n = counts.n + excluded.n
  )
  SELECT array_agg(json_build_array(m.i, json_build_array(CASE WHEN m.changed THEN 0 ELSE 1 END,
      json_build_array(m.id, a.id, m.drawer, m.recipient, m.sender, m.phase, m.status, m.rank, m.price, m.parts,
        m.reference, m.created_at, m.status_at, m.details)))),
    array_agg(m.i),
    array_agg(m.drawer) FILTER (WHERE m.old_status <> m.status),
    array_agg(m.listed_at / ${WIDTH}) FILTER (WHERE m.old_status <> m.status)
  INTO answers, done, drawers, buckets
  FROM met m CROSS JOIN ${row(`${s}.accounts`, "t.n = m.n")} a WHERE m.plain;
  IF drawers IS NOT NULL THEN PERFORM ${s}.forget_empty(drawers, buckets); END IF;
  IF coalesce(cardinality(done), 0) < json_array_length(p_reports) THEN
    FOR r IN SELECT * FROM ${reports} WHERE done IS NULL OR r.i <> ALL (done) ORDER BY r.i LOOP
      answers := answers || json_build_array(r.i, ${s}.report_one(r.id, r.channel, r.refs, r.recipient, r.reference,
        r.status, r.rank, r.details, r.conditions, r.every_part, r.refund, r.at, p_mine));
    END LOOP;
  END IF;
  RETURN answers;
END $$;

-- Statuses that no record has any more are not counted.
CREATE FUNCTION ${s}.forget_empty(p_drawers bigint[], p_buckets bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM ${s}.counts c WHERE c.drawer = ANY (p_drawers) AND c.bucket = ANY (p_buckets) AND c.n = 0;
END $$;
`
