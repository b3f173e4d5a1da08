/**
 * The handler under Node and Express, the controller with a clock of its own, and React on a server.
 */
import { createForm } from "@watchword/form"
import { nodeListener } from "@watchword/form/handler"
import { WatchwordForm } from "@watchword/form/react"
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, createServer } from "node:http"
import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { afterEach, describe, expect, it } from "vitest"
import { handlerOf, start } from "./service.ts"

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const serve = async (listener: RequestListener): Promise<string> => {
  const started = createServer(listener)
  server = started
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve))
  const address = started.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
}

const starting = { action: "start", to: "0151 23456789", country: "DE", language: "en" }

describe("under Node", () => {
  it("a request has its method, path, headers, body and the address of its device", async () => {
    const world = await start({ perAddress: 1 })
    const origin = await serve(nodeListener(handlerOf(world, { session: (request) => request.headers.get("x-user") })))
    const ask = async (user: string, to: string) => {
      const headers = { "content-type": "application/json", "x-user": user }
      const response = await fetch(`${origin}/phone`, {
        method: "POST",
        headers,
        body: JSON.stringify({ ...starting, to })
      })
      return [response.status, (await response.json()).stage]
    }
    expect(await ask("one", "0151 23456781")).toEqual([200, "code"])
    // The second one comes from the same address.
    expect(await ask("two", "0151 23456782")).toEqual([429, "number"])
    await world.service.dispose()
  })

  it.each([
    ["application/json", JSON.stringify(starting), "application/json", 200],
    ["application/x-www-form-urlencoded", new URLSearchParams(starting).toString(), null, 303]
  ])("a body of %s is read that a parser has read before", async (type, body, answered, status) => {
    const world = await start()
    const listener = nodeListener(handlerOf(world, { session: () => "one" }))
    const parsed = async (request: IncomingMessage, response: ServerResponse) => {
      let text = ""
      for await (const chunk of request) text += String(chunk)
      const body: unknown = type.endsWith("json") ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
      listener(Object.assign(request, { body, ip: "192.0.2.7" }), response)
    }
    const origin = await serve((request, response) => void parsed(request, response))
    const response = await fetch(origin, {
      method: "POST",
      headers: { "content-type": type },
      body,
      redirect: "manual"
    })
    expect([response.status, response.headers.get("content-type")]).toEqual([status, answered])
    expect(await world.codeFor("+4915123456789")).toMatch(/^\d{6}$/)
    await world.service.dispose()
  })

  it("a device has the address that Express finds behind its proxies", async () => {
    const world = await start({ perAddress: 1 })
    const listener = nodeListener(handlerOf(world, { session: (request) => request.headers.get("x-user") }))
    const origin = await serve((request, response) => {
      listener(Object.assign(request, { ip: String(request.headers["x-real-ip"]) }), response)
    })
    const ask = async (user: string, ip: string) => {
      const headers = { "content-type": "application/json", "x-user": user, "x-real-ip": ip }
      return (await fetch(origin, { method: "POST", headers, body: JSON.stringify(starting) })).status
    }
    expect([await ask("one", "192.0.2.7"), await ask("two", "192.0.2.8"), await ask("three", "192.0.2.7")]).toEqual([
      200, 200, 429
    ])
    await world.service.dispose()
  })

  it("every cookie of an answer is set, and an answer that fails is 400", async () => {
    const answers = [
      () =>
        new Response("", {
          headers: [
            ["set-cookie", "a=1"],
            ["set-cookie", "b=2"],
            ["x-more", "yes"]
          ]
        }),
      () => {
        throw new Error("no answer")
      }
    ]
    const origin = await serve(nodeListener(async () => answers.shift()?.() ?? new Response()))
    const { headers } = await fetch(origin)
    expect([headers.getSetCookie(), headers.get("x-more")]).toEqual([["a=1", "b=2"], "yes"])
    expect((await fetch(origin)).status).toBe(400)
  })

  it("a body that is too long is not read to its end", async () => {
    const origin = await serve(nodeListener(async (request) => new Response(await request.text())))
    const response = await fetch(origin, { method: "POST", body: "1".repeat(100_000) })
    expect(response.status).toBe(400)
  })
})

describe("a controller", () => {
  const answer = {
    stage: "code",
    sent: {
      id: "vrf_01KAJ3T8ZZ0000000000000000",
      to: { number: "+4915123456789", written: "+49 1512 3456789" },
      channel: "sms",
      step: 1,
      other: null,
      resend_in: 2,
      next_in: null,
      expires_in: 600,
      sends_left: 4,
      checks_left: 5,
      code_length: 6
    },
    problem: null,
    readings: [],
    country: null,
    location: null
  }

  const begun = (fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>) => {
    const asked: Array<unknown> = []
    const changes: Array<string> = []
    const form = createForm({
      action: "/phone",
      country: "DE",
      language: "en",
      onChange: ({ asking, stage }) => changes.push(`${stage} ${asking}`),
      fetch: (url, init) => {
        asked.push([url, JSON.parse(String(init?.body))])
        return fetch(url, init)
      }
    })
    return { asked, changes, form }
  }

  it("posts what a user does to its address, and says what has changed", async () => {
    const { asked, changes, form } = begun(async () => Response.json(answer))
    form.happen({ type: "number", text: "0151 23456789" })
    form.send()
    await expect.poll(() => form.form().stage).toBe("code")
    expect(asked).toEqual([["/phone", { action: "start", to: "0151 23456789", country: "DE", language: "en" }]])
    expect(changes).toEqual(["number null", "number start", "code null"])
    form.stop()
    form.happen({ type: "change" })
    expect(form.form().stage).toBe("code")
  })

  it.each([
    ["a page of a proxy", async () => new Response("<h1>Bad gateway</h1>", { status: 502 }), "unavailable"],
    ["JSON of another kind", async () => Response.json({ error: "NOT_FOUND" }), "unavailable"],
    ["no answer", async () => Promise.reject(new TypeError("fetch failed")), "offline"]
  ])("takes %s for what it is", async (_, fetch, reason) => {
    const { form } = begun(fetch)
    form.happen({ type: "number", text: "0151 23456789" })
    form.send()
    await expect.poll(() => form.form().problem?.reason).toBe(reason)
    expect(form.form()).toMatchObject({ stage: "number", asking: null })
    form.stop()
  })

  it("reads a number itself once it has what reads them, and asks for that again where it did not load", async () => {
    const { asked, form } = begun(async () => Response.json(answer))
    form.happen({ type: "number", text: "12" })
    expect(await form.numbers()).toBeDefined()
    form.send()
    expect([asked, form.form().problem?.reason]).toEqual([[], "number_impossible"])
    form.stop()
    const { numbers } = await import("../src/internal/numbers/Numbers.ts")
    const loads = [() => Promise.reject(new Error("offline")), () => Promise.resolve(numbers)]
    const load = () => loads.shift()?.() ?? Promise.reject(new Error("asked too often"))
    const other = createForm({ action: "/", country: "DE", language: "en", onChange: () => {}, numbers: load })
    expect([await other.numbers(), await other.numbers()]).toEqual([undefined, numbers])
    other.stop()
  })
})

describe("React on a server", () => {
  it("renders the element, with what shows until its script has loaded", () => {
    const children = createElement("a", { href: "/phone" }, "Confirm your number")
    const html = renderToString(createElement(WatchwordForm, { action: "/phone", lang: "de", children }))
    expect(html).toContain('<watchword-form action="/phone" lang="de"')
    expect(html).toContain("Confirm your number</a></watchword-form>")
  })
})
