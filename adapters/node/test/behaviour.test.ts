import { behaviour } from "@watchword/server/conformance/behaviour"
import * as MemoryStore from "@watchword/store/MemoryStore"
import { createWatchword } from "watchword"
import { serve } from "@watchword/node"

behaviour("node:http", async () => {
  const service = await createWatchword({ store: MemoryStore.layer })
  const account = await service.operator.createAccount({ name: "Acme" })
  const key = await service.operator.createKey({ account, sandbox: true })
  const readKey = await service.operator.createKey({ account, sandbox: true, scopes: ["sms:read"] })
  const serving = await serve({ handle: service.handle, basePath: "/v1", port: 0 })
  return {
    baseUrl: `http://127.0.0.1:${serving.port}/v1`,
    account,
    key: key.key,
    readKey: readKey.key,
    close: () => serving.close().then(service.dispose)
  }
})
