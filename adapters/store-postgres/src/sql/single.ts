import { ENTRY, fit, record, row } from "./shape.ts"
import { bucket } from "./tables.ts"

/**
 * The steps of a send, each as a function of its own. They do to rows what `@watchword/store/Transitions` does to
 * values.
 *
 * A step that changes a delivery, a claim or a count of an account holds the account's row first. Nothing else is locked
 * on purpose: each table below an account has one writer at a time.
 */
export const single = (s: string): string => `
CREATE FUNCTION ${s}.record(d ${s}.deliveries, account text) RETURNS json LANGUAGE sql IMMUTABLE
RETURN ${record("d", "account")};

CREATE FUNCTION ${s}.meets(details jsonb, conditions jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE
RETURN conditions = '{}' OR NOT EXISTS (
  SELECT FROM jsonb_each(conditions) c WHERE coalesce(details -> c.key, 'null') <> c.value
);

-- Counts a record that is new or has changed.
CREATE FUNCTION ${s}.tally(before ${s}.deliveries, after ${s}.deliveries) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  source integer := ${bucket("before.listed_at")};
  target integer := ${bucket("CASE WHEN after.by_status THEN after.status_at ELSE after.created_at END")};
BEGIN
  IF before.status = after.status AND source = target THEN RETURN; END IF;
  UPDATE ${s}.counts c SET n = c.n - 1
  WHERE c.account = before.account AND c.mode = before.mode AND c.channel = before.channel AND c.bucket = source
    AND c.status = before.status;
  INSERT INTO ${s}.counts VALUES (after.account, after.mode, after.channel, target, after.status, 1)
  ON CONFLICT (account, mode, channel, bucket, status) DO UPDATE SET n = counts.n + 1;
END $$;

-- Moves money and writes the entry. Nothing is written about nothing.
CREATE FUNCTION ${s}.post(account integer, kind integer, amount bigint, delivery text, credit text, at bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  place bigint;
BEGIN
  IF amount = 0 THEN RETURN; END IF;
  UPDATE ${s}.accounts a SET
    available = a.available + CASE WHEN kind = 1 THEN -amount WHEN kind = 2 THEN 0 ELSE amount END,
    held = a.held + CASE WHEN kind = 1 THEN amount WHEN kind IN (2, 3) THEN -amount ELSE 0 END,
    entries = a.entries + 1
  WHERE a.n = account RETURNING a.entries INTO place;
  INSERT INTO ${s}.entries VALUES (account, place, credit, delivery, kind, amount, at);
END $$;

-- Writes what a step makes of a record, counts it anew, and moves its price.
CREATE FUNCTION ${s}.write(before ${s}.deliveries, after ${s}.deliveries, posting integer, at bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ${s}.deliveries d SET phase = after.phase, status = after.status, rank = after.rank,
    status_at = after.status_at, details = after.details
  WHERE d.id = after.id;
  PERFORM ${s}.tally(before, after);
  IF posting IS NOT NULL THEN
    PERFORM ${s}.post(after.account, posting, after.price, after.id, NULL, at);
  END IF;
END $$;

-- [0, available] opened, [1, available, record] it was there, or is not as it came, [2, claim, same, record] claimed,
-- [3, available] insufficient, [4] no account. A claim is [key, fingerprint, retry, expires at].
CREATE FUNCTION ${s}.open_one(
  p_id text, p_account text, p_mode smallint, p_channel smallint, p_recipient text, p_sender text, p_status text,
  p_rank integer, p_price bigint, p_parts integer, p_reference integer, p_details jsonb, p_claims jsonb,
  p_owner text, p_by_status boolean, p_at bigint, p_phase smallint, p_refs text[]
) RETURNS json ${ENTRY} $$
DECLARE
  a ${s}.accounts;
  d ${s}.deliveries;
  taken record;
BEGIN
  SELECT * INTO a FROM ${s}.accounts WHERE id = p_account FOR NO KEY UPDATE;
  SELECT * INTO d FROM ${s}.deliveries WHERE id = p_id;
  IF FOUND THEN
    SELECT * INTO a FROM ${s}.accounts WHERE n = d.account;
    RETURN json_build_array(1, a.available, ${s}.record(d, a.id));
  END IF;
  IF a.n IS NULL THEN RETURN '[4]'; END IF;
  IF p_claims IS NOT NULL THEN
    SELECT c.i - 1 AS i, h.fingerprint = c.v ->> 1 AS same, h.delivery INTO taken
    FROM jsonb_array_elements(p_claims) WITH ORDINALITY c(v, i)
    CROSS JOIN ${row(`${s}.claims`, "t.account = a.n AND t.mode = p_mode AND t.key = c.v ->> 0 AND t.expires_at > p_at")} h
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
    p_id, a.n, p_mode, p_channel, p_recipient, p_sender, p_phase, p_status, p_rank, p_price, p_parts,
    p_reference, p_at, p_at, p_details, p_owner, p_by_status
  ) RETURNING * INTO d;
  IF p_claims IS NOT NULL THEN
    INSERT INTO ${s}.claims
    SELECT DISTINCT ON (3) a.n, p_mode, c.v ->> 0, p_id, c.v ->> 1, (c.v ->> 2)::boolean, (c.v ->> 3)::bigint
    FROM jsonb_array_elements(p_claims) WITH ORDINALITY c(v, i) ORDER BY 3, c.i DESC
    ON CONFLICT (account, mode, key) DO UPDATE SET delivery = excluded.delivery, fingerprint = excluded.fingerprint,
      retry_after_rejection = excluded.retry_after_rejection, expires_at = excluded.expires_at;
  END IF;
  PERFORM ${s}.post(a.n, 1, p_price, p_id, NULL, p_at);
  IF p_phase > 1 THEN PERFORM ${s}.post(a.n, CASE p_phase WHEN 2 THEN 2 ELSE 3 END, p_price, p_id, NULL, p_at); END IF;
  PERFORM ${s}.tally(NULL, d);
  IF cardinality(p_refs) > 0 THEN
    PERFORM ${s}.name_parts(d, p_refs);
    IF ${s}.replay(d, p_refs) THEN
      SELECT * INTO d FROM ${s}.deliveries WHERE id = p_id;
      SELECT * INTO a FROM ${s}.accounts WHERE n = a.n;
      RETURN json_build_array(1, a.available, ${s}.record(d, a.id));
    END IF;
  END IF;
  RETURN json_build_array(0, a.available - CASE WHEN p_phase > 2 THEN 0 ELSE p_price END);
END $$;

-- [0, available, record] closed, [1, available, record] unchanged, [4] missing.
CREATE FUNCTION ${s}.close_one(
  p_id text, p_outcome smallint, p_status text, p_rank integer, p_refs text[], p_details jsonb, p_at bigint
) RETURNS json ${ENTRY} $$
DECLARE
  a ${s}.accounts;
  before ${s}.deliveries;
  d ${s}.deliveries;
BEGIN
  SELECT * INTO a FROM ${s}.accounts
  WHERE n = (SELECT account FROM ${s}.deliveries WHERE id = p_id) FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN '[4]'; END IF;
  SELECT * INTO before FROM ${s}.deliveries WHERE id = p_id;
  d := before;
  IF d.phase < 2 AND d.phase <> p_outcome THEN
    d.phase := p_outcome;
    IF p_rank > d.rank THEN
      d.status := p_status;
      d.rank := p_rank;
      d.status_at := p_at;
    END IF;
    d.details := d.details || p_details;
    PERFORM ${s}.write(before, d, CASE p_outcome WHEN 1 THEN NULL WHEN 2 THEN 2 ELSE 3 END, p_at);
  END IF;
  IF cardinality(p_refs) > 0 THEN
    PERFORM ${s}.name_parts(d, p_refs);
    IF ${s}.replay(d, p_refs) THEN SELECT * INTO d FROM ${s}.deliveries WHERE id = p_id; END IF;
  END IF;
  SELECT * INTO a FROM ${s}.accounts WHERE n = a.n;
  RETURN json_build_array(CASE WHEN before.phase < 2 AND before.phase <> p_outcome THEN 0 ELSE 1 END,
    a.available, ${s}.record(d, a.id));
END $$;

-- Receipts for any of these refs reach the delivery from now on.
CREATE FUNCTION ${s}.name_parts(d ${s}.deliveries, p_refs text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ${s}.parts SELECT DISTINCT d.channel, r, d.id, NULL FROM unnest(p_refs) r ORDER BY r
  ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name
  WHERE parts.delivery IS DISTINCT FROM excluded.delivery;
END $$;

-- Applies the reports that were parked under any of these refs and fit the delivery, in their order; false when
-- there are none.
CREATE FUNCTION ${s}.replay(d ${s}.deliveries, p_refs text[]) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  r ${s}.unmatched_reports;
  applied boolean := false;
BEGIN
  FOR r IN
    SELECT p.* FROM ${s}.unmatched_reports p
    WHERE p.n IN (SELECT w.report FROM ${s}.unmatched_refs w WHERE w.channel = d.channel AND w.ref = ANY (p_refs))
      AND EXISTS (
        SELECT FROM unnest(p.refs) WITH ORDINALITY u(ref, i)
        WHERE u.ref = ANY (p_refs) AND ${fit("d", "p", "u.i = 1")} > 0
      )
    ORDER BY p.n
  LOOP
    DELETE FROM ${s}.unmatched_reports p WHERE p.n = r.n;
    -- Another transaction may have been first.
    CONTINUE WHEN NOT FOUND;
    DELETE FROM ${s}.unmatched_refs w WHERE w.channel = r.channel AND w.ref = ANY (r.refs) AND w.report = r.n;
    DELETE FROM ${s}.parts p WHERE p.channel = r.channel AND p.ref = ANY (r.refs) AND p.delivery IS NULL;
    PERFORM ${s}.report_part(r, NULL);
    applied := true;
  END LOOP;
  RETURN applied;
END $$;

-- [0, record] moved, [1, record] unchanged, [2] parked, [4] missing. Without an id it is about a part.
-- Among others (p_locked are the accounts that are held) what would have to wait is not done, but answered [9]: whoever
-- holds accounts and refs must not wait for the refs of others.
CREATE FUNCTION ${s}.report_one(
  p_id text, p_channel smallint, p_refs text[], p_recipient text, p_reference integer, p_status text, p_rank integer,
  p_details jsonb, p_conditions jsonb, p_every_part boolean, p_refund boolean, p_at bigint,
  p_locked integer[] DEFAULT NULL
) RETURNS json ${ENTRY} $$
DECLARE
  r ${s}.unmatched_reports := ROW (NULL, p_channel, p_refs, p_recipient, p_reference, p_status, p_rank, p_details, p_conditions,
    p_every_part, p_refund, p_at);
BEGIN
  IF p_id IS NULL THEN RETURN ${s}.report_part(r, p_locked); END IF;
  RETURN ${s}.apply_report(p_id, NULL, r);
END $$;

-- Finds the part that a report is about, or parks the report.
CREATE FUNCTION ${s}.report_part(r ${s}.unmatched_reports, p_locked integer[]) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  met record;
BEGIN
  SELECT * INTO met FROM ${s}.meant(r);
  IF p_locked IS NOT NULL AND NOT EXISTS (
    SELECT FROM ${s}.deliveries WHERE id = met.delivery AND account = ANY (p_locked)
  ) THEN
    RETURN '[9]';
  END IF;
  IF met.delivery IS NULL THEN
    -- Whoever is bringing one of these refs at this moment is waited for here; whoever brings one later, waits.
    INSERT INTO ${s}.parts SELECT DISTINCT r.channel, u FROM unnest(r.refs) u ORDER BY u
    ON CONFLICT (channel, ref) DO UPDATE SET name = NULL WHERE parts.delivery IS NULL;
    SELECT * INTO met FROM ${s}.meant(r);
    IF met.delivery IS NULL THEN
      WITH kept AS (
        INSERT INTO ${s}.unmatched_reports
          (channel, refs, recipient, reference, status, rank, details, conditions, every_part, refund, at)
        VALUES (r.channel, r.refs, r.recipient, r.reference, r.status, r.rank, r.details, r.conditions, r.every_part,
          r.refund, r.at)
        RETURNING n
      )
      INSERT INTO ${s}.unmatched_refs SELECT DISTINCT r.channel, u, kept.n FROM kept, unnest(r.refs) u;
      RETURN '[2]';
    END IF;
  END IF;
  IF met.guessed THEN
    PERFORM FROM ${s}.accounts WHERE n = (SELECT account FROM ${s}.deliveries WHERE id = met.delivery)
    FOR NO KEY UPDATE;
    -- It may have been closed before its account was held, and brought the ref.
    IF NOT EXISTS (SELECT FROM ${s}.deliveries WHERE id = met.delivery AND phase < 2) THEN
      RETURN ${s}.report_part(r, p_locked);
    END IF;
    -- One part under the spelling it came with, and under its others where no part has them.
    INSERT INTO ${s}.parts SELECT DISTINCT r.channel, u, met.delivery, r.refs[1] FROM unnest(r.refs) u ORDER BY u
    ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name
    WHERE parts.ref = excluded.name OR parts.delivery IS NULL;
  END IF;
  RETURN ${s}.apply_report(met.delivery, met.name, r);
END $$;

-- The delivery that a report is about, and its part: by the reference, or as the one open delivery to that number
-- with that reference (guessed), or else by the order of the spellings.
CREATE FUNCTION ${s}.meant(r ${s}.unmatched_reports, OUT delivery text, OUT name text, OUT guessed boolean) LANGUAGE plpgsql AS $$
DECLARE
  how_well integer;
  candidates text[];
BEGIN
  guessed := false;
  SELECT p.delivery, coalesce(p.name, p.ref), f.fit
  INTO delivery, name, how_well
  FROM unnest(r.refs) WITH ORDINALITY u(ref, i)
  CROSS JOIN ${row(`${s}.parts`, "t.channel = r.channel AND t.ref = u.ref")} p
  CROSS JOIN ${row(`${s}.deliveries`, "t.id = p.delivery")} d
  CROSS JOIN LATERAL ${fit("d", "r", "u.i = 1")} f(fit)
  WHERE f.fit > 0 ORDER BY f.fit = 2 DESC, u.i LIMIT 1;
  IF how_well = 2 OR r.recipient IS NULL OR r.reference IS NULL THEN RETURN; END IF;
  candidates := ARRAY (
    SELECT d.id FROM ${s}.deliveries d
    WHERE d.reference = r.reference AND d.recipient = r.recipient AND d.phase < 2 AND d.channel = r.channel LIMIT 2
  );
  IF cardinality(candidates) = 1 THEN
    delivery := candidates[1];
    name := r.refs[1];
    guessed := true;
  END IF;
END $$;

-- Applies a report to a delivery; about one of its parts when that has a name here.
CREATE FUNCTION ${s}.apply_report(p_id text, p_part text, r ${s}.unmatched_reports) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  a ${s}.accounts;
  before ${s}.deliveries;
  d ${s}.deliveries;
  met boolean;
  advances boolean;
  posting integer;
  whole boolean := true;
BEGIN
  SELECT * INTO a FROM ${s}.accounts
  WHERE n = (SELECT account FROM ${s}.deliveries WHERE id = p_id) FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN '[4]'; END IF;
  SELECT * INTO before FROM ${s}.deliveries WHERE id = p_id;
  d := before;
  met := ${s}.meets(d.details, r.conditions);
  IF r.refund AND met THEN
    IF d.phase < 3 THEN
      posting := CASE WHEN d.phase < 2 THEN 3 ELSE 4 END;
      d.phase := 4;
    END IF;
  ELSIF p_part IS NOT NULL AND d.phase < 2 THEN
    posting := 2;
    d.phase := 2;
  END IF;
  IF p_part IS NOT NULL AND r.every_part AND r.rank > d.rank AND d.parts > 1 THEN
    INSERT INTO ${s}.part_reports VALUES (p_id, r.status, p_part) ON CONFLICT DO NOTHING;
    SELECT count(*) >= d.parts INTO whole FROM ${s}.part_reports p WHERE p.delivery = p_id AND p.status = r.status;
  END IF;
  advances := met AND whole AND (r.status IS NULL OR r.rank > d.rank);
  IF advances THEN
    d.details := d.details || r.details;
    IF r.status IS NOT NULL THEN
      IF r.every_part AND d.parts > 1 THEN
        DELETE FROM ${s}.part_reports p WHERE p.delivery = p_id AND p.status = r.status;
      END IF;
      d.status := r.status;
      d.rank := r.rank;
      d.status_at := r.at;
    END IF;
  END IF;
  IF advances OR posting IS NOT NULL THEN PERFORM ${s}.write(before, d, posting, r.at); END IF;
  RETURN json_build_array(CASE WHEN advances OR d.phase = 4 AND before.phase < 4 THEN 0 ELSE 1 END,
    ${s}.record(d, a.id));
END $$;
`
