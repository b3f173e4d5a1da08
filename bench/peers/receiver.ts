/**
 * A receiver of webhooks that takes everything, after `ANSWER_AFTER` milliseconds if that is set, and counts them by
 * the path of their endpoint. Where `STATUS` is set it answers with that status and takes nothing.
 */
import { createServer } from "node:http"

/** The count so far. */
export interface Received {
  readonly events: number
}

const ANSWER_AFTER = Number(process.env["ANSWER_AFTER"] ?? 0)
const STATUS = Number(process.env["STATUS"] ?? 204)

const counts = new Map<string, number>()

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const path = (request.url ?? "").slice(1)
    const answer = (): void => {
      if (STATUS < 300) counts.set(path, (counts.get(path) ?? 0) + 1)
      response.writeHead(STATUS).end()
    }
    if (ANSWER_AFTER === 0) answer()
    else setTimeout(answer, ANSWER_AFTER)
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
