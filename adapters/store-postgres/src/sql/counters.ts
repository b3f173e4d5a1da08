import { ENTRY, NOW, row } from "./shape.ts"

/** Counters of a request as rows `c`. */
const asked = `json_to_recordset(p_counters) AS c(key text, lasts bigint, slice bigint, amount bigint, most bigint)`

/** Counters, see `@watchword/store/Counters`. */
export const counters = (s: string): string => `
CREATE TABLE ${s}.counters (
  key text COLLATE "C" NOT NULL,
  until bigint NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (key, until)
) WITH (fillfactor = 50);
CREATE INDEX counters_until ON ${s}.counters (until);

-- Adds to all counters unless one of them would be above its limit then. Answers [the time, [[key, until, amount], …]]:
-- what their buckets had before.
CREATE FUNCTION ${s}.count(p_counters json) RETURNS json ${ENTRY} $$
DECLARE
  lock bigint;
  moment bigint;
  before json;
BEGIN
  -- Counts need not survive the machine, and others wait for the locks until the transaction has ended.
  PERFORM set_config('synchronous_commit', 'off', true);
  -- One order for every process prevents deadlocks.
  FOR lock IN SELECT DISTINCT hashtextextended(c.key, 0) FROM ${asked} WHERE c.amount > 0 ORDER BY 1 LOOP
    PERFORM pg_advisory_xact_lock(lock);
  END LOOP;
  moment := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  SELECT coalesce(json_agg(json_build_array(b.key, b.until, b.amount)), '[]') INTO before
  FROM ${asked} CROSS JOIN ${row(`${s}.counters`, "t.key = c.key AND t.until > moment")} b;
  IF NOT EXISTS (
    SELECT FROM ${asked} WHERE c.amount > 0 AND c.amount + (
      SELECT coalesce(sum(b.amount), 0) FROM ${s}.counters b WHERE b.key = c.key AND b.until > moment
    ) > c.most
  ) THEN
    INSERT INTO ${s}.counters AS b (key, until, amount)
    SELECT c.key, (moment / c.slice + 1) * c.slice + c.lasts, c.amount FROM ${asked} WHERE c.amount > 0
    ON CONFLICT (key, until) DO UPDATE SET amount = b.amount + excluded.amount;
  END IF;
  RETURN json_build_array(moment, before);
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
