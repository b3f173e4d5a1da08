/**
 * What both ways take, and what is known of a request.
 */
import { getIP } from "better-auth/api"
import type { PhoneNumberOptions } from "better-auth/plugins"
import type { Account, Start } from "./verifications.ts"

/** The context of a request, as better-auth gives it to callbacks. */
export type Context = Parameters<PhoneNumberOptions["sendOTP"]>[1]

/** Callbacks of the plugin, none of which is left out. */
export type Callbacks<Names extends keyof PhoneNumberOptions> = {
  readonly [Name in Names]: NonNullable<PhoneNumberOptions[Name]>
}

/** A number, and why a code goes to it: to prove or sign in by a phone number, or to reset a password. */
export interface Recipient {
  readonly phoneNumber: string
  readonly purpose: Purpose
}

export type Purpose = "phone_number" | "password_reset"

/** How a code is sent: workflow, template, locale and whatever else a start takes. */
export type StartOptions = Omit<Start, "to" | "default_country" | "purpose" | "code" | "replace">

export type Options<Caller> = Account<Caller> & {
  /** How codes are sent; a function decides by the request. By default the account's own. */
  readonly start?: StartOptions | ((recipient: Recipient, context: Context) => StartOptions | Promise<StartOptions>)
}

/** The start of a verification for a request. */
export const startOf = async <Caller>(
  { start = {} }: Pick<Options<Caller>, "start">,
  recipient: Recipient,
  context: Context
): Promise<Start> => ({
  ...addressOf(context),
  ...(typeof start === "function" ? await start(recipient, context) : start),
  to: recipient.phoneNumber,
  purpose: recipient.purpose
})

/** The address of the user's device, by which guards count, as better-auth finds it for its own limits. */
const addressOf = (context: Context): Pick<Start, "client_ip"> => {
  const from = context?.request ?? context?.headers
  const address = from === undefined || context === undefined ? null : getIP(from, context.context.options)
  return address === null ? {} : { client_ip: address }
}
