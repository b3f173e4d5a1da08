/**
 * The content of a send, as the recipient's phone shows it.
 *
 * Records of the sandbox keep it, and so every process on a store can show the inbox of a sandbox number. Records of
 * live sends never do: their codes and texts go only to the gateway.
 */
import { codeIn } from "@watchword/schemas/Sms"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Delivery, Details } from "@watchword/store/Delivery"
import * as Context from "effect/Context"

export interface Content {
  /** The text; null if the phone shows no text, or the provider words it. */
  readonly text: string | null
  /** The code, if the channel knows it; with null, the text is searched for it. */
  readonly code: string | null
  /** The originator, if the record hides it; by default the record's. */
  readonly from?: string | null
}

/**
 * Receives the content of each send before its gateway is asked, for test kits; null unless given. Read when the
 * pipeline is made.
 */
export const Observer = Context.Reference<((delivery: DeliveryId, content: Content) => void) | null>(
  "@watchword/send/pipeline/Content/Observer",
  { defaultValue: () => null }
)

// Details that no list of a channel names, and no record shows.
const TEXT = "inbox_text"
const CODE = "inbox_code"
const FROM = "inbox_from"

/** The details of a sandbox record that keep the content of its send. */
export const kept = ({ code, from, text }: Content): Details => ({
  [TEXT]: text,
  [CODE]: code ?? (text === null ? null : codeIn(text)),
  ...(from === undefined ? {} : { [FROM]: from })
})

/** The content of a send by its record; null if the record keeps none. */
export const contentOf = ({ details }: Pick<Delivery, "details">): Content | null =>
  details[CODE] === undefined
    ? null
    : { text: textOf(details[TEXT]), code: textOf(details[CODE]), from: textOf(details[FROM]) }

const textOf = (value: Details[string] | undefined): string | null => (typeof value === "string" ? value : null)
