import { ENTRY, NOW, row } from "./shape.ts"

const columns = "c(key text, lasts bigint, slice bigint, amount bigint, most bigint)"

/** The counters of one request, and the counters of all requests of a call, as rows `c`. */
const one = `json_to_recordset(p_request) AS ${columns}`
const all = `json_array_elements(p_requests) r CROSS JOIN LATERAL json_to_recordset(r) AS ${columns}`

/** The amounts that requests subtract, as rows `a`. */
const added = `(SELECT j.key, j.until, sum(j.amount)::bigint AS amount
  FROM json_to_recordset(p_added) AS j(key text, until bigint, amount bigint) GROUP BY 1, 2) a`

/** The sum of a key's current buckets. */
const used = (s: string, key: string): string =>
  `(SELECT coalesce(sum(b.amount), 0) FROM ${s}.counters b WHERE b.key = ${key} AND b.until > moment)`

/** Adds to a list of counters. */
const add = (s: string, counters: string): string =>
  `INSERT INTO ${s}.counters AS b (key, until, amount)
    SELECT c.key, (moment / c.slice + 1) * c.slice + c.lasts, sum(c.amount) FROM ${counters} WHERE c.amount > 0 GROUP BY 1, 2
    ON CONFLICT (key, until) DO UPDATE SET amount = b.amount + excluded.amount`

/** The class of the locks, which distinguishes them from other programs' locks: "WWCT". */
const APPLICATION = 0x57574354

/**
 * Counters, see `@watchword/store/Counters`.
 *
 * Keys share 256 locks, because a server has room for only a few thousand locks across all transactions. Counts need
 * not survive a machine crash: their commits do not wait for the disk, which shortens the time that the locks are held.
 */
export const counters = (s: string): string => `
CREATE TABLE ${s}.counters (
  key text COLLATE "C" NOT NULL,
  until bigint NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (key, until)
) WITH (fillfactor = 50);
CREATE INDEX counters_until ON ${s}.counters (until);

-- Decides on requests one after the other: adds to all counters of one unless one of them would be above its limit then.
-- Answers [the time, [[key, until, amount], …]]: what the buckets of all counters had before.
CREATE FUNCTION ${s}.count_all(p_requests json) RETURNS json ${ENTRY} $$
DECLARE
  lock integer;
  moment bigint;
  before json;
  p_request json;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  -- One order for every process prevents deadlocks.
  FOR lock IN SELECT DISTINCT hashtext(c.key) & 255 FROM ${all} WHERE c.amount > 0 ORDER BY 1 LOOP
    PERFORM pg_advisory_xact_lock(${APPLICATION}, lock);
  END LOOP;
  moment := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  SELECT coalesce(json_agg(json_build_array(b.key, b.until, b.amount)), '[]') INTO before
  FROM (SELECT DISTINCT c.key FROM ${all}) k CROSS JOIN ${row(`${s}.counters`, "t.key = k.key AND t.until > moment")} b;
  IF NOT EXISTS (
    SELECT FROM ${all} WHERE c.amount > 0 GROUP BY c.key HAVING sum(c.amount) + ${used(s, "c.key")} > min(c.most)
  ) THEN
    ${add(s, all)};
  ELSE
    FOR p_request IN SELECT r FROM json_array_elements(p_requests) r LOOP
      IF NOT EXISTS (SELECT FROM ${one} WHERE c.amount > 0 AND c.amount + ${used(s, "c.key")} > c.most) THEN
        ${add(s, one)};
      END IF;
    END LOOP;
  END IF;
  RETURN json_build_array(moment, before);
END $$;

-- Takes amounts back from the buckets that they were added to.
CREATE FUNCTION ${s}.uncount(p_added json) RETURNS void ${ENTRY} $$
DECLARE
  lock integer;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR lock IN SELECT DISTINCT hashtext(a.key) & 255 FROM ${added} ORDER BY 1 LOOP
    PERFORM pg_advisory_xact_lock(${APPLICATION}, lock);
  END LOOP;
  UPDATE ${s}.counters b SET amount = greatest(b.amount - a.amount, 0)
  FROM ${added} WHERE b.key = a.key AND b.until = a.until;
  DELETE FROM ${s}.counters b USING ${added} WHERE b.key = a.key AND b.until = a.until AND b.amount = 0;
END $$;

-- Removes some buckets that count no more, and answers how many.
CREATE FUNCTION ${s}.sweep_counters(p_limit integer) RETURNS bigint ${ENTRY} $$
DECLARE
  removed bigint;
BEGIN
  DELETE FROM ${s}.counters b USING (
    SELECT key, until FROM ${s}.counters WHERE until <= ${NOW}
    ORDER BY until LIMIT p_limit FOR UPDATE SKIP LOCKED
  ) old WHERE b.key = old.key AND b.until = old.until;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;
`
