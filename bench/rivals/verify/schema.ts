/**
 * Tables and functions in PostgreSQL. Each step is a function; `run_steps` runs all waiting steps in one transaction.
 *
 * Locks are taken in this order: verification, message, reference of the carrier, number, account.
 */
import { CHECKS, HOUR, SENDS_AN_HOUR } from "./store.ts"

export const SCHEMA = `
CREATE TABLE IF NOT EXISTS accounts (
  n int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, id text NOT NULL UNIQUE, sender text,
  available bigint NOT NULL CHECK (available >= 0), held bigint NOT NULL CHECK (held >= 0)
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS keys (hash text PRIMARY KEY, account int NOT NULL, revoked boolean NOT NULL DEFAULT false);
CREATE TABLE IF NOT EXISTS entries (
  n bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, account int NOT NULL, message bigint, kind text NOT NULL,
  amount bigint NOT NULL, at bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS verifications (
  n bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, id text NOT NULL UNIQUE, account int NOT NULL,
  recipient text NOT NULL, code_hash text NOT NULL, status text NOT NULL,
  checks_left int NOT NULL CHECK (checks_left >= 0), created_at bigint NOT NULL, expires_at bigint NOT NULL,
  ended_at bigint
) WITH (fillfactor = 70);
CREATE INDEX IF NOT EXISTS verifications_open ON verifications (expires_at) WHERE status = 'pending';
CREATE TABLE IF NOT EXISTS messages (
  n bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, verification bigint NOT NULL, verification_id text NOT NULL,
  account int NOT NULL, phase text NOT NULL, status text NOT NULL, price bigint NOT NULL, ref text,
  carrier_status text, created_at bigint NOT NULL, status_at bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX IF NOT EXISTS messages_ref ON messages (ref) WHERE ref IS NOT NULL;
CREATE INDEX IF NOT EXISTS messages_open ON messages (created_at) WHERE phase IN ('pending', 'unknown');
CREATE TABLE IF NOT EXISTS send_limits (
  account int NOT NULL, number text NOT NULL, since bigint NOT NULL, sends int NOT NULL, PRIMARY KEY (account, number)
);
CREATE TABLE IF NOT EXISTS early_receipts (
  ref text NOT NULL, status text NOT NULL, carrier_status text NOT NULL, at bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS early_receipts_ref ON early_receipts (ref);
CREATE TABLE IF NOT EXISTS outbox (
  n bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, event text NOT NULL, tries int NOT NULL DEFAULT 0,
  due_at bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS outbox_due ON outbox (due_at);

CREATE OR REPLACE FUNCTION emit(p_type text, p_data jsonb, p_at bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (event, due_at) VALUES (jsonb_build_object(
    'id', 'evt_' || gen_random_uuid(), 'type', p_type, 'created_at', p_at, 'data', p_data)::text, p_at);
END $$;

CREATE OR REPLACE FUNCTION emit_message(m messages, p_status text, p_at bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM emit('sms.' || p_status, jsonb_build_object(
    'verification_id', m.verification_id, 'message', m.n, 'status', p_status), p_at);
END $$;

CREATE OR REPLACE FUNCTION end_verification(v verifications, p_status text, p_at bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE verifications SET status = p_status, ended_at = p_at WHERE n = v.n;
  PERFORM emit('verification.' || p_status, jsonb_build_object('verification_id', v.id, 'status', p_status), p_at);
END $$;

-- Counts a send to a number, in a window of an hour that begins with its first send, and holds its price.
CREATE OR REPLACE FUNCTION reserve(p_account int, p_to text, p_price bigint, p_at bigint)
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO send_limits AS l VALUES (p_account, p_to, p_at, 1)
    ON CONFLICT (account, number) DO UPDATE SET
      sends = CASE WHEN l.since <= p_at - ${HOUR} THEN 1 ELSE l.sends + 1 END,
      since = CASE WHEN l.since <= p_at - ${HOUR} THEN p_at ELSE l.since END
    WHERE l.since <= p_at - ${HOUR} OR l.sends < ${SENDS_AN_HOUR};
  IF NOT FOUND THEN RETURN 'limited'; END IF;
  UPDATE accounts SET available = available - p_price, held = held + p_price
    WHERE n = p_account AND available >= p_price;
  IF FOUND THEN RETURN 'open'; END IF;
  UPDATE send_limits SET sends = sends - 1 WHERE account = p_account AND number = p_to;
  RETURN 'insufficient';
END $$;

CREATE OR REPLACE FUNCTION open_message(v bigint, p_id text, p_account int, p_to text, p_price bigint, p_at bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE m bigint;
BEGIN
  INSERT INTO messages (verification, verification_id, account, phase, status, price, created_at, status_at)
    VALUES (v, p_id, p_account, 'pending', 'sent', p_price, p_at, p_at) RETURNING n INTO m;
  INSERT INTO entries (account, message, kind, amount, at) VALUES (p_account, m, 'hold', p_price, p_at);
  RETURN jsonb_build_object('is', 'open', 'message', m, 'to', p_to);
END $$;

CREATE OR REPLACE FUNCTION start_verification(
  p_id text, p_account int, p_to text, p_code_hash text, p_price bigint, p_expires_at bigint, p_at bigint
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE reserved text := reserve(p_account, p_to, p_price, p_at); v bigint;
BEGIN
  IF reserved <> 'open' THEN RETURN jsonb_build_object('is', reserved); END IF;
  INSERT INTO verifications (id, account, recipient, code_hash, status, checks_left, created_at, expires_at)
    VALUES (p_id, p_account, p_to, p_code_hash, 'pending', ${CHECKS}, p_at, p_expires_at) RETURNING n INTO v;
  RETURN open_message(v, p_id, p_account, p_to, p_price, p_at);
END $$;

CREATE OR REPLACE FUNCTION resend_verification(
  p_id text, p_account int, p_code_hash text, p_price bigint, p_at bigint
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE v verifications; reserved text;
BEGIN
  SELECT * INTO v FROM verifications WHERE id = p_id AND account = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN jsonb_build_object('is', 'missing'); END IF;
  IF v.status <> 'pending' OR v.expires_at <= p_at THEN RETURN jsonb_build_object('is', 'ended'); END IF;
  reserved := reserve(p_account, v.recipient, p_price, p_at);
  IF reserved <> 'open' THEN RETURN jsonb_build_object('is', reserved); END IF;
  UPDATE verifications SET code_hash = p_code_hash WHERE n = v.n;
  RETURN open_message(v.n, v.id, p_account, v.recipient, p_price, p_at);
END $$;

-- Both sides are HMACs under a key that no client has: how long their comparison takes says nothing of a code.
CREATE OR REPLACE FUNCTION check_code(p_id text, p_account int, p_code_hash text, p_at bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE v verifications; is_right boolean;
BEGIN
  SELECT * INTO v FROM verifications WHERE id = p_id AND account = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN jsonb_build_object('is', 'missing'); END IF;
  IF v.status = 'pending' AND v.expires_at <= p_at THEN
    PERFORM end_verification(v, 'expired', p_at);
    v.status := 'expired';
  END IF;
  IF v.status <> 'pending' THEN RETURN jsonb_build_object('is', 'ended', 'status', v.status); END IF;
  is_right := v.code_hash = p_code_hash;
  v.checks_left := v.checks_left - 1;
  v.status := CASE WHEN is_right THEN 'approved' WHEN v.checks_left = 0 THEN 'failed' ELSE 'pending' END;
  UPDATE verifications SET checks_left = v.checks_left WHERE n = v.n;
  IF v.status <> 'pending' THEN PERFORM end_verification(v, v.status, p_at); END IF;
  RETURN jsonb_build_object('is', 'compared', 'valid', is_right, 'status', v.status, 'checksLeft', v.checks_left);
END $$;

CREATE OR REPLACE FUNCTION apply_receipt(m messages, p_status text, p_carrier_status text, p_at bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_status = 'sent' OR m.status <> 'sent' THEN RETURN; END IF;
  UPDATE messages SET status = p_status, carrier_status = p_carrier_status, status_at = p_at WHERE n = m.n;
  PERFORM emit_message(m, p_status, p_at);
END $$;

CREATE OR REPLACE FUNCTION close_message(p_message bigint, p_outcome text, p_ref text, p_at bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE m messages; early early_receipts;
BEGIN
  SELECT * INTO m FROM messages WHERE n = p_message FOR NO KEY UPDATE;
  IF m.phase NOT IN ('pending', 'unknown') THEN RETURN '{}'; END IF;
  -- A receipt that another connection stores as early either sees the reference, or is seen here.
  IF p_ref IS NOT NULL THEN PERFORM pg_advisory_xact_lock(hashtext(p_ref)); END IF;
  UPDATE messages SET phase = p_outcome, ref = p_ref, status_at = p_at,
    status = CASE p_outcome WHEN 'rejected' THEN 'failed' ELSE status END WHERE n = m.n;
  PERFORM emit_message(m, p_outcome, p_at);
  FOR early IN DELETE FROM early_receipts WHERE ref = p_ref RETURNING * LOOP
    PERFORM apply_receipt(m, early.status, early.carrier_status, p_at);
  END LOOP;
  IF p_outcome = 'unknown' THEN RETURN '{}'; END IF;
  INSERT INTO entries (account, message, kind, amount, at)
    VALUES (m.account, m.n, CASE p_outcome WHEN 'accepted' THEN 'settle' ELSE 'release' END, m.price, p_at);
  UPDATE accounts SET held = held - m.price,
    available = available + CASE p_outcome WHEN 'rejected' THEN m.price ELSE 0 END WHERE n = m.account;
  RETURN '{}';
END $$;

CREATE OR REPLACE FUNCTION store_receipt(p_ref text, p_status text, p_carrier_status text, p_at bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE m messages; found bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext(p_ref));
  SELECT n INTO found FROM messages WHERE ref = p_ref ORDER BY n DESC LIMIT 1;
  IF found IS NULL THEN
    INSERT INTO early_receipts VALUES (p_ref, p_status, p_carrier_status, p_at);
  ELSE
    SELECT * INTO m FROM messages WHERE n = found FOR NO KEY UPDATE;
    PERFORM apply_receipt(m, p_status, p_carrier_status, p_at);
  END IF;
  RETURN '{}';
END $$;

CREATE OR REPLACE FUNCTION posted(p_taken jsonb, p_again jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM outbox WHERE n IN (SELECT value::bigint FROM jsonb_array_elements_text(p_taken));
  UPDATE outbox o SET tries = tries + 1, due_at = a."dueAt"
    FROM jsonb_to_recordset(p_again) AS a(n bigint, "dueAt" bigint) WHERE o.n = a.n;
  RETURN '{}';
END $$;

-- One answer for each step, in their order.
CREATE OR REPLACE FUNCTION run_steps(steps jsonb) RETURNS SETOF jsonb LANGUAGE plpgsql AS $$
DECLARE s jsonb; account int; price bigint; at bigint;
BEGIN
  FOR s IN SELECT value FROM jsonb_array_elements(steps) LOOP
    account := s->>'account'; price := s->>'price'; at := s->>'at';
    RETURN NEXT CASE s->>'do'
      WHEN 'start' THEN start_verification(
        s->>'id', account, s->>'to', s->>'codeHash', price, (s->>'expiresAt')::bigint, at)
      WHEN 'resend' THEN resend_verification(s->>'id', account, s->>'codeHash', price, at)
      WHEN 'check' THEN check_code(s->>'id', account, s->>'codeHash', at)
      WHEN 'close' THEN close_message((s->>'message')::bigint, s->>'outcome', s->>'ref', at)
      WHEN 'receipt' THEN store_receipt(s->>'ref', s->>'status', s->>'carrierStatus', at)
      WHEN 'posted' THEN posted(s->'taken', s->'again')
    END;
  END LOOP;
END $$;
`
