/**
 * A proxy that rewrites paths.
 */
import { once } from "node:events"
import { createServer, request } from "node:http"

/** A proxy that removes `/x/y` from the paths of requests that it forwards. */
export const proxied = async (origin: string) => {
  const proxy = createServer((asked, answer) => {
    const { headers, method, url = "/" } = asked
    const onward = request(origin + url.replace(/^\/x\/y/, ""), { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(answer)
    })
    answer.on("close", () => onward.destroy())
    onward.on("error", () => answer.destroy())
    asked.pipe(onward)
  }).listen(0, "127.0.0.1")
  await once(proxy, "listening")
  const address = proxy.address()
  if (address === null || typeof address === "string") throw new Error("the proxy has no address")
  const close = (): void => {
    proxy.close()
    proxy.closeAllConnections()
  }
  return { origin: `http://127.0.0.1:${address.port}`, close }
}
