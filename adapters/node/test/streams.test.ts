/**
 * Bodies that come piece by piece, written by the server.
 */
import type { HandlePromise } from "@watchword/server/Host"
import { afterEach, expect, it } from "vitest"
import { type Serving, serve } from "@watchword/node"

const running: Array<Serving> = []
afterEach(async () => {
  for (const { close } of running.splice(0)) await close()
})

/** A stream that a test feeds, and whether it was ended. */
const feed = () => {
  const waiting: Array<(result: IteratorResult<Uint8Array>) => void> = []
  const ended = Promise.withResolvers<void>()
  const end = { done: true, value: undefined } as const
  const handle: HandlePromise = async () => ({
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise((resolve) => waiting.push(resolve)),
        return: async () => {
          ended.resolve()
          for (const resolve of waiting.splice(0)) resolve(end)
          return end
        }
      })
    }
  })
  const write = (text: string) => waiting.shift()?.({ done: false, value: new TextEncoder().encode(text) })
  return { handle, write, ended: ended.promise, finish: () => waiting.shift()?.(end) }
}

const open = async (handle: HandlePromise) => {
  const serving = await serve({ handle }, { port: 0 })
  running.push(serving)
  const stop = new AbortController()
  const request = fetch(`http://127.0.0.1:${serving.port}/`, { signal: stop.signal })
  return { serving, stop, request }
}

const read = async (reader: ReadableStreamDefaultReader<Uint8Array>) =>
  new TextDecoder().decode((await reader.read()).value)

const readerOf = async (request: Promise<Response>) => {
  const { body } = await request
  if (body === null) throw new Error("there is no body")
  return body.getReader()
}

it("a piece is written when it comes, and the response ends after the last one", async () => {
  const { finish, handle, write } = feed()
  const { request } = await open(handle)
  const reader = await readerOf(request)
  for (const text of ["one", "two"]) {
    write(text)
    expect(await read(reader)).toBe(text)
  }
  finish()
  expect((await reader.read()).done).toBe(true)
})

it("a stream ends when its client has gone", async () => {
  const { ended, handle } = feed()
  const { request, stop } = await open(handle)
  await request
  stop.abort()
  await expect(ended).resolves.toBeUndefined()
})

it("a server that closes ends its streams", async () => {
  const { ended, handle, write } = feed()
  const { request, serving } = await open(handle)
  const reader = await readerOf(request)
  write("one")
  await read(reader)
  await serving.close()
  await ended
  expect((await reader.read()).done).toBe(true)
})
