/** A Worker with only the chat channels, to measure its size. */
import { whatsapp } from "@watchword/bizchat/whatsapp"
import { telegram } from "@watchword/chatgw/telegram"
import { watchword } from "@watchword/cloudflare-workers"
import { type D1Database, d1 } from "@watchword/store-d1"

interface Env {
  readonly DB: D1Database
  readonly CHATGW_TOKEN: string
  readonly BIZCHAT_TOKEN: string
  readonly BIZCHAT_PHONE_NUMBER_ID: string
}

export default watchword((env: Env) => ({
  store: d1(env.DB),
  chatgw: telegram({ token: env.CHATGW_TOKEN }),
  bizchat: whatsapp({ token: env.BIZCHAT_TOKEN, phoneNumberId: env.BIZCHAT_PHONE_NUMBER_ID })
}))
