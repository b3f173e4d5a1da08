/**
 * `open`: one transaction in one round trip, which writes only what its conditions allow.
 *
 * Where it closes too, and reports wait for one of its parts, it is taken on what was read before, as a `close` is.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { StoreError } from "@watchword/store/StoreError"
import type { Open, Opened } from "@watchword/store/Store"
import * as Transitions from "@watchword/store/Transitions"
import { bucketOf } from "@watchword/store-sql/Buckets"
import { kindCode, phaseCode } from "@watchword/store-sql/Codes"
import { channelCode, partitionOf, listedAt, modeCode } from "@watchword/store-sql/Partitions"
import * as Effect from "effect/Effect"
import { type Connection, type Statement, again, rowsOf } from "./Connection.ts"
import * as Reading from "./Reading.ts"
import { DELIVERIES, RECORD, type Row, decode, encodeDetails, parse } from "./Records.ts"
import type { Remembered } from "./Remembered.ts"
import { nextToken } from "./tokens.ts"
import * as World from "./World.ts"
import { effectOn, write } from "./Writing.ts"

interface Answer {
  readonly account: AccountId | null
  readonly available: MicroEuros | null
  readonly record: string | null
  readonly claimed: string | null
}

export const make = (connection: Connection, remembered: Remembered) => {
  const open = (request: Open): Effect.Effect<Opened, StoreError> =>
    Effect.flatMap(
      // A token of its own for each try: what an earlier one wrote must not be counted again.
      connection.run(() => alone(request, nextToken())),
      (results) => {
        const opened = interpret(request, rowsOf<Answer>(results.at(-1)))
        return opened === null ? openWithReports(request) : Effect.succeed(opened)
      }
    )

  /** The same where reports wait: they are read first, and whoever was faster has it begin anew. */
  const openWithReports = (request: Open): Effect.Effect<Opened, StoreError> =>
    Effect.flatMap(again(attempt(request)), (opened) => (opened === null ? open(request) : Effect.succeed(opened)))

  const attempt = Effect.fnUntraced(function* (request: Open) {
    const { account } = request.delivery
    const question = questionOf(request)
    const [read, found] = yield* connection.run(() => [
      Reading.read(question),
      { sql: "SELECT n FROM accounts WHERE id = ?1", values: [account] }
    ])
    const [row] = rowsOf<{ readonly facts: string }>(read)
    const [owner] = rowsOf<{ readonly n: number }>(found)
    if (row === undefined || owner === undefined) return null
    return yield* connection.once(withReports(request, owner.n, question, row.facts)).pipe(
      Effect.map((results) => interpret(request, rowsOf<Answer>(results.at(-1)))),
      Effect.catchTag("Moved", () => Effect.succeed(null))
    )
  })

  /** What the database answers; null when only the reports that wait were in the way. */
  const interpret = (request: Open, [answer]: ReadonlyArray<Answer>): Opened | null => {
    if (answer === undefined) throw new Error("a select without a table has one row")
    const { account, available, claimed, record } = answer
    if (record !== null && available !== null) {
      const { delivery } = parse(record)
      if (request.close === undefined) remembered.put(delivery.id, record)
      return { _tag: "Opened", delivery, available }
    }
    if (account === null || available === null) return { _tag: "NoAccount" }
    if (claimed !== null) return claimedBy(request, claimed)
    return available < request.delivery.price ? { _tag: "Insufficient", available } : null
  }

  return open
}

const claimedBy = (request: Open, claimed: string): Opened => {
  const [place, fingerprint, holder]: readonly [number, string, Row] = JSON.parse(claimed)
  const claim = request.claims[place]
  if (claim === undefined) throw new Error("a claim that nobody asked for")
  const by = decode(holder).delivery
  return { _tag: "Claimed", claim, sameFingerprint: fingerprint === claim.fingerprint, by }
}

/** An open for whose parts no report waits; else it writes nothing. */
const alone = (request: Open, token: number): ReadonlyArray<Statement> => {
  const refs = request.close?.refs ?? []
  return [
    ...opening(request, token, refs),
    ...(refs.length === 0
      ? []
      : [
          {
            sql: `INSERT INTO parts (channel, ref, delivery, name)
              SELECT d.drawer & 7, w.value, ?1, w.value FROM deliveries d CROSS JOIN json_each(?3) w WHERE d.${WRITTEN}
              ON CONFLICT (channel, ref) DO UPDATE SET delivery = excluded.delivery, name = excluded.name`,
            values: [request.delivery.id, token, JSON.stringify(refs)]
          }
        ]),
    select(request)
  ]
}

/** An open that has those reports applied which the facts tell of. */
const withReports = (
  request: Open,
  account: number,
  question: Reading.Question,
  facts: string
): ReadonlyArray<Statement> => {
  const { at, close, delivery } = request
  const { channel, id, mode } = delivery
  const token = nextToken()
  const before = Reading.parse(facts)
  const begun = { drawer: partitionOf(account, mode, channel), token, delivery: Transitions.begun(request).delivery }
  const world = World.make({ ...before, deliveries: [...before.deliveries, begun] })
  // The record is closed already: what this adds is its parts, and what waits for them.
  if (close !== undefined) world.close({ ...close, id, at })
  return [
    Reading.unlessMoved(question, facts),
    ...opening(request, token, []),
    {
      sql: `INSERT INTO readings SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE ${WRITTEN})`,
      values: [id, token]
    },
    ...write(world.changes(), token),
    select(request)
  ]
}

const questionOf = ({ close, delivery: { channel, id } }: Open): Reading.Question => ({
  id,
  channel,
  refs: close?.refs ?? [],
  message: { to: null, reference: null }
})

const wantedOf = ({ claims }: Open): string =>
  JSON.stringify(
    claims.map((claim) => [claim.key, claim.fingerprint, claim.retryAfterRejection ? 1 : 0, claim.expiresAt])
  )

/**
 * Writes the record with its money and claims, if it may be.
 *
 * @param refs under none of these may a report wait
 */
const opening = (request: Open, token: number, refs: ReadonlyArray<string>): ReadonlyArray<Statement> => {
  const { at, claims, owner } = request
  const { delivery, posting } = Transitions.begun(request)
  const { account, channel, createdAt, details, from, id, mode, parts, phase, price, reference, status, statusAt, to } =
    delivery
  const wanted = wantedOf(request)
  const kinds = price === 0 ? [] : posting === null ? (["hold"] as const) : (["hold", posting] as const)
  return [
    {
      sql: `INSERT INTO deliveries (id, drawer, recipient, sender, phase, status, rank, price, parts, reference,
          created_at, status_at, details, owner, token)
        SELECT ?1, account.n * 16 + ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15 FROM accounts account
        WHERE account.id = ?16 AND account.available >= ?8 AND NOT EXISTS (SELECT 1 ${held("?17", "?18", "?11")})
          AND NOT EXISTS (SELECT 1 FROM json_each(?19) w CROSS JOIN parked_refs r ON r.channel = ?20 AND r.ref = w.value)
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
        modeCode(mode),
        JSON.stringify(refs),
        channelCode(channel)
      ]
    },
    {
      sql: `INSERT INTO counts (drawer, bucket, status, n)
        SELECT drawer, ?3, status, 1 FROM deliveries WHERE ${WRITTEN}
        ON CONFLICT (drawer, bucket, status) DO UPDATE SET n = n + 1`,
      values: [id, token, bucketOf(listedAt(delivery))]
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
    ...kinds.flatMap((kind) => [
      {
        sql: `UPDATE accounts SET available = available + ?3, held = held + ?4, entries = entries + 1
          WHERE n = (SELECT drawer / 16 FROM deliveries WHERE ${WRITTEN})`,
        values: [id, token, effectOn("available", kind) * price, effectOn("held", kind) * price]
      },
      {
        sql: `INSERT INTO entries (account, n, credit, delivery, kind, amount, at)
          SELECT n, entries, NULL, ?1, ?3, ?4, ?5 FROM accounts
          WHERE n = (SELECT drawer / 16 FROM deliveries WHERE ${WRITTEN})`,
        values: [id, token, kindCode(kind), price, at]
      }
    ])
  ]
}

/** What is so now: the record, or what was in its way. */
const select = (request: Open): Statement => {
  const { account, id, mode } = request.delivery
  return {
    sql: `SELECT account.id AS account, account.available AS available,
        (SELECT ${RECORD} FROM ${DELIVERIES} WHERE d.id = ?1) AS record,
        (SELECT json_array(w.key, c.fingerprint, json((SELECT ${RECORD} FROM ${DELIVERIES} WHERE d.id = holder.id)))
          ${held("?3", "?4", "?5")} AND c.delivery <> ?1 ORDER BY w.key LIMIT 1) AS claimed
      FROM (SELECT 1) LEFT JOIN accounts account
        ON account.n = coalesce((SELECT drawer / 16 FROM deliveries WHERE id = ?1), (SELECT n FROM accounts WHERE id = ?2))`,
    values: [id, account, wantedOf(request), modeCode(mode), request.at]
  }
}

/** The record, if this try has written it. */
const WRITTEN = "id = ?1 AND token = ?2"

/** Claims of the account that are wanted and in other hands. */
const held = (wanted: string, mode: string, at: string): string => `
  FROM json_each(${wanted}) w
    CROSS JOIN claims c ON c.realm = account.n * 2 + ${mode} AND c.key = w.value ->> 0
    CROSS JOIN deliveries holder ON holder.id = c.delivery
  WHERE c.expires_at > ${at} AND NOT (holder.phase = 3 AND c.retry_after_rejection = 1)`
