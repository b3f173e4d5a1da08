/**
 * What a phone's screen can show.
 */
import type { PhoneMessage } from "@watchword/client"

export type View =
  | { readonly screen: "lock" | "home" | "recents" | "fill" }
  /** The list of texts, or those of one sender. */
  | { readonly screen: "sms"; readonly from: string | null }
  | { readonly screen: "chat"; readonly channel: string }

export type Go = (view: View) => void

/** Where a message is read. */
export const viewOf = ({ channel, from }: PhoneMessage): View =>
  channel === "sms" ? { screen: "sms", from: from ?? "" } : { screen: "chat", channel }
