import { ENTRY, NOW, row } from "./shape.ts"

/** How long an ended process is remembered, in milliseconds. */
const DAY = 24 * 60 * 60 * 1000

/** Credits and debits, and the removal of expired rows. */
export const upkeep = (s: string): string => `
-- Writes a credit or a debit unless an entry has its id already. Answers [[available, held] before it, or null when there
-- is no such account; [account, kind, amount] of the entry that had the id, or null].
CREATE FUNCTION ${s}.adjust(
  p_kind smallint, p_id text, p_account text, p_amount bigint, p_change bigint, p_reason text, p_at bigint
) RETURNS json ${ENTRY} $$
DECLARE
  a ${s}.accounts;
  written json;
BEGIN
  SELECT * INTO a FROM ${s}.accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN json_build_array(NULL, NULL); END IF;
  SELECT json_build_array(o.id, e.kind, e.amount) INTO written
  FROM ${s}.entries e CROSS JOIN ${row(`${s}.accounts`, "t.n = e.account")} o WHERE e.given_id = p_id;
  IF written IS NULL AND a.available + p_change >= 0 THEN
    INSERT INTO ${s}.entries (account, n, given_id, kind, amount, reason, at)
    VALUES (a.n, a.entries + 1, p_id, p_kind, p_amount, p_reason, p_at);
    UPDATE ${s}.accounts SET available = available + p_change, entries = entries + 1 WHERE n = a.n;
  END IF;
  RETURN json_build_array(json_build_array(a.available, a.held), written);
END $$;

-- Removes some expired claims and old unmatched reports, and answers how many. Rows that others have locked are left for
-- the next time, which prevents deadlocks.
CREATE FUNCTION ${s}.sweep(p_at bigint, p_unmatched_before bigint, p_limit integer) RETURNS bigint ${ENTRY} $$
DECLARE
  r ${s}.unmatched_reports;
  removed bigint;
BEGIN
  DELETE FROM ${s}.claims c USING (
    SELECT account, mode, key FROM ${s}.claims WHERE expires_at < p_at ORDER BY expires_at LIMIT p_limit
    FOR UPDATE SKIP LOCKED
  ) old WHERE c.account = old.account AND c.mode = old.mode AND c.key = old.key;
  GET DIAGNOSTICS removed = ROW_COUNT;
  FOR r IN
    SELECT * FROM ${s}.unmatched_reports WHERE at < p_unmatched_before ORDER BY at LIMIT p_limit FOR UPDATE SKIP LOCKED
  LOOP
    PERFORM ${s}.drop_unmatched(r);
    removed := removed + 1;
  END LOOP;
  DELETE FROM ${s}.processes p USING (
    SELECT id FROM ${s}.processes WHERE until < ${NOW} - ${DAY} FOR UPDATE SKIP LOCKED
  ) old WHERE p.id = old.id;
  RETURN removed;
END $$;

-- Removes some unmatched reports of a channel beyond its latest ones, and answers how many. Several at once remove no
-- more than one would: a report's place counts, and those that another removes are locked.
CREATE FUNCTION ${s}.trim_unmatched(p_channel smallint, p_most integer, p_limit integer) RETURNS bigint ${ENTRY} $$
DECLARE
  r ${s}.unmatched_reports;
  removed bigint := 0;
BEGIN
  FOR r IN
    SELECT u.* FROM (
      SELECT n FROM ${s}.unmatched_reports WHERE channel = p_channel ORDER BY at DESC, n DESC LIMIT p_limit OFFSET p_most
    ) excess JOIN ${s}.unmatched_reports u ON u.n = excess.n FOR UPDATE OF u SKIP LOCKED
  LOOP
    PERFORM ${s}.drop_unmatched(r);
    removed := removed + 1;
  END LOOP;
  RETURN removed;
END $$;

-- Removes an unmatched report that is locked, with its refs.
CREATE FUNCTION ${s}.drop_unmatched(r ${s}.unmatched_reports) RETURNS void ${ENTRY} $$
BEGIN
  DELETE FROM ${s}.unmatched_reports u WHERE u.n = r.n;
  DELETE FROM ${s}.unmatched_refs w WHERE w.channel = r.channel AND w.ref = ANY (r.refs) AND w.report = r.n;
  DELETE FROM ${s}.parts p USING (
    SELECT channel, ref FROM ${s}.parts q WHERE q.channel = r.channel AND q.ref = ANY (r.refs) AND q.delivery IS NULL
    FOR UPDATE SKIP LOCKED
  ) old WHERE p.channel = old.channel AND p.ref = old.ref;
END $$;
`
