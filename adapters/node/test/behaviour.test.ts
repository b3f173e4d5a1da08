import { serve } from "@watchword/node"
import { describeHost, startService } from "../../../test/hosts.ts"

describeHost("node:http", {}, async () => {
  const { service, ...target } = await startService()
  const serving = await serve(service, { basePath: "/v1", port: 0 })
  return {
    ...target,
    baseUrl: `http://127.0.0.1:${serving.port}/v1`,
    close: () => serving.close().then(service.dispose)
  }
})
