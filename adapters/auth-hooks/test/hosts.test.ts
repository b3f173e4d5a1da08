/** Hooks in every host that has an adapter, and with a service that is slow or remote. */
import { type AuthHook, supabase } from "@watchword/auth-hooks/supabase"
import { watchword } from "@watchword/express"
import { watchword as plugin } from "@watchword/fastify"
import { watchword as listener } from "@watchword/node"
import express, { type Express } from "express"
import fastify from "fastify"
import { type Server, createServer } from "node:http"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { SUPABASE_SECRET, type World, openWorld, request, supabasePost } from "./fixture.ts"

let world: World
let hook: AuthHook
let close = async (): Promise<unknown> => undefined

beforeEach(async () => {
  world = await openWorld()
  hook = supabase({ ...world.options, secret: SUPABASE_SECRET })
})

afterEach(async () => {
  await close()
  await world.service.dispose()
})

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  close = () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
}

const inExpress = (mount: (app: Express) => void): Promise<string> => {
  const app = express()
  mount(app)
  return listening(createServer(app))
}

const postTo = async (url: string): Promise<number> => {
  const { body, headers } = supabasePost("123456")
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body
  })
  await response.text()
  return response.status
}

describe("a hook in", () => {
  it("Express, before the parser", async () => {
    const url = await inExpress((app) => app.use("/sms", watchword(hook)).use(express.json()))
    expect(await postTo(`${url}/sms`)).toBe(200)
    expect(await world.shown()).toHaveLength(1)
  })

  it("Express, after a parser that keeps the bytes", async () => {
    const url = await inExpress((app) =>
      app
        .use(express.json({ verify: (message, _response, buffer) => void Object.assign(message, { rawBody: buffer }) }))
        .use("/sms", watchword(hook))
    )
    expect(await postTo(`${url}/sms`)).toBe(200)
  })

  it("Express, after a parser that does not: it says what to mend", async () => {
    const url = await inExpress((app) => app.use(express.json()).use("/sms", watchword(hook)))
    expect(await postTo(`${url}/sms`)).toBe(500)
    expect(world.log.join()).toContain("Mount it before the parser")
    expect(await world.shown()).toEqual([])
  })

  it("Express, at the root, beside the app's own routes", async () => {
    const url = await inExpress((app) => {
      app.use(watchword(hook))
      app.post("/other", (_request, response) => void response.status(418).end())
    })
    expect(await postTo(`${url}/hooks/supabase`)).toBe(200)
    expect(await postTo(`${url}/other`)).toBe(418)
  })

  it("Fastify", async () => {
    const app = fastify()
    await app.register(plugin(hook), { prefix: "/sms" })
    const url = await app.listen({ port: 0, host: "127.0.0.1" })
    close = () => app.close()
    expect(await postTo(`${url}/sms`)).toBe(200)
  })

  it("node:http", async () => {
    const url = await listening(createServer(listener(hook, { basePath: "/sms" })))
    expect(await postTo(`${url}/sms`)).toBe(200)
    expect(await postTo(`${url}/sms/`)).toBe(200)
    expect(await world.shown()).toHaveLength(1)
  })
})

describe("a hook", () => {
  it("does not read a body that is too large to be one", async () => {
    const { headers } = supabasePost("123456")
    expect((await hook.fetch(request({ headers, body: "x".repeat(300_000) }))).status).toBe(413)
  })

  it("answers before the server gives up, while the code is being sent", async () => {
    const client = {
      verify: { start: () => new Promise<never>(() => {}) },
      sms: { send: () => new Promise<never>(() => {}) }
    }
    const slow = supabase({ client, secret: SUPABASE_SECRET, answerWithin: 20 })
    const response = await slow.fetch(request(supabasePost("123456")))
    expect([response.status, await response.json()]).toEqual([200, {}])
  })

  it("answers 503 in the server's form where the service is gone", async () => {
    await world.service.dispose()
    const response = await hook.fetch(request(supabasePost("123456")))
    expect(await response.json()).toMatchObject({ error: { http_code: 503 } })
  })
})
