import * as MemoryStore from "@watchword/store/MemoryStore"
import { type Watchword, createWatchword } from "watchword"

export interface Running {
  readonly service: Watchword
  readonly account: string
  readonly key: string
  readonly readKey: string
}

/** A service with one account and two sandbox keys. */
export const startService = async (): Promise<Running> => {
  const service = await createWatchword({ store: MemoryStore.layer })
  const account = await service.operator.createAccount({ name: "Acme", caller: "+4930901820123" })
  const { key } = await service.operator.createKey({ account, sandbox: true })
  const readKey = await service.operator.createKey({ account, sandbox: true, scopes: ["sms:read"] })
  return { service, account, key, readKey: readKey.key }
}
