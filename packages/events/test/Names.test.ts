/**
 * Names of webhooks, by a DNS server of the test's own on loopback.
 */
import * as WebhookSender from "../src/internal/WebhookSender.ts"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { occupyThreads } from "../../../test/threads.ts"
import { closeNameServers, nameServer } from "./nameServer.ts"
import { closeReceivers, receive } from "./receiver.ts"

afterEach(closeReceivers)
afterEach(closeNameServers)

const { file } = folderForEach()

const sender = (options: WebhookSender.Options) => {
  const { send } = WebhookSender.make({ allowPrivate: true, ...options })
  return (url: string) => Effect.runPromise(send({ url, headers: {}, body: "{}" }))
}

const unresolved = (why: string) => ({ _tag: "Unresolved", why })
const answered = { _tag: "Answered", status: 204 }

describe("the name of a webhook", () => {
  it("leads to its addresses of both families, of which one is enough", async () => {
    const receiver = await receive()
    const { address } = await nameServer({
      "four.example": { addresses: ["127.0.0.1"] },
      // Nothing listens at the first.
      "both.example": { addresses: ["::1", "127.0.0.1"] }
    })
    const send = sender({ nameServers: [address] })
    for (const name of ["four.example", "both.example", "FOUR.example"]) {
      expect(await send(`http://${name}:${receiver.port}/`)).toEqual(answered)
    }
    expect(receiver.got).toHaveLength(3)
  })

  it("is asked for once by events that come together, and again when its TTL is over", async () => {
    const receiver = await receive()
    const { address, asked, names } = await nameServer({
      "kept.example": { addresses: ["127.0.0.1"], ttl: 60 },
      "brief.example": { addresses: ["127.0.0.1"], ttl: 0 }
    })
    const send = sender({ nameServers: [address] })
    const timesOf = (name: string) => asked.filter((each) => each === name).length
    const kept = `http://kept.example:${receiver.port}/`
    await Promise.all(Array.from({ length: 20 }, () => send(kept)))
    // Once for each family.
    expect(timesOf("kept.example")).toBe(2)
    await send(kept)
    expect(timesOf("kept.example")).toBe(2)
    await send(`http://brief.example:${receiver.port}/`)
    names.set("brief.example", { addresses: ["127.0.0.2"] })
    await send(`http://brief.example:${receiver.port}/`)
    expect(timesOf("brief.example")).toBe(4)
  })

  it("that does not exist says so, and is remembered", async () => {
    const { address, asked } = await nameServer()
    const send = sender({ nameServers: [address] })
    expect(await send("http://nowhere.example/")).toEqual(unresolved("ENOTFOUND"))
    const before = asked.length
    expect(await send("http://nowhere.example/other")).toEqual(unresolved("ENOTFOUND"))
    expect(asked).toHaveLength(before)
  })

  it("whose servers are silent is given up, once for all of its events, and holds up no other", async () => {
    const receiver = await receive()
    const { address, asked } = await nameServer({
      ".slow.example": "silent",
      "shop.example": { addresses: ["127.0.0.1"], ttl: 60 }
    })
    const send = sender({ nameServers: [address], timeout: 1_500 })
    const slow = Promise.all(Array.from({ length: 100 }, (_, n) => send(`http://a.slow.example/${n}`)))
    const others = Array.from({ length: 100 }, () => send(`http://shop.example:${receiver.port}/`))
    expect(await Promise.race([slow.then(() => "slow"), Promise.all(others).then(() => "others")])).toBe("others")
    expect(new Set((await slow).map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify(unresolved("ETIMEOUT"))])
    )
    expect(asked.filter((name) => name === "a.slow.example").length).toBeLessThan(10)
  })

  it("is refused where any of its addresses is private, and later answers change nothing in between", async () => {
    const receiver = await receive()
    const { address, names } = await nameServer({
      "mixed.example": { addresses: ["93.184.216.34", "127.0.0.1"] },
      "six.example": { addresses: ["2606:4700::1111", "::1"] },
      "across.example": { addresses: ["93.184.216.34", "fd00:ec2::254"] },
      "later.example": { addresses: ["127.0.0.1"], ttl: 60 }
    })
    const send = sender({ allowPrivate: false, nameServers: [address] })
    for (const name of ["mixed", "six", "across", "later"]) {
      expect(await send(`http://${name}.example:${receiver.port}/`)).toEqual({ _tag: "Refused" })
    }
    names.set("later.example", { addresses: ["93.184.216.34"], ttl: 60 })
    expect(await send(`http://later.example:${receiver.port}/`)).toEqual({ _tag: "Refused" })
    expect(receiver.got).toEqual([])
  })

  it("resolves while all threads of the process are busy", async () => {
    const receiver = await receive()
    const { address } = await nameServer({ "shop.example": { addresses: ["127.0.0.1"] } })
    const send = sender({ nameServers: [address], timeout: 5_000 })
    const release = await occupyThreads(file("pipe"))
    try {
      expect(await send(`http://localhost:${receiver.port}/`)).toEqual(answered)
      expect(await send(`http://shop.example:${receiver.port}/`)).toEqual(answered)
    } finally {
      await release()
    }
  })
})
