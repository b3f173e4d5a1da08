/**
 * A server with one JSON route and nothing else, as small as possible: on bare `node:http`, or on Fastify with schemas.
 * It prints its port, and ends with its parent.
 *
 * `node bench/rivals/route.ts node` or `… fastify`
 */
import { type RequestListener, createServer } from "node:http"

const messageId = "0199a1c6-2f00-8000-8000-000000000000"

const listener: RequestListener = (request, response) => {
  if (request.method !== "POST") return response.writeHead(404).end()
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { from = "Watchword", to } = JSON.parse(Buffer.concat(chunks).toString())
    const body = JSON.stringify({ messageId, from, to })
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body)
  })
}

const serveNode = (): void => {
  const server = createServer(listener).listen(0, "127.0.0.1", () => {
    const address = server.address()
    if (address !== null && typeof address !== "string") console.log(`ready ${address.port}`)
  })
}

const serveFastify = async (): Promise<void> => {
  const { fastify } = await import("fastify")
  const app = fastify({ logger: false })
  const text = { type: "string" }
  app.post<{ Body: { readonly to: string; readonly from?: string } }>(
    "/v1/sms",
    {
      schema: {
        body: { type: "object", required: ["to", "text"], properties: { to: text, text, from: text } },
        response: { 200: { type: "object", properties: { messageId: text, from: text, to: text } } }
      }
    },
    async ({ body: { from = "Watchword", to } }) => ({ messageId, from, to })
  )
  await app.listen({ host: "127.0.0.1", port: 0 })
  console.log(`ready ${app.addresses()[0]?.port}`)
}

if (process.argv[2] === "node") serveNode()
else await serveFastify()
