/**
 * The views of a phone's screen.
 */
import type { PhoneMessage } from "@watchword/client"

export type View =
  | { readonly screen: "lock" | "home" | "recents" | "fill" }
  /** The list of texts, or the texts of one sender. */
  | { readonly screen: "sms"; readonly from: string | null }
  | { readonly screen: "chat"; readonly channel: string }

export type Go = (view: View) => void

/** The view in which a message is read. */
export const viewOf = ({ channel, from }: PhoneMessage): View =>
  channel === "sms" ? { screen: "sms", from: from ?? "" } : { screen: "chat", channel }
