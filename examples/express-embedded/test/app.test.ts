import { makeApp } from "@watchword/express-embedded/after"
import { makeApp as makeAppBefore } from "@watchword/express-embedded/before"
import { startWatchword } from "@watchword/testing"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import type { Server } from "node:http"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { Express } from "express"
import { afterEach, describe, expect, it } from "vitest"
import { endWithRunner } from "../../../test/exits/endWithRunner.ts"

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const listen = async (app: Express): Promise<string> => {
  const server: Server = app.listen(0, "127.0.0.1")
  await once(server, "listening")
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("not listening on a port")
  return `http://127.0.0.1:${address.port}`
}

/** A browser that keeps its cookie. */
const browser = (url: string) => {
  let cookie = ""
  return async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, "content-type": "application/json", connection: "close" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie
    const text = await response.text()
    return [response.status, text === "" ? null : JSON.parse(text), response.headers] as const
  }
}

const ann = { email: "ann@example.com", password: "correct horse battery" }

const start = async () => {
  const kit = await startWatchword()
  closing.push(kit.dispose)
  const url = await listen(makeApp(kit.service, kit.account))
  return { ...kit, url, ask: browser(url) }
}

describe.each([
  ["before", () => listen(makeAppBefore())],
  ["after", async () => (await start()).url]
])("the app %s", (_, begin) => {
  it("has users and sessions", async () => {
    const url = await begin()
    const ask = browser(url)
    expect((await ask("GET", "/me"))[0]).toBe(401)
    expect((await ask("POST", "/register", { email: "ann", password: "short" }))[0]).toBe(400)
    const [status, user, headers] = await ask("POST", "/register", ann)
    expect([status, user]).toEqual([201, { email: ann.email }])
    expect(headers.getSetCookie()[0]).toMatch(/^session=[\w-]{43}; .*HttpOnly; SameSite=Lax$/)
    expect((await ask("GET", "/me"))[1]).toEqual({ email: ann.email })
    expect((await ask("POST", "/register", ann))[0]).toBe(409)
    expect((await ask("POST", "/logout"))[0]).toBe(204)
    expect((await ask("GET", "/me"))[0]).toBe(401)
    expect((await ask("POST", "/login", { ...ann, password: "wrong" }))[0]).toBe(401)
    expect((await ask("POST", "/login", { ...ann, email: "bob@example.com" }))[0]).toBe(401)
    expect((await ask("POST", "/login", ann))[0]).toBe(200)
    expect((await ask("GET", "/me"))[0]).toBe(200)
  })
})

describe("phone verification", () => {
  it("puts the number on the user who read the code", async () => {
    const { ask, inbox } = await start()
    await ask("POST", "/register", ann)
    expect((await ask("POST", "/phone", { phone: "+4915123456789" })).slice(0, 2)).toEqual([202, { sent: true }])
    const { code } = await inbox.next("+4915123456789")
    expect((await ask("POST", "/phone/confirm", { code: "guess" }))[0]).toBe(400)
    expect((await ask("POST", "/phone/confirm", { code })).slice(0, 2)).toEqual([200, { phone: "+4915123456789" }])
    expect((await ask("GET", "/me"))[1]).toEqual({ email: ann.email, phone: "+4915123456789" })
    expect((await ask("POST", "/phone/confirm", { code }))[0]).toBe(400)
  })

  it("is for users only, and says what went wrong", async () => {
    const { ask } = await start()
    expect((await ask("POST", "/phone", { phone: "+4915123456789" }))[0]).toBe(401)
    await ask("POST", "/register", ann)
    expect((await ask("POST", "/phone", {}))[0]).toBe(400)
    expect((await ask("POST", "/phone", { phone: "0151" }))[0]).toBe(400)
    expect((await ask("POST", "/phone/confirm", { code: "123456" }))[0]).toBe(400)
    expect((await ask("POST", "/phone", { phone: "+491512340503" }))[0]).toBe(503)
    expect((await ask("POST", "/phone", { phone: "+4915123456789" }))[0]).toBe(202)
    expect((await ask("POST", "/phone", { phone: "+4915123456789" }))[0]).toBe(429)
  })

  it("leaves the whole interface under /v1", async () => {
    const { account, keys, url } = await start()
    const headers = {
      "x-account-id": account,
      "x-api-key": keys.sandbox,
      "content-type": "application/json",
      connection: "close"
    }
    const response = await fetch(`${url}/v1/sms/sdr`, { method: "POST", headers, body: "{}" })
    expect([response.status, await response.json()]).toMatchObject([200, { total: 0 }])
  })
})

const source = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8")

it("the README shows all that was changed", () => {
  const shown =
    source("../README.md")
      .match(/```diff\n([^]*?)```/)?.[1]
      ?.split("\n")
      .slice(0, -1) ?? []
  const side = (marks: string) =>
    shown
      .filter((line) => marks.includes(line.slice(0, 1)))
      .map((line) => `${line.slice(1)}\n`)
      .join("")
  expect(side(" -")).toBe(source("../src/before.ts"))
  expect(side(" +")).toBe(source("../src/after.ts"))
  expect(shown.filter((line) => line.startsWith("+")).length).toBeLessThan(10)
})

it("the example runs, and ends when it is told to", async () => {
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  endWithRunner(child)
  const [line]: Array<string> = await once(createInterface(child.stdout), "line")
  const ask = browser(line?.match(/http:\S+\d/)?.[0] ?? "")
  expect((await ask("POST", "/register", ann))[0]).toBe(201)
  expect((await ask("POST", "/phone", { phone: "+4915123456789" }))[0]).toBe(202)
  child.kill("SIGTERM")
  expect(await once(child, "exit")).toEqual([0, null])
})
