import { behaviour } from "@watchword/server/conformance/behaviour"
import { open } from "./workerd.ts"

behaviour("a Cloudflare Worker", async () => {
  const { account, close, key, origin, readKey } = await open()
  // The fetch standard normalises paths, and knows no status beyond 599.
  const host = { rawPaths: false, statusBeyond599: false }
  return { baseUrl: `${origin}/v1`, account, key, readKey, host, close }
})
