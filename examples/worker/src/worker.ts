/**
 * The interface under `/v1`, and what its operator needs under `/operator`.
 */
import { whatsapp } from "@watchword/bizchat/whatsapp"
import { telegram } from "@watchword/chatgw/telegram"
import { type ExecutionContext, watchword } from "@watchword/cloudflare-workers"
import { twilio } from "@watchword/sms/http"
import { type D1Database, d1 } from "@watchword/store-d1"
import { operatorOf } from "watchword"
import { operate } from "./operator.ts"

/** The bindings of wrangler.jsonc, and its secrets. A channel whose secrets are missing works in the sandbox only. */
export interface Env {
  readonly DB: D1Database
  readonly OPERATOR_TOKEN?: string
  /** 32 characters or more, of which the codes of verifications are made. */
  readonly VERIFY_SECRET?: string
  readonly TWILIO_ACCOUNT_SID?: string
  readonly TWILIO_AUTH_TOKEN?: string
  /** Another address of Twilio's API, such as that of a simulator. */
  readonly TWILIO_URL?: string
  /** How providers reach this Worker, `https://…` without a path: receipts of texts are posted there. */
  readonly PUBLIC_URL?: string
  readonly CHATGW_TOKEN?: string
  readonly BIZCHAT_TOKEN?: string
  readonly BIZCHAT_PHONE_NUMBER_ID?: string
  readonly BIZCHAT_APP_SECRET?: string
}

const worker = watchword(
  (env: Env) => ({
    store: d1(env.DB),
    ...(env.PUBLIC_URL ? { publicUrl: `${env.PUBLIC_URL}/v1` } : {}),
    ...(env.VERIFY_SECRET ? { secret: env.VERIFY_SECRET } : {}),
    ...(env.TWILIO_ACCOUNT_SID && env.TWILIO_AUTH_TOKEN
      ? {
          sms: twilio({
            accountSid: env.TWILIO_ACCOUNT_SID,
            authToken: env.TWILIO_AUTH_TOKEN,
            baseUrl: env.TWILIO_URL
          })
        }
      : {}),
    ...(env.CHATGW_TOKEN ? { chatgw: telegram({ token: env.CHATGW_TOKEN }) } : {}),
    ...(env.BIZCHAT_TOKEN && env.BIZCHAT_PHONE_NUMBER_ID
      ? {
          bizchat: whatsapp({
            token: env.BIZCHAT_TOKEN,
            phoneNumberId: env.BIZCHAT_PHONE_NUMBER_ID,
            ...(env.BIZCHAT_APP_SECRET ? { appSecret: env.BIZCHAT_APP_SECRET } : {})
          })
        }
      : {})
  }),
  { basePath: "/v1", trustConnectingIp: true }
)

export default {
  fetch: (request: Request, env: Env, context: ExecutionContext): Promise<Response> =>
    new URL(request.url).pathname.startsWith("/operator/")
      ? operate(request, env.OPERATOR_TOKEN, operatorOf(worker.service(env, context)))
      : worker.fetch(request, env, context),
  scheduled: worker.scheduled
}
