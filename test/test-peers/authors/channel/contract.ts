/**
 * Codes to pagers on the wire: bodies, answers, the delivery record, and the endpoints.
 */
import * as Access from "@watchword/api/Access"
import { BadRequest, Conflict, NotFound, TooManyRequests, sendErrors } from "@watchword/api/Errors"
import { Envelope, ListBody } from "@watchword/pagination/Page"
import { Code } from "@watchword/schemas/Chatgw"
import { field, personal, request } from "@watchword/schemas/Field"
import {
  clientFacts,
  createdAt,
  guardReasons,
  ok,
  price,
  reported,
  sentTo,
  to,
  uuid
} from "@watchword/schemas/SharedFields"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"

/** Body of `POST /pager`. */
export const SendPage = request({
  to,
  code: personal(field(Code, "The code that the pager shows, 4 to 8 digits.")),
  ...clientFacts
})
export type SendPage = typeof SendPage.Type

/** Answer of `POST /pager`. */
export const PageSent = Schema.Struct({ uuid, to: sentTo })

/** How far a page got; `blocked` was refused by a guard. */
export const PageStatus = Schema.Literals(["sent", "shown", "failed", "blocked"])

/** A delivery record. */
export const PageRecord = Schema.Struct({
  uuid,
  to: sentTo,
  status: field(PageStatus, "How far the page got; `blocked` was refused by a guard, and not sent."),
  created_at: createdAt,
  price,
  ...guardReasons
})
export type PageRecord = typeof PageRecord.Type

const Outcome = Schema.Literals(["shown", "failed"])

/** Body of `POST /pager/webhook`: the outcome that the account saw. */
export const ReportPage = Schema.Struct({
  uuid: reported("page"),
  status: field(Outcome, "What you know of the page.")
})
export type ReportPage = typeof ReportPage.Type

/** Answer of `POST /pager/webhook`. */
export const PageReported = Schema.Struct({
  message: ok,
  uuid,
  status: field(PageStatus, "The status now on the record.")
})
export type PageReported = typeof PageReported.Type

const params = { uuid: Schema.String }
const listErrors = [BadRequest, TooManyRequests] as const
const reportErrors = [BadRequest, NotFound, Conflict] as const

const send = HttpApiEndpoint.post("send", "/pager", { payload: SendPage, success: PageSent, error: sendErrors })
const get = HttpApiEndpoint.get("get", "/pager/:uuid/record", { params, success: PageRecord, error: NotFound })
const list = HttpApiEndpoint.post("list", "/pager/records", {
  payload: ListBody,
  success: Envelope(PageRecord),
  error: listErrors
})
const report = HttpApiEndpoint.post("report", "/pager/webhook", {
  payload: ReportPage,
  success: PageReported,
  error: reportErrors
})

export class PagerGroup extends HttpApiGroup.make("pager")
  .add(
    send.annotateMerge(Access.send("pager:send")),
    get.annotateMerge(Access.use("pager:read")),
    list.annotateMerge(Access.use("pager:read")),
    report.annotateMerge(Access.report("pager:report"))
  )
  .middleware(Access.Authorization)
  .middleware(Access.ErrorEnvelope) {}
