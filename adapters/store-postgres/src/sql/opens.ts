/**
 * Opens that may be closed in the same step: a record comes in its final phase, with the names of its parts. What
 * opened before is as it was; processes of the version before go on with it until they end.
 */
import { WIDTH } from "@watchword/store-sql/Buckets"
import { ENTRY, row } from "./steps.ts"

const opens = `json_to_recordset(p_opens) AS o(
  i integer, id text, account text, mode integer, channel integer, recipient text, sender text, status text,
  rank integer, price bigint, parts integer, reference integer, details jsonb, claims jsonb, owner text, at bigint,
  phase integer, refs text[])`

export const opensWithClose = (s: string): string => `
-- [0, available] opened, [1, available, record] it was there, or is not as it came, [2, claim, same, record] claimed,
-- [3, available] insufficient, [4] no account. A claim is [key, fingerprint, retry, expires at].
CREATE FUNCTION ${s}.open_one(
  p_id text, p_account text, p_mode integer, p_channel integer, p_recipient text, p_sender text, p_status text,
  p_rank integer, p_price bigint, p_parts integer, p_reference integer, p_details jsonb, p_claims jsonb,
  p_owner text, p_at bigint, p_phase integer, p_refs text[]
) RETURNS json ${ENTRY} $$
DECLARE
  a ${s}.accounts;
  d ${s}.deliveries;
  taken record;
BEGIN
  SELECT * INTO a FROM ${s}.accounts WHERE id = p_account FOR NO KEY UPDATE;
  SELECT * INTO d FROM ${s}.deliveries WHERE id = p_id;
  IF FOUND THEN
    SELECT * INTO a FROM ${s}.accounts WHERE n = d.drawer >> 4;
    RETURN json_build_array(1, a.available, ${s}.record(d, a.id));
  END IF;
  IF a.n IS NULL THEN RETURN '[4]'; END IF;
  IF p_claims IS NOT NULL THEN
    SELECT c.i - 1 AS i, h.fingerprint = c.v ->> 1 AS same, h.delivery INTO taken
    FROM jsonb_array_elements(p_claims) WITH ORDINALITY c(v, i)
    CROSS JOIN ${row(`${s}.claims`, "t.realm = a.n::bigint * 2 + p_mode AND t.key = c.v ->> 0 AND t.expires_at > p_at")} h
    CROSS JOIN ${row(`${s}.deliveries`, "t.id = h.delivery")} b
    WHERE NOT (b.phase = 3 AND h.retry_after_rejection)
    ORDER BY c.i LIMIT 1;
    IF FOUND THEN
      SELECT * INTO d FROM ${s}.deliveries WHERE id = taken.delivery;
      RETURN json_build_array(2, taken.i, taken.same, ${s}.record(d, a.id));
    END IF;
  END IF;
  IF a.available < p_price THEN RETURN json_build_array(3, a.available); END IF;
  INSERT INTO ${s}.deliveries VALUES (
    p_id, a.n::bigint * 16 + p_mode * 8 + p_channel, p_recipient, p_sender, p_phase, p_status, p_rank, p_price, p_parts,
    p_reference, p_at, p_at, p_details, p_owner
  ) RETURNING * INTO d;
  IF p_claims IS NOT NULL THEN
    INSERT INTO ${s}.claims
    SELECT DISTINCT ON (2) a.n::bigint * 2 + p_mode, c.v ->> 0, p_id, c.v ->> 1, (c.v ->> 2)::boolean, (c.v ->> 3)::bigint
    FROM jsonb_array_elements(p_claims) WITH ORDINALITY c(v, i) ORDER BY 2, c.i DESC
    ON CONFLICT (realm, key) DO UPDATE SET delivery = excluded.delivery, fingerprint = excluded.fingerprint,
      retry_after_rejection = excluded.retry_after_rejection, expires_at = excluded.expires_at;
  END IF;
  PERFORM ${s}.post(a.n, 1, p_price, p_id, NULL, p_at);
  IF p_phase > 1 THEN PERFORM ${s}.post(a.n, CASE p_phase WHEN 2 THEN 2 ELSE 3 END, p_price, p_id, NULL, p_at); END IF;
  PERFORM ${s}.tally(NULL, d);
  IF cardinality(p_refs) > 0 THEN
    PERFORM ${s}.name_parts(d, p_refs);
    IF ${s}.unpark(d, p_refs) THEN
      SELECT * INTO d FROM ${s}.deliveries WHERE id = p_id;
      SELECT * INTO a FROM ${s}.accounts WHERE n = a.n;
      RETURN json_build_array(1, a.available, ${s}.record(d, a.id));
    END IF;
  END IF;
  RETURN json_build_array(0, a.available - CASE WHEN p_phase > 2 THEN 0 ELSE p_price END);
END $$;

-- Of an account's opens the cheaper ones come first: when one is too dear, so are all behind it. Each must be paid for,
-- and costs nothing any more when it is released at once.
CREATE OR REPLACE FUNCTION ${s}.open_all(p_opens json) RETURNS json[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  answers json[];
  done integer[];
  named text[];
  o record;
  d ${s}.deliveries;
  a ${s}.accounts;
BEGIN
  WITH asked AS MATERIALIZED (
    SELECT o.*, a.n, a.available, a.entries, a.n::bigint * 2 + o.mode AS realm,
      CASE WHEN o.phase > 2 THEN 0 ELSE o.price END AS cost,
      CASE WHEN o.price = 0 THEN 0 WHEN o.phase > 1 THEN 2 ELSE 1 END AS places
    FROM ${opens} CROSS JOIN ${row(`${s}.accounts`, "t.id = o.account")} a
  ), plain AS (
    SELECT * FROM asked
    WHERE (SELECT d.id FROM ${s}.deliveries d WHERE d.id = asked.id) IS NULL AND (asked.claims IS NULL OR NOT EXISTS (
      SELECT FROM jsonb_array_elements(asked.claims) c
      CROSS JOIN ${row(`${s}.claims`, "t.realm = asked.realm AND t.key = c ->> 0 AND t.expires_at > asked.at")} h OFFSET 0
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
    SELECT id, realm * 8 + channel, recipient, sender, coalesce(phase, 0), status, rank, price, parts, reference, at, at,
      details, owner
    FROM paid
  ), claimed AS (
    INSERT INTO ${s}.claims
    SELECT DISTINCT ON (1, 2) p.realm, c.v ->> 0, p.id, c.v ->> 1, (c.v ->> 2)::boolean, (c.v ->> 3)::bigint
    FROM paid p, jsonb_array_elements(p.claims) WITH ORDINALITY c(v, i) ORDER BY 1, 2, c.i DESC
    ON CONFLICT (realm, key) DO UPDATE SET delivery = excluded.delivery, fingerprint = excluded.fingerprint,
      retry_after_rejection = excluded.retry_after_rejection, expires_at = excluded.expires_at
  ), posted AS (
    INSERT INTO ${s}.entries
    SELECT p.n, p.entries + p.place - p.places + e.place, NULL, p.id, e.kind, p.price, p.at
    FROM paid p CROSS JOIN LATERAL (VALUES (1, 1), (2, CASE p.phase WHEN 2 THEN 2 ELSE 3 END)) e(place, kind)
    WHERE e.place <= p.places
  ), sums AS (
    SELECT n, max(spent) AS spent, coalesce(sum(price) FILTER (WHERE coalesce(phase, 0) < 2), 0) AS held,
      max(place) AS places
    FROM paid GROUP BY n
  ), moved AS (
    UPDATE ${s}.accounts a SET available = a.available - t.spent, held = a.held + t.held, entries = a.entries + t.places
    FROM sums t WHERE a.n = t.n AND t.places > 0
  ), named AS (
    INSERT INTO ${s}.parts SELECT DISTINCT p.channel, r, p.id, NULL FROM paid p, unnest(p.refs) r ORDER BY 1, 2
    ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name
    WHERE parts.delivery IS DISTINCT FROM excluded.delivery
  ), counted AS (
    INSERT INTO ${s}.counts SELECT realm * 8 + channel, at / ${WIDTH}, status, count(*) FROM paid GROUP BY 1, 2, 3
    ON CONFLICT (drawer, bucket, status) DO UPDATE SET n = counts.n + excluded.n
  )
  SELECT array_agg(json_build_array(p.i, CASE
      WHEN p.spent - p.cost + p.price <= p.available THEN json_build_array(0, p.available - p.spent)
      ELSE json_build_array(3, p.available - coalesce(p.spent_by_all, 0))
    END)), array_agg(p.i), (SELECT array_agg(r) FROM paid, unnest(paid.refs) r)
  INTO answers, done, named
  FROM settled p;
  IF named IS NOT NULL AND EXISTS (
    SELECT FROM ${s}.parked_refs w WHERE w.channel IN (0, 1, 2, 3, 4) AND w.ref = ANY (named)
  ) THEN
    FOR o IN SELECT * FROM ${opens} WHERE o.refs IS NOT NULL AND o.i = ANY (done) ORDER BY o.i LOOP
      SELECT * INTO d FROM ${s}.deliveries WHERE id = o.id;
      IF d.id IS NOT NULL AND ${s}.unpark(d, o.refs) THEN
        SELECT * INTO d FROM ${s}.deliveries WHERE id = o.id;
        SELECT * INTO a FROM ${s}.accounts WHERE n = d.drawer >> 4;
        answers := answers || json_build_array(o.i, json_build_array(1, a.available, ${s}.record(d, a.id)));
      END IF;
    END LOOP;
  END IF;
  IF coalesce(cardinality(done), 0) < json_array_length(p_opens) THEN
    FOR o IN SELECT * FROM ${opens} WHERE done IS NULL OR o.i <> ALL (done) ORDER BY o.i LOOP
      answers := answers || json_build_array(o.i, ${s}.open_one(o.id, o.account, o.mode, o.channel, o.recipient,
        o.sender, o.status, o.rank, o.price, o.parts, o.reference, o.details, o.claims, o.owner, o.at,
        coalesce(o.phase, 0), o.refs));
    END LOOP;
  END IF;
  RETURN answers;
END $$;
`
