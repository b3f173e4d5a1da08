/**
 * The sandbox: the inbox of its numbers, and its phones.
 */
import {
  Inbox,
  InboxQuery,
  Phone,
  PhoneActed,
  PhoneCall,
  PhoneEvents,
  PhoneEventsQuery,
  PhoneMessage,
  PhoneQuery,
  Phones,
  PostCallEvent,
  PostMessageEvent,
  PostPhoneCall,
  PostPhoneLogin,
  PostPhoneText,
  SetPhone
} from "@watchword/schemas/SandboxPhone"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Access from "../Access.ts"
import { BadRequest, Conflict, NotFound, TooManyRequests } from "../Errors.ts"
import * as Endpoints from "../internal/Endpoints.ts"
import { describeStream } from "../internal/EventStreams.ts"
import { describeParameters } from "../internal/Parameters.ts"

const inbox = HttpApiEndpoint.get("inbox", "/sandbox/inbox", {
  query: InboxQuery,
  success: Inbox,
  error: [BadRequest, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Read the inbox of the sandbox",
    description:
      "Reads the messages that sandbox phones would have shown, newest first: texts, codes and callers. With `wait`, a " +
      "request that finds no message waits for one, at most that number of seconds. For sandbox keys only: a live key is " +
      "answered 403."
  })
)

const clear = HttpApiEndpoint.delete("clear", "/sandbox/inbox").annotateMerge(
  OpenApi.annotations({
    summary: "Clear the inbox of the sandbox",
    description: "Hides earlier messages from the inbox. Records stay as they are. For sandbox keys only."
  })
)

const number = Endpoints.parameter(
  "The number of the phone, in E.164 with the plus sign, or with `default_country` as people type it."
)

const phones = HttpApiEndpoint.get("phones", "/sandbox/phones", { success: Phones }).annotateMerge(
  OpenApi.annotations({
    summary: "List the phones of the sandbox",
    description:
      "Lists the phones of the account. A number without a phone follows its last four digits. For sandbox keys only: a live key " +
      "is answered 403."
  })
)

const phone = HttpApiEndpoint.get("phone", "/sandbox/phones/:number", {
  params: { number },
  query: PhoneQuery,
  success: Phone,
  error: [BadRequest, NotFound]
}).annotateMerge(
  OpenApi.annotations({ summary: "Look up a phone", description: "Looks up a phone. For sandbox keys only." })
)

const setPhone = HttpApiEndpoint.put("setPhone", "/sandbox/phones/:number", {
  params: { number },
  payload: SetPhone,
  success: Phone,
  error: BadRequest
}).annotateMerge(
  OpenApi.annotations({
    summary: "Set a phone",
    description:
      "Sets how a number's phone answers, from the next send on and within a second in all processes. Waiting messages follow " +
      "the new setting: when a phone is no longer `offline`, its messages arrive together. The last digits 0402, 0403, 0404 and " +
      "0429, which refuse a message before it is sent, still apply. At most 100 phones per account. For sandbox keys only."
  })
)

const removePhone = HttpApiEndpoint.delete("removePhone", "/sandbox/phones/:number", {
  params: { number },
  query: PhoneQuery,
  error: BadRequest
}).annotateMerge(
  OpenApi.annotations({
    summary: "Remove a phone",
    description:
      "Removes a phone, if there is one: the number follows its last four digits again, and messages that were waiting " +
      "arrive. For sandbox keys only."
  })
)

const messageEvent = HttpApiEndpoint.post("messageEvent", "/sandbox/messages/:id/events", {
  params: { id: Endpoints.uuid },
  payload: PostMessageEvent,
  success: PhoneMessage,
  error: [BadRequest, NotFound, Conflict]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Report an event of a message",
    description:
      "Reports a text or a chat as delivered, read or failed, as its carrier would. A message that has ended is a conflict, " +
      "and so is a message that its carrier holds, except for a failure. For sandbox keys only."
  })
)

const callEvent = HttpApiEndpoint.post("callEvent", "/sandbox/calls/:id/events", {
  params: { id: Endpoints.uuid },
  payload: PostCallEvent,
  success: PhoneCall,
  error: [BadRequest, NotFound, Conflict]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Have something happen to a call",
    description:
      "Has a call that rings answered, declined or dropped by the network. A call that does not ring is a conflict. Only " +
      "for sandbox keys."
  })
)

const writeText = HttpApiEndpoint.post("writeText", "/sandbox/phones/:number/texts", {
  params: { number },
  payload: PostPhoneText,
  success: PhoneActed,
  error: [BadRequest, Conflict]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Write a text from a phone",
    description:
      "Has the user of a phone write to a number of the service, with a text as a verification has it in `present`. The answer says " +
      "what became of it. A number without a phone can write, too. For sandbox keys only."
  })
)

const placeCall = HttpApiEndpoint.post("placeCall", "/sandbox/phones/:number/calls", {
  params: { number },
  payload: PostPhoneCall,
  success: PhoneActed,
  error: [BadRequest, Conflict]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Call from a phone",
    description:
      "Has the user of a phone call a number of the service, which rejects the call. The answer says what became of it. For " +
      "sandbox keys only."
  })
)

const logIn = HttpApiEndpoint.post("logIn", "/sandbox/phones/:number/logins", {
  params: { number },
  payload: PostPhoneLogin,
  success: PhoneActed,
  error: [BadRequest, NotFound, Conflict]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Sign in from a phone",
    description:
      "Has the user of a phone sign in at the provider to which the link of a verification leads, with the phone's number. A " +
      "verification that does not wait for it is a conflict. For sandbox keys only."
  })
)

const phoneEvents = HttpApiEndpoint.get("phoneEvents", "/sandbox/phones/events", {
  query: PhoneEventsQuery,
  success: PhoneEvents,
  error: [BadRequest, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Follow the phones of the sandbox",
    description:
      "All data to draw the phones: phones, messages, calls and verifications of the last day, and after that each that " +
      "changes. With `accept: text/event-stream` the answer is a stream of server-sent events named `phones`, whose data are " +
      "answers of this kind; the header `last-event-id` continues one. Otherwise it is one answer, which with `wait` comes once " +
      "there is news, or after that number of seconds. For sandbox keys only."
  })
)

const EVENT_STREAM =
  "Events named `phones`, whose data are answers of this kind as JSON and whose id is the cursor of each."

export class SandboxGroup extends HttpApiGroup.make("sandbox")
  .add(
    inbox.annotateMerge(describeParameters(InboxQuery, Access.use("sandbox:read"))),
    clear.annotateMerge(Access.change("sandbox:read")),
    phones.annotateMerge(Access.use("sandbox:read")),
    phoneEvents.annotateMerge(
      describeParameters(PhoneEventsQuery, describeStream(EVENT_STREAM, Access.use("sandbox:read")))
    ),
    phone.annotateMerge(Access.use("sandbox:read")),
    setPhone.annotateMerge(Access.use("sandbox:read")),
    removePhone.annotateMerge(Access.use("sandbox:read")),
    messageEvent.annotateMerge(Access.change("sandbox:read")),
    callEvent.annotateMerge(Access.change("sandbox:read")),
    writeText.annotateMerge(Access.change("sandbox:read")),
    placeCall.annotateMerge(Access.change("sandbox:read")),
    logIn.annotateMerge(Access.change("sandbox:read"))
  )
  .middleware(Access.Authorization)
  .middleware(Access.ErrorEnvelope)
  .annotateMerge(
    OpenApi.annotations({ title: "Sandbox", description: "The messages that a sandbox key would have sent." })
  ) {}
