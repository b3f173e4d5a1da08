/**
 * An account's view of the log of refused requests: its own, in the mode of the key.
 */
import { type RefusedRequest as Wire, RequestsGroup } from "@watchword/api/groups"
import { type Envelope, type ListBody, envelope } from "@watchword/pagination/Page"
import * as Fields from "@watchword/pagination/Fields"
import type { Principal } from "@watchword/schemas/Account"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type BadRequest, invalid } from "@watchword/schemas/Errors"
import { timeOfUlid } from "@watchword/schemas/Ids"
import * as Feature from "@watchword/send/channel/Features"
import * as Operation from "@watchword/send/channel/Operation"
import { pageBy } from "@watchword/store/Listing"
import { type RefusedRequest, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

interface Service extends Feature.Service {
  /** A page of the account's refused requests; a list looks at the newest 2,000 in its bounds of time. */
  readonly list: (principal: Principal, body: ListBody) => Effect.Effect<Envelope<Wire>, BadRequest | StoreError>
}

/** The most requests that a list looks at. */
const REACH = 2_000

/** Times of ids end here. */
const LAST = 2 ** 48 - 1

interface Row extends Omit<RefusedRequest, "account" | "mode"> {
  readonly at: number
}

const fields = Fields.listFields(
  {
    created_at: Fields.time("at"),
    request_id: Fields.nullable(Fields.string("requestId")),
    operation: Fields.string("operation"),
    status: Fields.integer("status"),
    code: Fields.string("code"),
    reason: Fields.nullable(Fields.string("reason")),
    key_id: Fields.nullable(Fields.string("key")),
    client: Fields.nullable(Fields.string("client")),
    to: Fields.nullable(Fields.string("number")),
    count: Fields.integer("count")
  } satisfies Fields.FieldsOf<Wire>,
  "created_at"
)

const make: Effect.Effect<Service, never, Store> = Effect.gen(function* () {
  const store = yield* Store
  const anything = { status: null, code: null, operation: null, before: null, limit: REACH, reach: REACH }

  const list = Effect.fnUntraced(function* ({ account, mode }: Principal, body: ListBody) {
    const read = Fields.toQuery(fields, body)
    if (Result.isFailure(read)) return yield* invalid(read.failure)
    const query = read.success
    const found = yield* store.refused({ ...anything, ...boundsOf(query), account: account.id, mode })
    const all = found.rows.map((row): Row => ({ ...row, at: timeOfUlid(row.id) }))
    const { rows, total } = pageBy(all, query, (row, name) => row[name])
    return envelope(total, body.page, body.rows_per_page, rows.map(toWire))
  })

  return { list, health: Effect.succeed([]), webhook: null }
})

/** The times between which all requests are that meet the conditions. */
const boundsOf = ({ where }: Fields.Query): { readonly since: number; readonly until: number } => {
  let [since, until] = [0, LAST]
  for (const condition of where) {
    if (condition.field !== "at" || condition._tag !== "Range") continue
    const { gt, gte, lt, lte } = condition
    since = Math.max(since, Number(gte ?? 0), Number(gt ?? 0))
    until = Math.min(until, Number(lt ?? LAST), Number(lte ?? LAST) + 1)
  }
  return { since, until }
}

const toWire = ({ at, client, code, count, key, number, operation, reason, requestId, status }: Row): Wire => ({
  created_at: new Date(at).toISOString(),
  request_id: requestId,
  operation,
  status,
  code,
  reason,
  key_id: key,
  client,
  to: number,
  count
})

/** The feature's description: the service folds over it as over the channels. */
export const requests = Feature.make({
  name: ChannelRegistry.requests.name,
  actions: ChannelRegistry.requests.actions,
  group: RequestsGroup,
  service: make,
  operations: ({ list }) => ({ list: Operation.list(list) })
})
