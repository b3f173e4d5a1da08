/** Kits that end with the test that started them. */
import { type ChannelName, type Kit, type Options, startWatchword } from "@watchword/testing"
import { onTestFinished } from "vitest"

export const start = async (options: Options = {}): Promise<Kit> => {
  const kit = await startWatchword(options)
  onTestFinished(kit.dispose)
  return kit
}

export const to = "+4915123456789"
export const other = "+4915123456780"
export const code = "471199"

/** Sends a message by a channel: 200, or the status of the error that the app sees. */
export const send = async ({ account, service }: Kit, channel: ChannelName, number = to): Promise<number> => {
  const text = `Your code is ${code}.`
  const sends = {
    sms: () => service.sms.send(account, { to: number, text }),
    chatgw: () => service.chatgw.send(account, { to: number, code, ttl: 300 }),
    bizchat: () => service.bizchat.send(account, { to: number, text }),
    call: () => service.call.flash(account, { callee: number, max_ring_time: 20 })
  }
  return sends[channel]().then(
    () => 200,
    ({ status }) => status
  )
}

/** The statuses of a channel's records, newest first. Of calls these are the causes of their ends. */
export const records = async (
  { account, service }: Kit,
  channel: ChannelName
): Promise<ReadonlyArray<string | null>> => {
  switch (channel) {
    case "sms":
      return (await service.sms.list(account)).list.map(({ status }) => status)
    case "chatgw":
      return (await service.chatgw.list(account)).list.map(({ delivery_status }) => delivery_status)
    case "bizchat":
      return (await service.bizchat.list(account)).list.map(({ status }) => status.toLowerCase())
    case "call":
      return (await service.call.list(account)).list.map(({ hangup_cause }) => hangup_cause)
  }
}

/** How a send of five cents changed a balance of a hundred euros: charged, held, or not at all. */
export const money = async ({ account, service }: Kit): Promise<string> => {
  const { balance, held } = await service.operator.account.show({ account_id: account })
  if (held > 0) return `${held} held of ${balance}`
  return `${Math.round((100 - balance) * 100) / 100} charged`
}
