/**
 * APIs over HTTP for tests and development: the Telegram Gateway, the WhatsApp Cloud API, and providers of SMS. Any
 * client sends by them, and a script says how calls are answered and which reports follow, signed as by the platforms.
 * They listen on 127.0.0.1.
 *
 * @example
 * ```ts
 * import { telegramApi, telegramError } from "@watchword/sandbox/http"
 *
 * const platform = await telegramApi({
 *   token: "token",
 *   script: {
 *     // One number has no account, and messages to the others are read after half a second.
 *     hasAccount: (to) => to !== "+4915123456789",
 *     reports: () => [{ delivery: "delivered" }, { after: 500, delivery: "read" }]
 *   }
 * })
 * // The next call is throttled, the one after it gets no answer.
 * platform.once(telegramError("FLOOD_WAIT_5"), "silence")
 * console.log(platform.url()) // http://127.0.0.1:…
 * await platform.stop()
 * ```
 */
import { type Dialect, SmsApi, type SmsApiOptions } from "./internal/http/SmsApi.ts"
import { TelegramApi, type TelegramOptions } from "./internal/http/Telegram.ts"
import { type TwilioCredentials, twilioDialect } from "./internal/http/Twilio.ts"
import { type VonageCredentials, vonageDialect } from "./internal/http/Vonage.ts"
import { WhatsAppApi, type WhatsAppOptions } from "./internal/http/WhatsApp.ts"

export type { Post } from "./internal/http/Api.ts"
export type { Answer, Answering, ApiOptions, Call, Reply, Script, Timed } from "./internal/http/Script.ts"
export type { ApiReceipt, ApiText, Dialect, SmsApi, SmsApiOptions, SmsApiScript } from "./internal/http/SmsApi.ts"
export {
  type Forged,
  type TelegramApi,
  type TelegramOptions,
  type TelegramReport,
  type TelegramRequest,
  type TelegramScript,
  telegramError
} from "./internal/http/Telegram.ts"
export { type TwilioCredentials, twilioDialect, twilioError, twilioSignature } from "./internal/http/Twilio.ts"
export { type VonageCredentials, vonageDialect, vonageError, vonageToken } from "./internal/http/Vonage.ts"
export {
  type WhatsAppApi,
  type WhatsAppMessage,
  type WhatsAppOptions,
  type WhatsAppReport,
  type WhatsAppScript,
  type WhatsAppText,
  whatsAppError,
  whatsAppNotification,
  whatsAppTaken,
  whatsAppText
} from "./internal/http/WhatsApp.ts"

/** Starts a Telegram Gateway. It stops by `stop`, or with the block that has it by `await using`. */
export const telegramApi = (options: TelegramOptions = {}): Promise<TelegramApi> => started(new TelegramApi(options))

/**
 * Starts a WhatsApp Cloud API. Its reports go to `callbackUrl`, as the platform's go to the address that its app has.
 */
export const whatsAppApi = (options: WhatsAppOptions = {}): Promise<WhatsAppApi> => started(new WhatsAppApi(options))

/** Starts Twilio's API for messages. */
export const twilioApi = (options: SmsApiOptions & TwilioCredentials): Promise<SmsApi> =>
  started(new SmsApi(twilioDialect(options), options))

/** Starts Vonage's Messages API. */
export const vonageApi = (options: SmsApiOptions & VonageCredentials): Promise<SmsApi> =>
  started(new SmsApi(vonageDialect(options), options))

/** Starts the API of any other provider of SMS, by how it speaks. */
export const smsApi = (options: SmsApiOptions & { readonly dialect: Dialect }): Promise<SmsApi> =>
  started(new SmsApi(options.dialect, options))

const started = async <A extends { readonly listen: () => Promise<void> }>(api: A): Promise<A> => {
  await api.listen()
  return api
}
