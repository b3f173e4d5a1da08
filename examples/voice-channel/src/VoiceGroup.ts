/**
 * The HTTP contract of the voice channel.
 */
import * as Access from "@watchword/api/Access"
import { BadRequest, Conflict, NotFound, TooManyRequests, sendErrors } from "@watchword/api/Errors"
import { Envelope, ListBody } from "@watchword/pagination/Page"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { ReportVoice, SendVoice, Vdr, VoiceReported, VoiceSent } from "./Schemas.ts"

const send = HttpApiEndpoint.post("send", "/voice", { payload: SendVoice, success: VoiceSent, error: sendErrors })

const get = HttpApiEndpoint.get("get", "/voice/:uuid/vdr", {
  params: { uuid: Schema.String },
  success: Vdr,
  error: NotFound
})

const list = HttpApiEndpoint.post("list", "/voice/vdr", {
  payload: ListBody,
  success: Envelope(Vdr),
  error: [BadRequest, TooManyRequests]
})

const report = HttpApiEndpoint.post("report", "/voice/webhook", {
  payload: ReportVoice,
  success: VoiceReported,
  error: [BadRequest, NotFound, Conflict]
})

export class VoiceGroup extends HttpApiGroup.make("voice")
  .add(
    send.annotateMerge(Access.send("voice:send")),
    get.annotateMerge(Access.use("voice:read")),
    list.annotateMerge(Access.use("voice:read")),
    report.annotateMerge(Access.report("voice:report"))
  )
  .middleware(Access.Authorization)
  .middleware(Access.ErrorEnvelope) {}
