/**
 * `open`: one transaction in one round trip, which writes only what its conditions allow.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { StoreError } from "@watchword/store/StoreError"
import type { Open, Opened } from "@watchword/store/Store"
import * as Transitions from "@watchword/store/Transitions"
import { bucketOf } from "@watchword/store/sql/Buckets"
import { kindCode, phaseCode } from "@watchword/store/sql/Codes"
import { channelCode, listedAt, modeCode } from "@watchword/store/sql/Drawers"
import * as Effect from "effect/Effect"
import { type Connection, type Statement, rowsOf } from "./Connection.ts"
import { DELIVERIES, RECORD, type Row, decode, encodeDetails, parse } from "./Records.ts"
import type { Remembered } from "./Remembered.ts"
import { nextToken } from "./tokens.ts"

interface Answer {
  readonly account: AccountId | null
  readonly available: MicroEuros | null
  readonly record: string | null
  readonly claimed: string | null
}

export const make = (connection: Connection, remembered: Remembered) =>
  Effect.fnUntraced(function* (request: Open): Effect.fn.Return<Opened, StoreError> {
    // A token of its own for each try: what an earlier one wrote must not be counted again.
    const results = yield* connection.run(() => statements(request, nextToken()))
    const [answer] = rowsOf<Answer>(results.at(-1))
    return interpret(request, answer, remembered)
  })

const interpret = (request: Open, answer: Answer | undefined, remembered: Remembered): Opened => {
  if (answer === undefined) throw new Error("a select without a table has one row")
  const { account, available, claimed, record } = answer
  if (record !== null && available !== null) {
    const { delivery } = parse(record)
    remembered.put(delivery.id, record)
    return { _tag: "Opened", delivery, available }
  }
  if (account === null || available === null) return { _tag: "NoAccount" }
  if (claimed === null) return { _tag: "Insufficient", available }
  const [place, fingerprint, holder]: readonly [number, string, Row] = JSON.parse(claimed)
  const claim = request.claims[place]
  if (claim === undefined) throw new Error("a claim that nobody asked for")
  const by = decode(holder).delivery
  return { _tag: "Claimed", claim, sameFingerprint: fingerprint === claim.fingerprint, by }
}

const statements = (request: Open, token: number): ReadonlyArray<Statement> => {
  const { at, claims, delivery, owner } = request
  const { account, channel, createdAt, details, from, id, mode, parts, phase, price, reference, status, statusAt, to } =
    { ...delivery, ...Transitions.opened(request) }
  const wanted = JSON.stringify(
    claims.map((claim) => [claim.key, claim.fingerprint, claim.retryAfterRejection ? 1 : 0, claim.expiresAt])
  )
  return [
    {
      sql: `INSERT INTO deliveries (id, drawer, recipient, sender, phase, status, rank, price, parts, reference,
          created_at, status_at, details, owner, token)
        SELECT ?1, account.n * 16 + ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15 FROM accounts account
        WHERE account.id = ?16 AND account.available >= ?8 AND NOT EXISTS (SELECT 1 ${held("?17", "?18", "?11")})
        ON CONFLICT (id) DO NOTHING`,
      values: [
        id,
        modeCode(mode) * 8 + channelCode(channel),
        to,
        from,
        phaseCode(phase),
        status.name,
        status.rank,
        price,
        parts,
        reference,
        createdAt,
        statusAt,
        encodeDetails(details),
        owner,
        token,
        account,
        wanted,
        modeCode(mode)
      ]
    },
    {
      sql: `INSERT INTO counts (drawer, bucket, status, n)
        SELECT drawer, ?3, status, 1 FROM deliveries WHERE ${WRITTEN}
        ON CONFLICT (drawer, bucket, status) DO UPDATE SET n = n + 1`,
      values: [id, token, bucketOf(listedAt({ ...delivery, phase, createdAt, statusAt }))]
    },
    ...(claims.length === 0
      ? []
      : [
          {
            sql: `INSERT INTO claims (realm, key, delivery, fingerprint, retry_after_rejection, expires_at)
              SELECT d.drawer / 8, w.value ->> 0, ?1, w.value ->> 1, w.value ->> 2, w.value ->> 3
              FROM deliveries d CROSS JOIN json_each(?3) w WHERE d.${WRITTEN}
              ON CONFLICT (realm, key) DO UPDATE SET delivery = excluded.delivery, fingerprint = excluded.fingerprint,
                retry_after_rejection = excluded.retry_after_rejection, expires_at = excluded.expires_at`,
            values: [id, token, wanted]
          }
        ]),
    ...(price === 0
      ? []
      : [
          {
            sql: `UPDATE accounts SET available = available - ?3, held = held + ?3, entries = entries + 1
              WHERE n = (SELECT drawer / 16 FROM deliveries WHERE ${WRITTEN})`,
            values: [id, token, price]
          },
          {
            sql: `INSERT INTO entries (account, n, credit, delivery, kind, amount, at)
              SELECT n, entries, NULL, ?1, ?3, ?4, ?5 FROM accounts
              WHERE n = (SELECT drawer / 16 FROM deliveries WHERE ${WRITTEN})`,
            values: [id, token, kindCode("hold"), price, at]
          }
        ]),
    {
      sql: `SELECT account.id AS account, account.available AS available,
          (SELECT ${RECORD} FROM ${DELIVERIES} WHERE d.id = ?1) AS record,
          (SELECT json_array(w.key, c.fingerprint, json((SELECT ${RECORD} FROM ${DELIVERIES} WHERE d.id = holder.id)))
            ${held("?3", "?4", "?5")} AND c.delivery <> ?1 ORDER BY w.key LIMIT 1) AS claimed
        FROM (SELECT 1) LEFT JOIN accounts account
          ON account.n = coalesce((SELECT drawer / 16 FROM deliveries WHERE id = ?1), (SELECT n FROM accounts WHERE id = ?2))`,
      values: [id, account, wanted, modeCode(mode), at]
    }
  ]
}

/** The record, if this try has written it. */
const WRITTEN = "id = ?1 AND token = ?2"

/** Claims of the account that are wanted and in other hands. */
const held = (wanted: string, mode: string, at: string): string => `
  FROM json_each(${wanted}) w
    CROSS JOIN claims c ON c.realm = account.n * 2 + ${mode} AND c.key = w.value ->> 0
    CROSS JOIN deliveries holder ON holder.id = c.delivery
  WHERE c.expires_at > ${at} AND NOT (holder.phase = 3 AND c.retry_after_rejection = 1)`
