/**
 * A service that ends with the block that it is used in.
 */
import { type SmsSent, type Watchword, WatchwordError, createWatchword, memory } from "watchword"

const inBlock = async (): Promise<readonly [Watchword, SmsSent]> => {
  await using service = await createWatchword({ store: memory() })
  const { account_id: account } = await service.operator.account.create()
  return [service, await service.sms.send({ account, sandbox: true }, { to: "+4915123456789", text: "Hello" })]
}

const [service, { messageId }] = await inBlock()
const error: unknown = await service.sms.get("acc_01KAJ3T8ZZ0000000000000000", messageId).catch((reason) => reason)
if (!(error instanceof WatchwordError) || error.code !== "SERVICE_UNAVAILABLE") throw new Error(String(error))
