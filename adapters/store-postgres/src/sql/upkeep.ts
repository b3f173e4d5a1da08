import { ENTRY, NOW } from "./shape.ts"

/** How long an ended process is remembered, in milliseconds. */
const DAY = 24 * 60 * 60 * 1000

/** Credits, and the removal of what has expired. */
export const upkeep = (s: string): string => `
-- The account's balance as [available, held], or null when there is no such account.
CREATE FUNCTION ${s}.credit_one(p_id text, p_account text, p_amount bigint, p_at bigint) RETURNS json ${ENTRY} $$
DECLARE
  a ${s}.accounts;
BEGIN
  SELECT * INTO a FROM ${s}.accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF NOT EXISTS (SELECT FROM ${s}.entries WHERE credit = p_id) THEN
    UPDATE ${s}.accounts SET available = available + p_amount, entries = entries + 1 WHERE n = a.n RETURNING * INTO a;
    INSERT INTO ${s}.entries VALUES (a.n, a.entries, p_id, NULL, 0, p_amount, p_at);
  END IF;
  RETURN json_build_array(a.available, a.held);
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
    DELETE FROM ${s}.unmatched_reports u WHERE u.n = r.n;
    DELETE FROM ${s}.unmatched_refs w WHERE w.channel = r.channel AND w.ref = ANY (r.refs) AND w.report = r.n;
    DELETE FROM ${s}.parts p USING (
      SELECT channel, ref FROM ${s}.parts q WHERE q.channel = r.channel AND q.ref = ANY (r.refs) AND q.delivery IS NULL
      FOR UPDATE SKIP LOCKED
    ) old WHERE p.channel = old.channel AND p.ref = old.ref;
    removed := removed + 1;
  END LOOP;
  DELETE FROM ${s}.processes p USING (
    SELECT id FROM ${s}.processes WHERE until < ${NOW} - ${DAY} FOR UPDATE SKIP LOCKED
  ) old WHERE p.id = old.id;
  RETURN removed;
END $$;
`
