/**
 * A sign-up and, next to it, the phone that gets the code: one process, with everything in memory, in the sandbox.
 */
import { createServer } from "node:http"
import { WatchwordError, createWatchword, memory } from "watchword"

const service = await createWatchword({ store: memory() })
const { account_id: account } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
// To send to real phones: a carrier in createWatchword, a balance for the account, and `account` here.
const caller = { account, sandbox: true }

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost")
  const fields = request.method === "POST" ? new URLSearchParams(await bodyOf(request)) : new URLSearchParams()
  const [status, content] = await answer(pathname, fields).catch((error) => refused(error))
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(await page(content))
})

/** The status, and the left half of the page. */
const answer = async (path, fields) => {
  if (path === "/start" && fields.has("phone")) {
    const { id } = await service.verify.start(caller, { to: fields.get("phone"), default_country: "DE" })
    return [200, codeForm(id)]
  }
  if (path === "/check" && fields.has("id")) {
    const id = fields.get("id")
    const { checks_left, valid } = await service.verify.check(caller, id, { code: fields.get("code") ?? "" })
    if (!valid) return [400, codeForm(id, `That is not the code. ${checks_left} checks left.`)]
    const { to } = await service.verify.get(caller, id)
    return [200, `<p role="status">${escaped(to)} is yours.</p><p><a href="/">Another number</a></p>`]
  }
  return [path === "/" ? 200 : 404, numberForm()]
}

const refused = (error) => {
  if (!(error instanceof WatchwordError)) throw error
  const [issue] = error.issues ?? []
  return [error.status, numberForm(issue === undefined ? error.message : `The number ${issue.message}.`)]
}

const numberForm = (problem = "") => `<form method="post" action="/start">
  <label>Your number <input name="phone" type="tel" autocomplete="tel" value="+49 1512 3456789" required></label>
  <button>Send me a code</button><p role="alert">${escaped(problem)}</p>
</form>`

const codeForm = (id, problem = "") => `<form method="post" action="/check">
  <input name="id" type="hidden" value="${escaped(id)}">
  <label>The code <input name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus></label>
  <button>Check</button><p role="alert">${escaped(problem)}</p>
</form>`

const page = async (content) => {
  const { messages } = await service.sandbox.inbox(caller, {})
  const shown = messages.map(
    ({ channel, code, text, to }) =>
      `<li><b>${escaped(to)}</b> (${escaped(channel)}): ${escaped(text ?? code ?? "")}</li>`
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign up</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { display: flex; flex-wrap: wrap; gap: 2rem; margin: 2rem auto; max-width: 50rem; padding: 0 1rem }
main, aside { flex: 1 1 18rem }
label, input { display: block; font: inherit; margin-bottom: .5rem }
[role=alert]:not(:empty) { color: light-dark(#a8281f, #ff9f94) }
</style>
<main><h1>Sign up</h1>${content}</main>
<aside><h2>The phone</h2><ul>${shown.join("") || "<li>No message yet.</li>"}</ul></aside>
</html>`
}

const bodyOf = async (request) => {
  const pieces = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const escaped = (text) => String(text).replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`The sign-up is at http://localhost:${server.address().port}`)
})
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    server.close(() => void service.dispose())
    server.closeAllConnections()
  })
}
