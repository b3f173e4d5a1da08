/**
 * A receiver of webhooks that takes everything, and counts them by the path of their endpoint.
 */
import { createServer } from "node:http"

/** The count so far. */
export interface Received {
  readonly events: number
}

const counts = new Map<string, number>()

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const path = (request.url ?? "").slice(1)
    counts.set(path, (counts.get(path) ?? 0) + 1)
    response.writeHead(204).end()
  })
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.(typeof address === "object" && address !== null ? address.port : 0)
})
process.on("message", ({ about }: { readonly about: string }) =>
  process.send?.({ events: counts.get(about) ?? 0 } satisfies Received)
)
process.once("disconnect", () => process.exit())
