import { request } from "node:http"
import { type IncomingMessage, createServer } from "node:http"
import { createSocket } from "node:dgram"
import { type Socket, connect, createServer as createConsole } from "node:net"
import { once } from "node:events"
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { text } from "node:stream/consumers"
import { sip } from "@watchword/call/sip"
import * as wire from "@watchword/sandbox/smsc"
import { smpp } from "@watchword/sms/smpp"
import { Webhook } from "standardwebhooks"
import { afterEach, describe, expect, it } from "vitest"
import { createWatchword, memory } from "watchword"
import { folderForEach } from "../../../test/folder.ts"
import { decide } from "../../../test/logins/sandbox.ts"
import { until } from "../../../test/until.ts"
import { agent } from "./agent.ts"
import { type DevServer, type Given, run, start } from "./DevServer.ts"

const folder = folderForEach()
const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const dev = async (given: Omit<Given, "folder"> = {}): Promise<DevServer> => {
  const server = await start({ folder: folder.path(), ...given })
  closing.push(server.stop)
  return server
}

const number = "+4915123456789"

/** A server of the test's own on loopback, and its port. */
const portOf = async (server: ReturnType<typeof createServer> | ReturnType<typeof createConsole>, port = 0) => {
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

describe("a development server", () => {
  it("verifies a user who signs in at its page of Telegram", async () => {
    const server = await dev()
    const workflow = [{ channel: "receive", by: ["telegram_login"], timeout: 60 }]
    const { body } = await server.ask("/verifications", { to: number, workflow })
    const { id, present } = Object(body)
    const page = await fetch(await decide(String(present[0].uri), { choice: "share" }))
    expect(await page.text()).toContain("Your number is verified")
    expect((await server.ask(`/verifications/${String(id)}`)).body).toMatchObject({ status: "approved" })
  })

  it("verifies a number: the code is printed, and right", async () => {
    const server = await dev()
    const { body } = await server.ask("/verifications", { to: number, workflow: [{ channel: "sms", timeout: 30 }] })
    const [, code] = await until(
      () => /sms\s+\+4915123456789\s+(\d{6})/.exec(server.out()) ?? [],
      ([whole]) => Boolean(whole)
    )
    expect(await server.ask("/verifications/check", { verification_id: body["id"], code })).toMatchObject({
      body: { valid: true, status: "approved" }
    })
    await until(() => server.out().includes("approved"))
    expect(await server.stop()).toBe(0)
  })

  it("prints how a verification waits for its user, and the result", async () => {
    const server = await dev()
    const workflow = [{ channel: "receive", by: ["call"], timeout: 300 }]
    const { body } = await server.ask("/verifications", { to: number, workflow, least_assurance: "network" })
    await until(() => /receive\s+\+4915123456789\s+waits for the user: call to \+44770090081\d/.test(server.out()))
    const [{ number: called } = { number: "" }] = Array.isArray(body["present"]) ? body["present"] : []
    const call = (more: object) => server.ask(`/sandbox/phones/${number}/calls`, { to: called, ...more })
    expect((await call({ assurance: "claimed" })).body).toEqual({ by: "call", result: "weak" })
    await until(() => server.out().includes("call: weak"))
    expect((await call({})).body).toEqual({ by: "call", result: "approved" })
    await until(() => /receive\s+\+4915123456789\s+approved by call,/.test(server.out()))
    expect(await server.stop()).toBe(0)
  })

  it("has a form that proves a number with the code on its phone, and posts of another site get nothing from it", async () => {
    const server = await dev()
    const ask = async (body: object, headers: Readonly<Record<string, string>> = {}) => {
      const init = { method: "POST", headers: { "content-type": "application/json", ...headers } }
      const response = await fetch(`${server.origin}/form`, { ...init, body: JSON.stringify(body) })
      return response.status === 200 ? response.json() : response.status
    }
    const starting = { action: "start", to: "0151 23456789", country: "DE", language: "en" }
    expect(await ask(starting, { origin: "https://evil.example" })).toBe(403)
    const { sent } = await ask(starting)
    const { body } = await server.ask(`/sandbox/inbox?to=${encodeURIComponent(number)}&wait=30`)
    const code = /"code":"(\d{6})"/.exec(JSON.stringify(body))?.[1]
    expect(await ask({ action: "check", id: sent.id, code })).toMatchObject({ stage: "approved" })
    const page = await fetch(`${server.origin}/form`, { headers: { accept: "text/html", "accept-language": "de" } })
    expect(await page.text()).toContain("<watchword-form")
    expect((await fetch(`${server.origin}/form?asset=form.js`)).headers.get("content-type")).toContain("javascript")
  })

  it("prints each line as JSON where JSON is asked for", async () => {
    const server = await dev({ flags: ["--json"] })
    await server.ask("/call/flash", { callee: number })
    const line = JSON.parse(
      await until(
        () => server.out().split("\n")[0] ?? "",
        (line) => line.endsWith("}")
      )
    )
    expect(line).toMatchObject({ channel: "call", to: number, code: expect.stringMatching(/^\d{6}$/) })
  })

  it("has the same credentials after a restart in its folder, which no one else reads", async () => {
    const first = await dev()
    const { account, key, secret } = first
    await first.stop()
    expect(statSync(folder.file(".watchword/credentials.json")).mode & 0o077).toBe(0)
    const second = await dev()
    expect([second.account, second.key, second.secret]).toEqual([account, key, secret])
    expect((await second.ask("/sandbox/phones")).status).toBe(200)
  })

  it("makes its own credentials if those in the folder came from another user or with a repository", async () => {
    const first = await dev()
    await first.stop()
    const file = folder.file(".watchword/credentials.json")
    chmodSync(file, 0o644)
    const second = await dev()
    expect(second.key).not.toBe(first.key)
    expect(statSync(file).mode & 0o077).toBe(0)
  })

  it.each([".watchword", ".watchword/.gitignore"])("writes through no link at %s", async (name) => {
    const outside = folder.file("outside")
    if (name === ".watchword") mkdirSync(outside)
    else {
      mkdirSync(folder.file(".watchword"))
      writeFileSync(outside, "kept")
    }
    symlinkSync(outside, folder.file(name))
    const { exited } = run({ folder: folder.path() })
    expect(await exited).toBe(1)
    expect(name === ".watchword" ? readdirSync(outside) : readFileSync(outside, "utf8")).toEqual(
      name === ".watchword" ? [] : "kept"
    )
  })

  it("forgets records without --db, and keeps them with it", async () => {
    for (const [flags, total] of [
      [[], 0],
      [["--db"], 1]
    ] as const) {
      const first = await dev({ flags })
      await first.ask("/sms", { to: number, text: "Your code is 123456" })
      await first.stop()
      const second = await dev({ flags })
      expect((await second.ask("/sms/sdr", {})).body["total"]).toBe(total)
      await second.stop()
    }
  })

  it("says where the first of a folder runs, and ends", async () => {
    const first = await dev()
    const { exited, printed } = run({ folder: folder.path() })
    expect(await exited).toBe(1)
    expect(printed.err).toContain(`runs at ${first.origin} already`)
  })

  it("takes the next port where one is in use, and says so", async () => {
    const used = await portOf(createServer())
    const server = await dev({ flags: ["--port", String(used)] })
    expect(server.err()).toMatch(new RegExp(`Port ${used} is in use; this is \\d+`))
  })

  it("names settings of carriers that are set, and ignores them", async () => {
    const server = await dev({ env: { SMPP_URL: "smpp://id:secret@127.0.0.1:1" } })
    expect(server.err()).toContain("SMPP_URL is set but ignored")
    expect(server.err()).not.toContain("secret@")
    expect((await server.ask("/sms", { to: number, text: "Your code is 123456" })).status).toBe(200)
  })

  it("answers on both families, and refuses hosts that are not its own", async () => {
    const { origin } = await dev({ flags: ["--host-name", "dev.test"] })
    const { port } = new URL(origin)
    const answer = async (host: string, family: "127.0.0.1" | "::1" = "127.0.0.1") => {
      const asked = request({ host: family, port, path: "/handset/session", headers: { host } })
      asked.end()
      const [response]: Array<IncomingMessage> = await once(asked, "response")
      if (response === undefined) throw new Error("there was no answer")
      return [response.statusCode, response.headers["access-control-allow-origin"], await text(response)]
    }
    expect((await answer(`localhost:${port}`))[0]).toBe(200)
    expect((await answer(`dev.test:${port}`))[0]).toBe(200)
    expect((await answer(`[::1]:${port}`, "::1"))[0]).toBe(200)
    const [status, cors, body] = await answer("rebound.example")
    expect([status, cors]).toEqual([403, undefined])
    expect(body).not.toContain("sk_test_")
  })

  it("gives its session to its own pages alone", async () => {
    const { key, origin } = await dev()
    const from = async (site: string) =>
      (await fetch(`${origin}/handset/session`, { headers: { "sec-fetch-site": site } })).text()
    expect(await from("same-origin")).toContain(key)
    expect(await from("cross-site")).not.toContain(key)
  })

  it("starts a program with the credentials, and ends with it and its code", async () => {
    const script = `process.stdout.write(process.env.WATCHWORD_API_KEY + " " + process.env.WATCHWORD_URL); process.exit(7)`
    const { exited, printed } = run({ folder: folder.path(), flags: ["--", process.execPath, "-e", script] })
    expect(await exited).toBe(7)
    expect(printed.out).toMatch(/^sk_test_\w+ http:\/\/127\.0\.0\.1:\d+\/v1$/)
  })

  it("ends with 127 where the program cannot be started", async () => {
    const { exited, printed } = run({ folder: folder.path(), flags: ["--", "no-such-program"] })
    expect(await exited).toBe(127)
    expect(printed.err).toContain("no-such-program cannot be started")
  })

  it("posts all events, signed, to a private address", async () => {
    const posted: Array<{ readonly headers: Record<string, string>; readonly body: string }> = []
    const receiver = createServer(async (request, response) => {
      posted.push({
        headers: Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k, String(v)])),
        body: await text(request)
      })
      response.writeHead(204).end()
    })
    const server = await dev({ flags: ["--forward", `http://127.0.0.1:${await portOf(receiver)}/hooks`] })
    await server.ask("/verifications", { to: number })
    const event = await until(() => posted[0])
    expect(new Webhook(server.secret).verify(event?.body ?? "", event?.headers ?? {})).toMatchObject({
      type: expect.stringMatching(/^verification\.|^delivery\./)
    })
    await until(() => /--> verification\.started  204  \d+ ms|--> \S+  .*204.*  \d+ ms/.test(server.out()))
  })

  it("says that no receiver takes its events, once, and how each post was answered", async () => {
    const receiver = createServer((_, response) => void response.writeHead(500).end())
    const url = `http://127.0.0.1:${await portOf(receiver)}/hooks`
    const server = await dev({ flags: ["--forward", url] })
    await server.ask("/verifications", { to: number })
    await until(() => server.out().includes(`${url} took no event`))
    await server.ask("/verifications", { to: "+4915123456790" })
    await until(() => (server.out().match(/--> .*500.*  \d+ ms/g) ?? []).length > 1)
    expect(server.out().match(/took no event/g)).toHaveLength(1)
  })

  it("has a line for a send that is refused", async () => {
    const server = await dev({})
    expect((await server.ask("/sms", { to: "+4915123450480", from: "Acme", text: "Hello" })).status).toBe(480)
    await until(() => /sms +\+4915123450480 +refused  TEMPORARY_UNAVAILABLE: /.test(server.out()))
  })

  it("refuses what it cannot take, with the flag's name", async () => {
    for (const [flags, says] of [
      [["--forward", "nowhere"], "--forward must be an address"],
      [["--smpp", "example.com:1"], "--smpp must be a port"],
      [["--emulator"], "--emulator: there is no token"]
    ] as const) {
      const { exited, printed } = run({ folder: folder.path(), flags })
      expect(await exited).toBe(1)
      expect(printed.err).toContain(says)
    }
  })

  it("brings texts and calls to an emulator by its console", async () => {
    const commands: Array<string> = []
    const emulator = createConsole((socket: Socket) => {
      socket.write("Android Console: Authentication required\r\nOK\r\n")
      socket.on("data", (chunk) => {
        for (const line of chunk.toString().split("\r\n").filter(Boolean)) {
          commands.push(line)
          socket.write(line === "quit" ? "" : "OK\r\n")
        }
      })
      socket.on("error", () => {})
    })
    await portOf(emulator, 5554)
    writeFileSync(folder.file(".emulator_console_auth_token"), "token-of-the-console\n")
    const server = await dev({ flags: ["--emulator"] })
    await server.ask("/sms", { to: number, text: "Your code is 123456\n@shop.example #123456" })
    await until(() => commands.some((line) => line.includes("sms send")))
    expect(commands).toContain("auth token-of-the-console")
    expect(commands).toContain(String.raw`sms send 15555215554 Your code is 123456\n@shop.example #123456`)
    const { body } = await server.ask("/call/flash", { callee: number, caller: "+493023125123" })
    await until(() => commands.includes("gsm call 493023125123"))
    await server.ask(`/sandbox/calls/${String(body["uuid"])}/events`, { event: "decline" })
    await until(() => commands.includes("gsm cancel 493023125123"))
  })

  it("is a carrier for any SMPP client, and a phone for any SIP client", async () => {
    const server = await dev({ flags: ["--smpp", ":0", "--sip", ":0"] })
    const [, smppPort] = await until(
      () => /takes SMPP at 127\.0\.0\.1:(\d+)/.exec(server.err()) ?? [],
      ([whole]) => Boolean(whole)
    )
    const [, sipPort] = await until(
      () => /takes SIP at 127\.0\.0\.1:(\d+)/.exec(server.err()) ?? [],
      ([whole]) => Boolean(whole)
    )
    const service = await createWatchword({
      store: memory(),
      sms: smpp({ url: `smpp://id:secret@127.0.0.1:${smppPort}` }),
      call: sip({ url: `sip:127.0.0.1:${sipPort}`, listen: "127.0.0.1:0" }),
      prices: { sms: { "*": 0.05 }, call: { "*": 0.02 } }
    })
    closing.push(service.dispose)
    const { account_id: account } = await service.operator.account.create({
      sms_sender: "Acme",
      caller: "+493023125123"
    })
    await service.operator.account.credit({ account_id: account, amount: 10 })
    const text = "Your code is 123456, and this text goes on for more than one part. ".repeat(4)
    const { messageId } = await service.sms.send(account, { to: number, text })
    await until(async () => (await service.sms.get(account, messageId)).status === "delivered")
    expect((await server.ask("/sandbox/inbox")).body).toMatchObject({ messages: [{ from: "Acme", to: number, text }] })

    await server.ask(`/sandbox/phones/${encodeURIComponent(number)}`, { mode: "manual" }, "PUT")
    const { uuid } = await service.call.flash(account, { callee: number })
    const ringing = await until(async () => {
      const { body } = await server.ask("/call/flash/cdr", { filter: { callee: number } })
      return Array.isArray(body["list"]) ? body["list"][0] : undefined
    })
    await server.ask(`/sandbox/calls/${ringing.uuid}/events`, { event: "decline" })
    await until(async () => (await service.call.get(account, uuid)).hangup_cause === "CALL_REJECTED")
  })

  it("names the field that is wrong to an SMPP client, and to a SIP client a caller that is no number", async () => {
    const server = await dev({ flags: ["--smpp", ":0", "--sip", ":0"] })
    const portOf = async (protocol: string) =>
      until(() => new RegExp(`takes ${protocol} at 127\\.0\\.0\\.1:(\\d+)`).exec(server.err())?.[1])
    const socket = connect(Number(await portOf("SMPP")), "127.0.0.1")
    const asked = async (id: number, body: Buffer) => {
      socket.write(wire.pdu(id, 0, 1, body))
      const [answer]: Array<Buffer> = await once(socket, "data")
      return answer?.readUInt32BE(8)
    }
    const { cString, command, octets } = wire
    const bind = Buffer.concat([cString("id"), cString("secret"), cString(""), octets(0x34, 0, 0), cString("")])
    expect(await asked(command.bind_transceiver, bind)).toBe(0)
    // A submit_sm has the same fields as a deliver_sm.
    const submit = (fields: wire.DeliverFields) =>
      asked(command.submit_sm, wire.deliverSm({ destination: "4915123456789", esmClass: 0, text: "code", ...fields }))
    expect(await submit({ source: "12" })).toBe(wire.STATUS.RINVSRCADR)
    expect(await submit({ source: "Ac@me" })).toBe(wire.STATUS.RINVSRCADR)
    expect(await submit({ source: "Acme", text: "" })).toBe(wire.STATUS.RINVMSGLEN)
    expect(await submit({ source: "Acme", destination: "12" })).toBe(wire.STATUS.RINVDSTADR)
    expect(await submit({ source: "Acme" })).toBe(0)
    socket.destroy()

    const caller = createSocket("udp4")
    const invited = async (from: string) => {
      const lines = [
        `INVITE sip:${number}@127.0.0.1 SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK${from.length};rport`,
        `From: ${from};tag=1`,
        `To: <sip:${number}@127.0.0.1>`,
        `Call-ID: ${from.length}`,
        "CSeq: 1 INVITE",
        "Content-Length: 0"
      ]
      caller.send(`${lines.join("\r\n")}\r\n\r\n`, Number(await portOf("SIP")), "127.0.0.1")
      for (;;) {
        const [answer]: Array<Buffer> = await once(caller, "message")
        const [status = ""] = answer?.toString("latin1").split("\r\n") ?? []
        if (!status.startsWith("SIP/2.0 100")) return status
      }
    }
    expect(await invited("sipp <sip:sipp@127.0.0.1>")).toBe("SIP/2.0 403 The Caller Is Not a Phone Number")
    expect(await invited('"sip:x@y" <tel:+49-30-23125123>')).toBe("SIP/2.0 180 Ringing")
    caller.close()
  })

  it("has tools for agents, by another client of the protocol", async () => {
    const server = await dev()
    const client = await agent(server.origin)
    closing.push(client.close)
    expect((await client.tools()).map(({ name }) => name).sort()).toEqual([
      "check_code",
      "fail_next",
      "last_event",
      "next_code",
      "next_step",
      "phones",
      "set_phone",
      "start_verification",
      "why"
    ])
    for (const { annotations, name } of await client.tools()) {
      expect([name, annotations?.destructiveHint, annotations?.openWorldHint]).toEqual([name, false, false])
      expect([name, annotations?.readOnlyHint]).toEqual([
        name,
        ["last_event", "next_code", "phones", "why"].includes(name)
      ])
    }
    await client.call("fail_next")
    expect((await server.ask("/sms", { to: number, text: "Your code is 123456" })).status).toBe(480)
    await until(() => server.out().includes("refused  TEMPORARY_UNAVAILABLE (you asked for it)"))
    expect((await server.ask("/sms", { to: number, text: "Your code is 123456" })).status).toBe(200)
    expect((await client.call("why", { to: number }))["story"]).toContain("likely:")
    expect(await client.call("set_phone", { to: number, chatgw: false })).toMatchObject({
      phone: { to: number, chatgw: false, call: "ring" }
    })
    expect(await client.call("phones")).toMatchObject({ phones: [{ to: number, chatgw: false }] })
  })

  it("gives an agent the newest code that its session has not received, sent before or after it asks", async () => {
    const server = await dev()
    const text = async (to: string, code: string) => {
      expect((await server.ask("/sms", { to, text: `Your code is ${code}` })).status).toBe(200)
      await until(() => server.out().includes(code))
    }
    const other = "+4915123456790"
    const [first, second] = [await agent(server.origin), await agent(server.origin)]
    closing.push(first.close, second.close)
    const codeOf = async (session: typeof first, to?: string) => {
      const { found } = await session.call("next_code", { ...(to === undefined ? {} : { to }), seconds: 1 })
      return found === null ? null : Reflect.get(Object(found), "code")
    }
    expect(await first.call("next_code", { to: number, seconds: 1 })).toMatchObject({
      found: null,
      note: expect.stringContaining("The server has sent no code since it started")
    })
    await text(number, "111111")
    await text(number, "222222")
    await text(other, "333333")
    expect(await codeOf(first, "+49 1512 3456789")).toBe("222222")
    expect(await first.call("next_code", { to: number, seconds: 1 })).toMatchObject({
      found: null,
      note: expect.stringMatching(/The newest to \+4915123456789 was sent by sms \d+ s ago, and this session has it/)
    })
    expect(await codeOf(first)).toBe("333333")
    expect(await codeOf(first)).toBeNull()
    expect([await codeOf(second), await codeOf(second, number)]).toEqual(["333333", "222222"])
    const later = first.call("next_code", { to: number, seconds: 30 })
    await text(number, "444444")
    expect(await later).toMatchObject({ found: { channel: "sms", code: "444444", verification_id: null } })
  })

  it("ends the oldest session of agents that do not end theirs", async () => {
    const server = await dev()
    const first = await agent(server.origin)
    for (let n = 0; n < 100; n++) await agent(server.origin)
    const last = await agent(server.origin)
    closing.push(last.close)
    await expect(first.call("phones")).rejects.toMatchObject({ code: 404 })
    expect(await last.call("phones")).toEqual({ phones: [] })
  })

  it("refuses what an agent asks in words, and with the bounds that its schemas have", async () => {
    const server = await dev()
    const client = await agent(server.origin)
    closing.push(client.close)
    expect(await client.refused("next_code", { to: "0151 2345678" })).toContain('"code":"BAD_REQUEST"')
    expect(await client.refused("next_step")).toContain("No verification is pending")
    expect(await client.refused("check_code", { verification_id: `vrf_${"0".repeat(26)}`, code: "123456" })).toContain(
      "NOT_FOUND"
    )
    await expect(client.call("next_code", { seconds: 61 })).rejects.toThrow("seconds")
    const schemas = Object.fromEntries((await client.tools()).map(({ inputSchema, name }) => [name, inputSchema]))
    expect(schemas["next_code"]?.properties?.["seconds"]).toMatchObject({ minimum: 1, maximum: 60 })
  })

  it("serves the documents as one text", async () => {
    const { origin } = await dev()
    const documents = await (await fetch(`${origin}/llms.txt`)).text()
    expect(documents).toContain("# Watchword")
    expect(documents).toContain("/verifications/check")
  })
})
