/**
 * The sandbox: the inbox of its numbers.
 */
import { Inbox, InboxQuery } from "@watchword/schemas/Inbox"
import { DeliveryId } from "@watchword/schemas/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Access from "./Access.ts"
import { Authorization, ErrorEnvelope } from "./Authorization.ts"
import { BadRequest, TooManyRequests } from "./Errors.ts"
import { describeParameters } from "./internal/Parameters.ts"

const inbox = HttpApiEndpoint.get("inbox", "/sandbox/inbox", {
  query: InboxQuery,
  success: Inbox.annotate({
    identifier: "Inbox",
    description: "At most 100 messages of the last day, newest first.",
    examples: [
      {
        messages: [
          {
            id: DeliveryId.make("01KAJ3T8ZZ0000000000000000"),
            channel: "sms",
            to: "+4915123456789",
            from: "Watchword",
            text: "Your code is 123456",
            code: "123456",
            at: "2026-01-31T12:00:00.000Z"
          }
        ]
      }
    ]
  }),
  error: [BadRequest, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Read the inbox of the sandbox",
    description:
      "What the phones of sandbox numbers would have shown: texts, codes and callers. `to` and `channel` choose among the " +
      "messages, `after` leaves out a message and those before it. With `wait`, a request that finds none is answered once " +
      "there is one, or after so many seconds, 30 at most. For sandbox keys alone: a live key is answered 403."
  })
)

const describeInbox = describeParameters({
  to: { description: "Only messages to this number.", schema: { type: "string" }, example: "+4915123456789" },
  channel: { description: "Only messages of this channel.", schema: { type: "string" }, example: "sms" },
  after: { description: "Only messages behind the one with this id.", schema: { type: "string" } },
  wait: {
    description: "How many seconds to wait for a first message.",
    schema: { type: "integer", minimum: 0, maximum: 30, default: 0 },
    example: 30
  }
})

const clear = HttpApiEndpoint.delete("clear", "/sandbox/inbox").annotateMerge(
  OpenApi.annotations({
    summary: "Clear the inbox of the sandbox",
    description: "Leaves out of the inbox what was sent before. Records stay as they are. For sandbox keys alone."
  })
)

export class SandboxGroup extends HttpApiGroup.make("sandbox")
  .add(inbox.annotateMerge(describeInbox(Access.use("sandbox:read"))), clear.annotateMerge(Access.use("sandbox:read")))
  .middleware(Authorization)
  .middleware(ErrorEnvelope)
  .annotateMerge(OpenApi.annotations({ title: "Sandbox", description: "What a sandbox key would have sent." })) {}
