/**
 * Words for the forms in which users act first, and for the results.
 */
import type { PhoneActed, Presented } from "@watchword/client"
import type { IconName } from "../kit/Icon.tsx"

type Form = Presented["by"]

interface Words {
  readonly icon: IconName
  /** The action as a noun. */
  readonly name: string
  /** The instruction, which the number follows if the form has one. */
  readonly asks: string
  /** The button. */
  readonly label: string
}

export const wordsOfForm: Readonly<Record<Form, Words>> = {
  sms: { icon: "sms", name: "Text from the user", asks: "Send this text to", label: "Send the text" },
  call: { icon: "call", name: "Call from the user", asks: "Call, and get the busy tone:", label: "Call" },
  bizchat: { icon: "bizchat", name: "Chat from the user", asks: "Send this in WhatsApp to", label: "Send in WhatsApp" },
  telegram_login: { icon: "chatgw", name: "Sign-in", asks: "Sign in with Telegram", label: "Sign in" }
}

const RESULTS: Readonly<Record<PhoneActed["result"], string>> = {
  approved: "approved",
  replied: "answered with a code to enter",
  other_number: "came from another number: it proves nothing any more",
  not_shared: "came without a number",
  weak: "is less sure than the verification asks for",
  ambiguous: "fits several verifications",
  not_replied: "got no code back: a guard refused it",
  unknown: "is about no verification",
  late: "came too late",
  blocked: "is passed over: too many wrong texts came from this number"
}

/** The result of an action in a few words, behind its name. */
export const resultOf = ({ result }: Pick<PhoneActed, "result">): string => RESULTS[result]
