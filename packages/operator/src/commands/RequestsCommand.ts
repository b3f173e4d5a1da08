/**
 * The operator's command on requests of customers that were refused, or failed.
 */
import { Mode } from "@watchword/schemas/Channel"
import { isErrorCode } from "@watchword/schemas/Errors"
import { field, optional } from "@watchword/schemas/Field"
import { AccountId, KeyId, timeOfUlid } from "@watchword/schemas/Ids"
import { type FoundRefused, type RefusedQuery, type RefusedRequest, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../command/Command.ts"
import { look } from "../command/SlowReads.ts"
import { Moment, as, wire } from "../command/Wire.ts"
import { filters, nextOf, restOf, row } from "./Newest.ts"

const orNull = Schema.NullOr(Schema.String)

const Refused = wire({
  id: Schema.String,
  at: Moment,
  account: as({ json: "account_id" }, field(Schema.NullOr(AccountId), "The account of its key; null if unknown.")),
  mode: Schema.NullOr(Mode),
  key: as({ json: "key_id" }, field(Schema.NullOr(KeyId), "The key, even if it was refused; null if unknown.")),
  operation: field(Schema.String, "The method and the route, such as `POST /verifications`."),
  status: field(Schema.Int, "The status of the answer."),
  code: field(Schema.String, "The code of the error, such as `TOO_MANY_REQUESTS`."),
  reason: field(orNull, "The reason of the error; of a 401, why the key was refused, which no client is informed of."),
  requestId: field(orNull, "The `request_id` of the answer."),
  client: field(orNull, "The client's address; of IPv6, its /64."),
  to: field(orNull, "The number in the request, masked; `erased` after its person was erased."),
  count: field(Schema.Int, "How many requests it stands for: requests alike share an entry in a flood.")
})

/** A larger page takes several looks. */
const REACH = 2_000

/** The most entries that a page looks at. */
const MOST = 20_000

const LAST = 2 ** 48 - 1

export const requests = Command.make({
  name: ["requests"],
  description: "List refused and failed requests of customers, newest first, of the last seven days",
  role: "support",
  isWatchable: true,
  input: wire({
    account: filters.account,
    mode: filters.mode,
    status: as({ example: "429" }, optional(Schema.Int, "Only answers with this status")),
    code: as(
      { example: "CODE" },
      optional(
        Schema.String.check(
          Schema.makeFilter(
            (code) =>
              isErrorCode(code) || code === "METHOD_NOT_ALLOWED" || "must be the code of an error, such as UNAUTHORIZED"
          )
        ),
        "Only errors with this code, such as UNAUTHORIZED"
      )
    ),
    operation: as(
      { example: "OPERATION" },
      optional(Schema.String, 'Only this operation, such as "POST /verifications"')
    ),
    since: filters.since,
    until: filters.until,
    limit: filters.limit,
    after: as({ example: "ID" }, optional(Schema.String, "Requests after this one: the previous page's next"))
  }),
  output: wire({
    requests: Schema.Array(Refused),
    next: field(orNull, nextOf("requests"))
  }),
  run: Effect.fnUntraced(function* ({ account, after, code, limit = 50, mode, operation, since, status, until }) {
    const { next, rows } = yield* page({
      since: since?.getTime() ?? 0,
      until: until?.getTime() ?? LAST,
      before: after ?? null,
      account: account ?? null,
      mode: mode ?? null,
      status: status ?? null,
      code: code ?? null,
      operation: operation ?? null,
      limit
    })
    return { requests: rows.map(shown), next }
  }),
  lines: ({ next, requests }) => [
    ...requests.map(({ account, at, client, code, count, key, operation, reason, requestId, status, to }) =>
      row([
        new Date(at).toISOString(),
        String(status),
        code,
        operation,
        account ?? "-",
        key ?? "-",
        client ?? "-",
        to ?? "-",
        requestId ?? `and ${count} more`,
        reason ?? ""
      ])
    ),
    ...restOf(requests.length, next, "request")
  ]
})

/** Entries that meet conditions, until the limit is met or so many were looked at. */
const page = Effect.fnUntraced(function* (
  query: Omit<RefusedQuery, "reach">
): Effect.fn.Return<FoundRefused, StoreError, Store> {
  const store = yield* Store
  let found: FoundRefused = { rows: [], next: query.before }
  for (let looked = 0; looked < MOST; looked += REACH) {
    const { limit, before } = { limit: query.limit - found.rows.length, before: found.next }
    const { next, rows } = yield* look(store.refused({ ...query, before, limit, reach: REACH }))
    found = { rows: [...found.rows, ...rows], next }
    if (next === null || found.rows.length >= query.limit) break
  }
  return found
})

const shown = ({ number, ...request }: RefusedRequest) => ({ ...request, at: timeOfUlid(request.id), to: number })
