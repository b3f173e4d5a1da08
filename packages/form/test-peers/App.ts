/**
 * An app with the form: the handler's own page, a page of the app's with the element, and one with React.
 */
import { type Server, createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { type Approval, type Options, nodeListener } from "@watchword/form/handler"
import { build } from "esbuild"
import { type Service, handlerOf, start } from "../test/service.ts"

/** The policy of the app's own pages. */
const POLICY = "default-src 'self'; style-src 'self'"

export interface App {
  readonly origin: string
  readonly world: Service
  /** Numbers that the server has heard of as approved, with their sessions. */
  readonly approved: Array<string>
  /** Ends every session, or lets them be again. */
  readonly sessions: { areOver: boolean }
  /** Has requests find no server, or one again. */
  readonly route: { isDown: boolean }
  readonly stop: () => Promise<void>
}

export const startApp = async (options: Partial<Options> = {}, of: Parameters<typeof start>[0] = {}): Promise<App> => {
  const world = await start({ perAddress: 1_000, ...of })
  const approved: Array<string> = []
  const [sessions, route] = [{ areOver: false }, { isDown: false }]
  const form = nodeListener(
    handlerOf(world, {
      country: "DE",
      session: () => (sessions.areOver ? null : "one"),
      onApproved: ({ session, to }: Approval) => void approved.push(`${session} ${to}`),
      ...options
    })
  )
  const script = await react()
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1")
    const lang = searchParams.get("lang") ?? "en"
    const html = (body: string) => {
      response.setHeader("content-security-policy", POLICY)
      response.setHeader("content-type", "text/html; charset=utf-8")
      response.end(`<!doctype html><html lang="${lang}"><meta name="viewport" content="width=device-width">
<title>Shop</title><link rel="stylesheet" href="/app.css"><main><h1>Shop</h1>${body}</main></html>`)
    }
    if (route.isDown) return void request.socket.destroy()
    if (pathname === "/phone") return form(request, response)
    if (pathname === "/app.css") {
      response.setHeader("content-type", "text/css")
      const own = searchParams.has("own")
        ? "watchword-form{--watchword-accent:#0a0}watchword-form::part(button){border-radius:0}"
        : ""
      return void response.end(`:root{color-scheme:light dark;font-family:system-ui}${own}`)
    }
    if (pathname === "/app") {
      const style = searchParams.has("own") ? '<link rel="stylesheet" href="/app.css?own">' : ""
      return html(
        `${style}<watchword-form action="/phone"></watchword-form><script type="module" src="/phone?asset=form.js"></script>`
      )
    }
    if (pathname === "/react") return html('<div id="root"></div><script type="module" src="/react.js"></script>')
    if (pathname === "/react.js") {
      response.setHeader("content-type", "text/javascript")
      return void response.end(script)
    }
    response.statusCode = pathname === "/favicon.ico" ? 204 : 404
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address: AddressInfo | string | null = server.address()
  const port = typeof address === "object" ? address?.port : 0
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await world.service.dispose()
  }
  return { origin: `http://127.0.0.1:${port}`, world, approved, sessions, route, stop }
}

/** A page in real React, bundled as an app would: the library of numbers is in it, as there is one file. */
const react = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("reactPage.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    define: { "process.env.NODE_ENV": '"production"' },
    write: false
  })
  return outputFiles[0]?.text ?? ""
}
