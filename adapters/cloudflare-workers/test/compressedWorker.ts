/** A Worker whose handler answers with a body that is compressed already. */
import { watchword } from "@watchword/fetch"

const compressed = async (text: string): Promise<Uint8Array> => {
  const body = new Response(text).body?.pipeThrough(new CompressionStream("gzip"))
  return new Uint8Array(await new Response(body).arrayBuffer())
}

export default {
  fetch: watchword({
    handle: async () => ({
      status: 200,
      headers: { "content-type": "text/plain", "content-encoding": "gzip" },
      body: await compressed("a page")
    })
  })
}
