/**
 * Options that `delivery` and `verification` share, and the details of a request.
 */
import { getIP } from "better-auth/api"
import type { PhoneNumberOptions } from "better-auth/plugins"
import type { Account, Start } from "./verifications.ts"

/** The context of a request, as better-auth passes it to callbacks. */
export type Context = Parameters<PhoneNumberOptions["sendOTP"]>[1]

/** Callbacks of the plugin, all of them required. */
export type Callbacks<Names extends keyof PhoneNumberOptions> = {
  readonly [Name in Names]: NonNullable<PhoneNumberOptions[Name]>
}

/** A number, and the reason for its code: to prove or sign in with the number, or to reset a password. */
export interface Recipient {
  readonly phoneNumber: string
  readonly purpose: Purpose
}

export type Purpose = "phone_number" | "password_reset"

/** How a code is sent: workflow, template, locale and any other start options. */
export type StartOptions = Omit<Start, "to" | "default_country" | "purpose" | "code" | "replace">

export type Options<Caller> = Account<Caller> & {
  /** How codes are sent; a function decides for each request. Defaults to the account's settings. */
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

/** The address of the user's device, which guards count by, as better-auth determines it for its own limits. */
const addressOf = (context: Context): Pick<Start, "client_ip"> => {
  const from = context?.request ?? context?.headers
  const address = from === undefined || context === undefined ? null : getIP(from, context.context.options)
  return address === null ? {} : { client_ip: address }
}
