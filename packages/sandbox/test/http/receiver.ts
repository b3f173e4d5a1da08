/**
 * The receiver of an API's reports.
 */
import { text } from "node:stream/consumers"
import { listen } from "../../../../test/provider.ts"

export interface Received {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** @param answers the statuses of the first answers; 200 comes after them */
export const receiver = async (answers: ReadonlyArray<number> = []) => {
  const got: Array<Received> = []
  const server = await listen(async (request, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const status = answers[got.length] ?? 200
    got.push({ url: request.url ?? "", headers, body: await text(request) })
    response.writeHead(status).end()
  })
  return { got, url: `${server.url}/events`, stop: server.close }
}
