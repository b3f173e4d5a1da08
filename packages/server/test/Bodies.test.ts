import * as Bodies from "../src/http/Bodies.ts"
import * as Clients from "../src/http/Clients.ts"
import { type BodySink, type HostBody, type HostRequest, bytes, tooLarge } from "@watchword/server/Host"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { afterEach, describe, expect, it, vi } from "vitest"

const MAX = 1_000

/** The share of a party is two of the largest bodies, and there are eight shares. */
const small = () => Bodies.make({ maxBytes: MAX, share: 0 })

/** A body that comes when the test writes it. */
const arriving = (withBody: Bodies.WithBody, party: string, headers: HostRequest["headers"] = {}) => {
  let sink: BodySink | undefined
  let stops = 0
  const used = Promise.withResolvers<void>()
  const read = Promise.withResolvers<HostBody>()
  const body: HostRequest["body"] = (given) => {
    sink = given
    return () => void stops++
  }
  const request = { method: "POST", path: "/", headers, body, remoteAddress: null }
  const use = (read_: HostBody) => {
    read.resolve(read_)
    return Effect.promise(() => used.promise)
  }
  const fiber = Effect.runFork(withBody(request, party, use))
  return {
    write: (length: number) => sink?.write(new Uint8Array(length).fill(7)),
    end: () => sink?.end(),
    fail: () => sink?.fail(),
    tag: async () => (await read.promise)._tag,
    read: read.promise,
    isBegun: () => sink !== undefined,
    stops: () => stops,
    finish: async () => {
      used.resolve()
      return Effect.runPromise(Fiber.await(fiber))
    },
    interrupt: () => Effect.runPromise(Fiber.interrupt(fiber))
  }
}

/** Whether a party can read as much as its share is, while it holds nothing. */
const hasWholeShare = async (withBody: Bodies.WithBody, party: string): Promise<boolean> => {
  const both = [arriving(withBody, party), arriving(withBody, party)]
  for (const each of both) each.write(MAX)
  for (const each of both) each.end()
  const tags = await Promise.all(both.map(({ tag }) => tag()))
  await Promise.all(both.map(({ finish }) => finish()))
  return tags.every((tag) => tag === "Bytes")
}

describe("a body", () => {
  it("is joined of its pieces", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200 })), async (pieces) => {
        const whole = Buffer.concat(pieces)
        const body: HostRequest["body"] = ({ end, write }) => {
          for (const piece of pieces) write(piece)
          end()
          return () => {}
        }
        const request = { method: "POST", path: "/", headers: {}, body, remoteAddress: null }
        const read = await Effect.runPromise(small()(request, "acme", Effect.succeed))
        expect(read).toEqual(whole.length > MAX ? tooLarge : bytes(new Uint8Array(whole)))
      })
    )
  })

  it("that comes in one piece is not copied", async () => {
    const piece = new Uint8Array(MAX)
    const body: HostRequest["body"] = ({ end, write }) => {
      write(piece)
      end()
      return () => {}
    }
    const request = { method: "POST", path: "/", headers: {}, body, remoteAddress: null }
    const read = await Effect.runPromise(small()(request, "acme", Effect.succeed))
    expect(read._tag === "Bytes" && read.bytes).toBe(piece)
  })

  it("that announces too much is not begun, and one that comes to too much is stopped", async () => {
    const announced = arriving(small(), "acme", { "content-length": String(MAX + 1) })
    expect([await announced.tag(), announced.isBegun()]).toEqual(["TooLarge", false])
    const body = arriving(small(), "acme")
    body.write(MAX)
    body.write(1)
    body.write(1)
    body.end()
    expect([await body.tag(), body.stops()]).toEqual(["TooLarge", 1])
  })

  it("that fails is unreadable, and what comes after the end changes nothing", async () => {
    const [failed, ended] = [arriving(small(), "acme"), arriving(small(), "acme")]
    failed.fail()
    ended.end()
    ended.fail()
    expect([await failed.tag(), await ended.tag()]).toEqual(["Unreadable", "Bytes"])
    expect([failed.stops(), ended.stops()]).toEqual([0, 0])
  })

  it("is stopped when its request is interrupted", async () => {
    const withBody = small()
    const body = arriving(withBody, "acme")
    body.write(MAX)
    await body.interrupt()
    expect(body.stops()).toBe(1)
    expect(await hasWholeShare(withBody, "acme")).toBe(true)
  })
})

describe("the memory of bodies", () => {
  it("is counted as what buffers take, in however small pieces they come", async () => {
    const withBody = small()
    const held = Array.from({ length: 2 }, () => arriving(withBody, "acme"))
    for (const body of held) for (let piece = 0; piece < MAX; piece++) body.write(1)
    for (const body of held) body.end()
    expect(await Promise.all(held.map(({ tag }) => tag()))).toEqual(["Bytes", "Bytes"])
  })

  it("of one party runs out for that party alone: its longest body is given up", async () => {
    const withBody = small()
    const held = Array.from({ length: 5 }, () => arriving(withBody, "stranger"))
    for (const body of held) body.write(500)
    expect(await held[0]?.tag()).toBe("Overloaded")
    expect(held.map(({ stops }) => stops())).toEqual([1, 0, 0, 0, 0])
    expect(await hasWholeShare(withBody, "acme")).toBe(true)
    for (const body of held.slice(1)) body.end()
    expect(await held[4]?.tag()).toBe("Bytes")
  })

  it("of all runs out for the body that has been read for longest", async () => {
    const withBody = small()
    const idle = arriving(withBody, "idle")
    const held = Array.from({ length: 16 }, (_, index) => arriving(withBody, `stranger ${index >> 1}`))
    for (const body of held) body.write(MAX)
    const genuine = arriving(withBody, "acme")
    genuine.write(10)
    genuine.end()
    expect(await genuine.tag()).toBe("Bytes")
    expect(await held[0]?.tag()).toBe("Overloaded")
    // Stopping a body that holds nothing makes no room.
    expect([idle, ...held].map(({ stops }) => stops())).toEqual([0, 1, ...Array.from({ length: 15 }, () => 0)])
  })

  it("that is in use is kept: then a body more is refused, and the others go on", async () => {
    const withBody = small()
    const held = Array.from({ length: 16 }, (_, index) => arriving(withBody, `account ${index >> 1}`))
    for (const body of held) {
      body.write(MAX)
      body.end()
    }
    expect(new Set(await Promise.all(held.map(({ tag }) => tag())))).toEqual(new Set(["Bytes"]))
    const refused = arriving(withBody, "acme")
    refused.write(1)
    expect(await refused.tag()).toBe("Overloaded")
    await held[0]?.finish()
    const taken = arriving(withBody, "acme")
    taken.write(1)
    taken.end()
    expect(await taken.tag()).toBe("Bytes")
  })

  it("is given back in the end, whatever becomes of bodies", async () => {
    const steps = fc.array(
      fc.record({
        step: fc.constantFrom("begin", "write", "end", "fail", "finish", "interrupt"),
        body: fc.nat(20),
        size: fc.nat(MAX + 1)
      }),
      { maxLength: 60 }
    )
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const withBody = small()
        const bodies: Array<ReturnType<typeof arriving>> = []
        const finished: Array<Promise<unknown>> = []
        for (const { body, size, step } of all) {
          const one = bodies[body % Math.max(1, bodies.length)]
          if (step === "begin" || one === undefined) bodies.push(arriving(withBody, `party ${size % 3}`))
          else if (step === "write") one.write(size)
          // A body may be finished before it has ended.
          else if (step === "finish") finished.push(one.finish())
          else await one[step]()
        }
        for (const body of bodies) {
          body.end()
          await body.finish()
        }
        await Promise.all(finished)
        // Eight parties have all of the memory between them.
        const parties = Array.from({ length: 8 }, (_, index) => hasWholeShare(withBody, `party ${index}`))
        expect(await Promise.all(parties)).toEqual(parties.map(() => true))
      }),
      { numRuns: 200 }
    )
  })
})

it("a body that comes in too many small pieces is given up", async () => {
  const chopped = arriving(Bodies.make({ maxBytes: 1_000_000 }), "acme")
  const whole = arriving(Bodies.make({ maxBytes: 1_000_000 }), "acme")
  for (let piece = 0; piece < 1_041; piece++) chopped.write(1)
  for (let piece = 0; piece < 10_000; piece++) whole.write(64)
  whole.end()
  expect([await chopped.tag(), await whole.tag()]).toEqual(["Late", "Bytes"])
})

describe("a body that comes slowly", () => {
  afterEach(() => vi.useRealTimers())

  it("is given up after five seconds, or when a large one is below the least rate", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] })
    const withBody = Bodies.make({ maxBytes: 3_145_728 })
    const [stalled, steady] = [arriving(withBody, "stranger"), arriving(withBody, "gateway")]
    stalled.write(65_536)
    for (let second = 0; second < 4; second++) {
      steady.write(131_072)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect([stalled.stops(), steady.stops()]).toEqual([0, 0])
    await vi.advanceTimersByTimeAsync(2_500)
    expect([await stalled.tag(), stalled.stops(), steady.stops()]).toEqual(["Late", 1, 0])
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await steady.tag()).toBe("Late")
  })
})

describe("a body that is in use for longer than bodies are looked at", () => {
  afterEach(() => vi.useRealTimers())

  it("is still counted for its party", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] })
    const withBody = small()
    const held = [arriving(withBody, "acme"), arriving(withBody, "acme")]
    for (const body of held) {
      body.write(MAX)
      body.end()
    }
    expect(await Promise.all(held.map(({ tag }) => tag()))).toEqual(["Bytes", "Bytes"])
    await vi.advanceTimersByTimeAsync(1_500)
    const refused = arriving(withBody, "acme")
    refused.write(1)
    refused.end()
    expect(await refused.tag()).toBe("Overloaded")
  })
})

describe("bodies of strangers", () => {
  const clients = Result.getOrThrow(Clients.make(["10.0.0.0/8"]))
  const stalled = (withBody: Bodies.WithStrangersBody, remoteAddress: string | null, forwardedFor?: string) => {
    let stops = 0
    const body: HostRequest["body"] = () => () => void stops++
    const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor }
    const request = { method: "POST", path: "/", headers, body, remoteAddress }
    Effect.runFork(withBody(request, () => Effect.void))
    return () => stops
  }

  it.each([
    ["an IPv4 address", "192.0.2.1", undefined, "::ffff:192.0.2.1", "192.0.2.2"],
    ["a /64 of IPv6", "2001:db8::1", undefined, "2001:db8::ffff", "2001:db8:0:1::1"],
    ["a link with its zone", "fe80::1%eth0", undefined, "fe80::2%eth1", "2001:db8::1"],
    ["a client behind a trusted proxy", "10.0.0.1", "192.0.2.1", "192.0.2.1", "10.0.0.1"],
    ["all whose address is unknown", null, undefined, "unix", "192.0.2.1"]
  ])("are bounded for %s", (_, address, forwardedFor, same, other) => {
    const withBody = Bodies.ofStrangers(MAX, clients)
    const first = stalled(withBody, address, forwardedFor)
    const second = stalled(withBody, address, forwardedFor)
    for (let index = 0; index < 126; index++) stalled(withBody, same)
    stalled(withBody, other)
    expect([first(), second()]).toEqual([0, 0])
    stalled(withBody, same)
    expect([first(), second()]).toEqual([1, 0])
  })
})
