/**
 * A receiver of webhooks that takes everything.
 */
import { createServer } from "node:http"

const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(204).end())
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.(typeof address === "object" && address !== null ? address.port : 0)
})
process.once("disconnect", () => process.exit())
