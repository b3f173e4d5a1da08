/**
 * The sandbox: the inbox of its numbers.
 */
import { Inbox, InboxQuery } from "@watchword/schemas/internal/Inbox"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Access from "../Access.ts"
import { Authorization, ErrorEnvelope } from "../Authorization.ts"
import { BadRequest, TooManyRequests } from "../Errors.ts"
import { describeParameters } from "./Parameters.ts"

const inbox = HttpApiEndpoint.get("inbox", "/sandbox/inbox", {
  query: InboxQuery,
  success: Inbox,
  error: [BadRequest, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Read the inbox of the sandbox",
    description:
      "Reads what the phones of sandbox numbers would have shown, newest first: texts, codes and callers. With `wait`, a " +
      "request that finds none is answered once one is there, or after so many seconds. For sandbox keys alone: a live key is " +
      "answered 403."
  })
)

const clear = HttpApiEndpoint.delete("clear", "/sandbox/inbox").annotateMerge(
  OpenApi.annotations({
    summary: "Clear the inbox of the sandbox",
    description: "Leaves out of the inbox what was sent before. Records stay as they are. For sandbox keys alone."
  })
)

export class SandboxGroup extends HttpApiGroup.make("sandbox")
  .add(
    inbox.annotateMerge(describeParameters(InboxQuery, Access.use("sandbox:read"))),
    clear.annotateMerge(Access.change("sandbox:read"))
  )
  .middleware(Authorization)
  .middleware(ErrorEnvelope)
  .annotateMerge(OpenApi.annotations({ title: "Sandbox", description: "What a sandbox key would have sent." })) {}
