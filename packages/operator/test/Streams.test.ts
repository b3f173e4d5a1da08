/**
 * How often followers of the same answer query the database, under a test clock.
 */
import * as Command from "../src/command/Command.ts"
import { wire } from "../src/command/Wire.ts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { absent, isStream } from "@watchword/server/Host"
import { ApiRequest, EventStream } from "@watchword/server/http"
import { afterEach, assert, beforeEach, expect, it, vi } from "vitest"
import * as Streams from "../src/http/Streams.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
afterEach(() => void vi.useRealTimers())

/** A command that answers how often it was asked. */
const counting = () => {
  let looks = 0
  const command = Command.make({
    name: ["look"],
    description: "Count looks",
    role: "support",
    isWatchable: true,
    input: wire({}),
    output: wire({ looks: Schema.Int }),
    run: () => Effect.sync(() => ({ looks: ++looks })),
    lines: () => []
  })
  return { command, looks: () => looks }
}

it("a hundred viewers, whenever they come, cost one look in each period of five seconds", async () => {
  const { command, looks } = counting()
  const streams = Streams.make(Context.empty())
  const open = async (owner: number) => {
    const events = await Effect.runPromise(streams.open(command, {}, `owner ${owner}`))
    const request = new ApiRequest({ method: "GET", path: "/", headers: {}, body: absent, remoteAddress: null })
    const { body } = await Effect.runPromise(EventStream.respond(request, events, Effect.succeed(true)))
    assert(isStream(body))
    const pieces = body[Symbol.asyncIterator]()
    await pieces.next()
    return pieces
  }
  const half = Array.from({ length: 50 }, (_, n) => Math.floor(n / 10))
  const viewers = await Promise.all(half.map(open))
  expect(looks()).toBe(1)
  await vi.advanceTimersByTimeAsync(4_999)
  viewers.push(...(await Promise.all(half.map((owner) => open(5 + owner)))))
  expect(looks()).toBe(1)
  // A run that takes longer than a period has one look more for each.
  for (const count of [2, 3, 4]) {
    await vi.advanceTimersByTimeAsync(count === 2 ? 1 : 5_000)
    const decoder = new TextDecoder()
    const pieces = await Promise.all(viewers.map(async ({ next }) => decoder.decode((await next()).value)))
    expect(new Set(pieces)).toEqual(new Set([`event: answer\ndata: {"looks":${count}}\n\n`]))
    expect(looks()).toBe(count)
  }
  await Promise.all(viewers.map((viewer) => viewer.return?.()))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(looks()).toBe(4)
})
