import { ENTRY, isAwaited, row } from "./shape.ts"

/**
 * The plain ones of all steps that wait at the same time, as one call: opens, then closes, then reports. Their order is free, because none
 * of them has been answered. The caller keeps steps apart that would meet: two opens with an id or a claim in common, two
 * closes of an id, two of either with a ref.
 */
export const batch = (s: string): string => `
CREATE FUNCTION ${s}.remove_zeros(p_zeros ${s}.counts[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_zeros IS NULL THEN RETURN; END IF;
  DELETE FROM ${s}.counts c USING unnest(p_zeros) z
  WHERE c.account = z.account AND c.mode = z.mode AND c.channel = z.channel AND c.width = z.width
    AND c.bucket = z.bucket AND c.status = z.status AND c.n = 0;
END $$;

-- A report that another transaction has just kept unmatched under a ref is in the way of the step that names the ref.
-- Repeated, the step is not plain any more.
CREATE FUNCTION ${s}.check_named(p_channels smallint[], p_refs text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM unnest(p_channels, p_refs) u(channel, ref) WHERE ${isAwaited(s, "u.channel", "ARRAY[u.ref]")}) THEN
    RAISE serialization_failure USING MESSAGE = 'a report waits for a ref that has just been named';
  END IF;
END $$;

-- Answers three lists of [i, answer], each for the steps of a kind; a step without an answer has not been done. A list
-- that is null on both sides has no steps. Accounts, ids and refs are those that the steps name, for the locks.
CREATE FUNCTION ${s}.steps(
  p_opens json, p_closes json, p_reports json, p_accounts text[], p_ids text[], p_channels smallint[], p_refs text[]
) RETURNS json ${ENTRY} $$
DECLARE
  locked integer[];
  opened json[];
  closed json[];
  reported json[];
BEGIN
  locked := ARRAY (
    SELECT a.n FROM ${s}.accounts a WHERE a.id = ANY (p_accounts)
    UNION SELECT d.account FROM ${s}.deliveries d WHERE d.id = ANY (p_ids)
    UNION SELECT d.account FROM unnest(p_channels, p_refs) u(channel, ref)
      CROSS JOIN ${row(`${s}.parts`, "t.channel = u.channel AND t.ref = u.ref")} p
      CROSS JOIN ${row(`${s}.deliveries`, "t.id = p.delivery")} d
  );
  -- One order for every process prevents deadlocks.
  PERFORM FROM ${s}.accounts WHERE n = ANY (locked) ORDER BY n FOR NO KEY UPDATE;
  IF p_opens IS NOT NULL THEN opened := ${s}.open_all(p_opens); END IF;
  IF p_closes IS NOT NULL THEN closed := ${s}.close_all(p_closes); END IF;
  IF p_reports IS NOT NULL THEN reported := ${s}.report_all(p_reports, locked); END IF;
  RETURN json_build_array(opened, closed, reported);
END $$;
`
