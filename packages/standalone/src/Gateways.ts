/**
 * The gateways that the settings name. Their modules are loaded only when they are named.
 */
import * as Option from "effect/Option"
import type { Options } from "watchword"
import type { Settings } from "./settings/Settings.ts"

/** @param carriers the gateways of the setting CARRIERS */
export const load = async (
  { bizchat, chatgw, database, sip, smpp, smsHttp }: Settings,
  carriers: Pick<Options, "call" | "sms">
): Promise<Pick<Options, "call" | "sms" | "chatgw" | "bizchat">> => ({
  ...(Option.isSome(sip)
    ? { call: (await import("@watchword/call/sip")).layer({ ...sip.value, ...bindPatience(database) }) }
    : {}),
  ...(Option.isSome(smpp) ? { sms: (await import("@watchword/sms/smpp")).layer(smpp.value) } : {}),
  ...(Option.isSome(smsHttp) ? { sms: await smsHttp.value.open() } : {}),
  ...carriers,
  ...(Option.isSome(chatgw) ? { chatgw: (await import("@watchword/chatgw/telegram")).telegram(chatgw.value) } : {}),
  ...(Option.isSome(bizchat) ? { bizchat: (await import("@watchword/bizchat/whatsapp")).whatsapp(bizchat.value) } : {})
})

/**
 * After a kill another server of the database has the address until the calls of the dead one are over, 32 s at most.
 */
const bindPatience = ({ _tag }: Settings["database"]) =>
  _tag === "Postgres" ? ({ bindPatience: "45 seconds" } as const) : {}
