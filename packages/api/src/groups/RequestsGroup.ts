/**
 * The requests of an account that were refused, or failed.
 */
import { field, time } from "@watchword/schemas/Field"
import { KeyId } from "@watchword/schemas/Ids"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Access from "../Access.ts"
import * as Endpoints from "../internal/Endpoints.ts"

const orNull = Schema.NullOr(Schema.String)

/** A request that was refused or failed, or several alike. */
export const RefusedRequest = Schema.Struct({
  created_at: time("When it was answered."),
  request_id: field(orNull, "The `request_id` of the answer; null if an entry stands for several requests."),
  operation: field(Schema.String, "The method and the route, such as `POST /verifications`."),
  status: field(Schema.Int, "The status of the answer."),
  code: field(Schema.String, "The `error` of the answer."),
  reason: field(orNull, "The `reason` of the answer; of a 401, why the key was refused."),
  key_id: field(Schema.NullOr(KeyId), "The key of the request; null if an entry stands for several requests."),
  client: field(orNull, "The address that the request came from; of IPv6, its /64."),
  to: field(orNull, "The number in the request, masked; null without a valid one."),
  count: field(Schema.Int, "How many requests the entry stands for: in a flood, requests alike share one.")
}).annotate({
  identifier: "RefusedRequest",
  description: "A request that was refused or failed, or several alike.",
  examples: [
    {
      created_at: "2026-01-31T12:00:00.000Z",
      request_id: "0199a1c6-2f00-8000-8000-000000000000",
      operation: "POST /verifications",
      status: 429,
      code: "TOO_MANY_REQUESTS",
      reason: "limit_number",
      key_id: KeyId.make("key_01KAJ3T8ZZ0000000000000000"),
      client: "203.0.113.7",
      to: "+491********89",
      count: 1
    }
  ]
})
export type RefusedRequest = typeof RefusedRequest.Type

const list = Endpoints.list("/requests/list", RefusedRequest, "refused requests").annotateMerge(
  OpenApi.annotations({
    summary: "List refused requests",
    description:
      "Lists the requests of the key's account and mode that were refused or failed, of the last seven days, the newest " +
      "first unless `sort_by` says otherwise. It looks at the newest 2,000 in the bounds of `created_at`."
  })
)

export class RequestsGroup extends HttpApiGroup.make("requests")
  .add(list.annotateMerge(Access.use("requests:read")))
  .middleware(Access.Authorization)
  .middleware(Access.ErrorEnvelope)
  .annotateMerge(
    OpenApi.annotations({ title: "Requests", description: "Requests of the account that were refused or failed." })
  ) {}
