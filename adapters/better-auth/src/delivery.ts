/**
 * Delivers better-auth's own codes: better-auth makes, stores and compares them.
 */
import { sendError } from "./errors.ts"
import { type Callbacks, type Context, type Options, type Purpose, startOf } from "./options.ts"
import { of } from "./verifications.ts"

/**
 * Makes `sendOTP` and `sendPasswordResetOTP` of the phone-number plugin, and leaves the comparison to better-auth. Each
 * new code from better-auth replaces the previous one, but no earlier than half a minute after it. `otpLength` must be
 * from 4 to 10.
 *
 * The service does not learn the outcome, so the account must not have pumping rules, which compare sends with approved
 * verifications. Throws the same errors as `verification`.
 *
 * @example
 * ```ts
 * import { delivery } from "@watchword/better-auth"
 * import { phoneNumber } from "better-auth/plugins"
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const { account_id: account } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
 * export const plugin = phoneNumber({ ...delivery({ service, caller: account }), otpLength: 6, expiresIn: 300 })
 * await service.dispose()
 * ```
 */
export const delivery = <Caller>(options: Options<Caller>): Callbacks<"sendOTP" | "sendPasswordResetOTP"> => {
  const verifications = of(options)

  const send = async (phoneNumber: string, code: string, purpose: Purpose, context: Context): Promise<void> => {
    try {
      const start = await startOf(options, { phoneNumber, purpose }, context)
      await verifications.start({ ...start, code, replace: true })
    } catch (error) {
      throw sendError(error, context)
    }
  }

  return {
    sendOTP: ({ code, phoneNumber }, context) => send(phoneNumber, code, "phone_number", context),
    sendPasswordResetOTP: ({ code, phoneNumber }, context) => send(phoneNumber, code, "password_reset", context)
  }
}
