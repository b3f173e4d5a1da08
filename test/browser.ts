/**
 * Pages in Chromium, for packages that run in browsers.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { type RequestListener, type Server, createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

/** Serves the page, passes on the JSON that it POSTs to `/told`, and leaves other paths to a listener. */
const createPage = (script: string, told: (json: string) => void, other: RequestListener): Server =>
  createServer((request, response) => {
    switch (request.url) {
      case "/told":
        void text(request).then(told)
        return response.writeHead(204).end()
      case "/page.js":
        return response.writeHead(200, { "content-type": "text/javascript" }).end(script)
      case "/":
        return response
          .writeHead(200, { "content-type": "text/html" })
          .end('<script type="module" src="/page.js"></script>')
      default:
        return other(request, response)
    }
  })

const bundle = async (page: URL): Promise<string> => {
  const build = await rolldown({ input: fileURLToPath(page), platform: "browser", logLevel: "silent" })
  const { output } = await build.generate({ format: "esm" })
  await build.close()
  return output[0].code
}

const notFound: RequestListener = (_, response) => response.writeHead(404).end()

/**
 * Opens a page in a browser of its own and waits for the JSON that it POSTs to `/told`; rejects with the browser's
 * output if the browser exits first.
 *
 * @param page the page's script, which is bundled
 * @param other answers the page's other requests to its origin
 */
export const visit = async (page: URL, other: RequestListener = notFound): Promise<string> => {
  const told = Promise.withResolvers<string>()
  const server = createPage(await bundle(page), told.resolve, other).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the page has no address")

  const profile = await mkdtemp(join(tmpdir(), "watchword-chromium-"))
  // Root cannot use Chromium's sandbox, and the page is ours. With a debugging port, Chromium runs until it is killed.
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-port=0"]
  const url = `http://127.0.0.1:${address.port}/`
  const child = spawn("chromium", [...flags, `--user-data-dir=${profile}`, url], {
    stdio: ["ignore", "ignore", "pipe"]
  })
  let printed = ""
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  const fail = (what: string) => told.reject(new Error(`${what}: ${printed}`))
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve())
    child.once("error", () => resolve())
  })
  void ended.then(() => fail("the browser ended before the page did"))
  AbortSignal.timeout(45_000).addEventListener("abort", () => fail("the page said nothing"))
  try {
    return await told.promise
  } finally {
    child.kill()
    await ended
    server.close()
    server.closeAllConnections()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}
