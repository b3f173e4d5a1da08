/**
 * The actions of sandbox phone users on the wire: they write to a number of the service, call it or sign in.
 */
import * as Schema from "effect/Schema"
import { field, impersonal, named, optional, request } from "../Field.ts"
import { VerificationId } from "../Verification.ts"
import { Assurance, ReceiveForm, ReceivedResult } from "./ReceiveFields.ts"
import { sandboxNumbers } from "./SandboxNumbers.ts"
import { dialledIn } from "./TypedNumbers.ts"

const [smsNumber = ""] = sandboxNumbers.sms
const [callNumber = ""] = sandboxNumbers.call

/** How many characters a text of a phone may have. */
const LONGEST_TEXT = 2_000

const text = `must have 1 to ${LONGEST_TEXT.toLocaleString("en")} characters`

const sender = {
  withheld: optional(
    Schema.Boolean,
    "Whether the number of the phone stays hidden, as that of a WhatsApp user who has a name. False unless given."
  ),
  assurance: optional(
    Assurance,
    "How sure the network is of the number: `account` for a chat and `network` for a text or a call, unless given."
  ),
  default_country: dialledIn
}

/** Body of `POST /sandbox/phones/:number/texts`. */
export const PostPhoneText = request({
  to: impersonal(
    field(
      Schema.String,
      "The number of the service, which a verification has in `present`: its form is `sms` or `bizchat`."
    )
  ),
  text: impersonal(
    field(
      Schema.String.check(
        Schema.isMinLength(1, { message: text }),
        Schema.isMaxLength(LONGEST_TEXT, { message: text })
      ),
      `The text, of at most ${LONGEST_TEXT.toLocaleString("en")} characters.`
    )
  ),
  ...sender
}).annotate({
  identifier: "PostPhoneText",
  description: "A text that the user of a phone writes to the service.",
  examples: [{ to: smsNumber, text: "Verify my number for Acme: 2J7K…" }]
})
export type PostPhoneText = typeof PostPhoneText.Type

/** Body of `POST /sandbox/phones/:number/calls`. */
export const PostPhoneCall = request({
  to: impersonal(field(Schema.String, "The number of the service, which a verification has in `present`.")),
  ...sender
}).annotate({
  identifier: "PostPhoneCall",
  description: "A call from a phone to the service.",
  examples: [{ to: callNumber }]
})
export type PostPhoneCall = typeof PostPhoneCall.Type

/** Body of `POST /sandbox/phones/:number/logins`. */
export const PostPhoneLogin = request({
  verification_id: impersonal(field(VerificationId, "The `id` of the verification whose link the user opens.")),
  withheld: optional(Schema.Boolean, "Whether the user does not share the number. False unless given."),
  default_country: dialledIn
}).annotate({
  identifier: "PostPhoneLogin",
  description: "A sign-in of the phone's user at the provider.",
  examples: [{ verification_id: VerificationId.make("vrf_01KAJ3T8ZZ0000000000000000") }]
})
export type PostPhoneLogin = typeof PostPhoneLogin.Type

/** The result of an action of a phone's user. */
export const PhoneActResult = Schema.Literals([...ReceivedResult.literals, "unknown", "late", "blocked"]).annotate({
  ...named("PhoneActResult"),
  description:
    "As in `received` of the verification; or `unknown`: no verification waits for it; `late`: the verification has ended, or " +
    "does not wait for it any more; `blocked`: too many wrong tokens came from this number."
})
export type PhoneActResult = typeof PhoneActResult.Type

/** The answer to an action of a phone's user. */
export const PhoneActed = Schema.Struct({
  by: field(ReceiveForm, "The form of the action, by the number that it went to."),
  result: field(PhoneActResult, "Its result.")
}).annotate({
  identifier: "PhoneActed",
  description: "The result of an action of a phone's user.",
  examples: [{ by: "sms", result: "approved" }]
})
export type PhoneActed = typeof PhoneActed.Type
