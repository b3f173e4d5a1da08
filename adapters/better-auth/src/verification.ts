/**
 * Verifications instead of better-auth's own codes: the service makes the code, sends it over the channels and counts
 * the guesses.
 */
import { apiError, checkError, sendError } from "./errors.ts"
import { type Callbacks, type Context, type Options, type Purpose, startOf } from "./options.ts"
import { of } from "./verifications.ts"

/**
 * Makes `sendOTP`, `verifyOTP` and `sendPasswordResetOTP` of the phone-number plugin.
 *
 * `sendOTP` starts a verification, or sends its code again while one is pending: the same code, so that better-auth's
 * `otpLength`, `expiresIn` and `allowedAttempts` mean nothing here; `start` has `code_length`, `ttl` and `max_checks`.
 * A sign-in code cannot reset a password, or the other way around: each has its own purpose.
 *
 * Errors are better-auth's: `INVALID_OTP`, `OTP_EXPIRED`, `OTP_NOT_FOUND`, `INVALID_PHONE_NUMBER` (400),
 * `TOO_MANY_ATTEMPTS` (403); in addition `PHONE_NUMBER_REFUSED` (403), `OTP_SENT_RECENTLY` with `retry-after`,
 * `TOO_MANY_OTPS` (429), `OTP_NOT_SENT` and `OTP_NOT_CHECKED` (503), whose cause is in better-auth's log.
 *
 * @example
 * ```ts
 * import { verification } from "@watchword/better-auth"
 * import { betterAuth } from "better-auth"
 * import { phoneNumber } from "better-auth/plugins"
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const { account_id: account } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
 * export const auth = betterAuth({
 *   secret: "0123456789abcdef0123456789abcdef",
 *   baseURL: "http://127.0.0.1:3000",
 *   plugins: [phoneNumber(verification({ service, caller: { account, sandbox: true }, start: { locale: "de" } }))]
 * })
 * await service.dispose()
 * ```
 */
export const verification = <Caller>(
  options: Options<Caller>
): Callbacks<"sendOTP" | "sendPasswordResetOTP" | "verifyOTP"> => {
  const verifications = of(options)

  const send = async (phoneNumber: string, purpose: Purpose, context: Context): Promise<void> => {
    try {
      await verifications.start(await startOf(options, { phoneNumber, purpose }, context))
    } catch (error) {
      throw sendError(error, context)
    }
  }

  return {
    sendOTP: ({ phoneNumber }, context) => send(phoneNumber, "phone_number", context),
    sendPasswordResetOTP: ({ phoneNumber }, context) => send(phoneNumber, "password_reset", context),
    verifyOTP: async ({ code, phoneNumber }, context) => {
      const purpose = context?.path === RESET ? "password_reset" : "phone_number"
      const { status, valid } = await verifications
        .check({ to: phoneNumber, purpose }, { code })
        .catch((error: unknown) => wrongOr(checkError(error, context)))
      if (status === "expired") throw apiError("OTP_EXPIRED")
      if (status === "canceled" || status === "blocked") throw apiError("OTP_NOT_FOUND")
      // better-auth itself answers a wrong code, even if it was the last guess.
      return valid
    }
  }
}

/** The answer to a code that does not have 4 to 10 digits; other errors are thrown. */
const wrongOr = (error: Error | null) => {
  if (error !== null) throw error
  return { status: "pending", valid: false } as const
}

/** The plugin has one `verifyOTP` for both of its endpoints. */
const RESET = "/phone-number/reset-password"
