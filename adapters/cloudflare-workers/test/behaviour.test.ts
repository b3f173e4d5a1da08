import { describeMount } from "../../../test/hosts.ts"
import { open } from "./workerd.ts"

// The fetch standard normalises paths, and knows no status beyond 599.
describeMount("a Cloudflare Worker", { rawPaths: false, statusBeyond599: false }, async () => {
  const { origin, ...worker } = await open()
  return { ...worker, baseUrl: `${origin}/v1` }
})
