/**
 * Streams of server-sent events: what keeps them open, what bounds them, and what ends them.
 */
import { turns } from "../../../test/until.ts"
import { assert, describe, expect, it } from "@effect/vitest"
import { Keys } from "@watchword/auth/Keys"
import { AccountId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { type HostResponse, isStream } from "../src/Host.ts"
import { ask, createKey, json, openAccount, service } from "./fixture.ts"

const EVENTS = "/sandbox/phones/events"

const newCaller = Effect.gen(function* () {
  const { id } = yield* openAccount
  return { "x-account-id": id, "x-api-key": yield* createKey(id), "content-type": "application/json" }
})

const follow = (headers: Readonly<Record<string, string>>) =>
  ask({ method: "GET", path: EVENTS, headers: { ...headers, accept: "text/event-stream" } })

const piecesOf = ({ body }: HostResponse): AsyncIterator<Uint8Array> => {
  assert(isStream(body))
  return body[Symbol.asyncIterator]()
}

const decoder = new TextDecoder()

/** The next piece as a text; null at the end. */
const next = (pieces: AsyncIterator<Uint8Array>) =>
  Effect.promise(async () => {
    const { done, value } = await pieces.next()
    return done === true ? null : decoder.decode(value)
  })

const close = (pieces: AsyncIterator<Uint8Array>) => Effect.promise(async () => pieces.return?.())

/** Lets what runs in promises have its turn. */
const turn = Effect.promise(() => turns())

describe("a stream", () => {
  it.effect("ends before the next event once its key is revoked", () =>
    Effect.gen(function* () {
      const headers = yield* newCaller
      const pieces = piecesOf(yield* follow(headers))
      yield* next(pieces)
      const [key] = yield* Keys.use((keys) => keys.list(AccountId.make(headers["x-account-id"])))
      assert(key !== undefined)
      yield* Keys.use((keys) => keys.revoke(key.id))
      const waiting = yield* Effect.forkChild(next(pieces))
      yield* turn
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(yield* Fiber.join(waiting), null)
    }).pipe(Effect.provide(service()))
  )

  it.effect("begins with all there is, and has a comment each 15 seconds in which nothing happens", () =>
    Effect.gen(function* () {
      const answer = yield* follow(yield* newCaller)
      expect(answer).toMatchObject({
        status: 200,
        headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" }
      })
      const pieces = piecesOf(answer)
      expect(yield* next(pieces)).toMatch(
        /^id: \w+\.0\nevent: phones\ndata: \{"cursor":"\w+\.0","reset":true,"events":\[\]\}\n\n$/
      )
      for (const _ of ["once", "again"]) {
        const waiting = yield* Effect.forkChild(next(pieces))
        yield* turn
        yield* TestClock.adjust("14 seconds")
        yield* turn
        expect(waiting.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust("1 second")
        yield* turn
        expect(waiting.pollUnsafe()).toEqual(Exit.succeed(":\n\n"))
      }
      yield* close(pieces)
    }).pipe(Effect.provide(service()))
  )

  it.effect("ends when its client has gone, also while it waits, and makes room for another", () =>
    Effect.gen(function* () {
      const headers = yield* newCaller
      const open: Array<AsyncIterator<Uint8Array>> = []
      for (let count = 0; count < 10; count++) {
        const pieces = piecesOf(yield* follow(headers))
        yield* next(pieces)
        open.push(pieces)
      }
      const refused = yield* follow(headers)
      expect([refused.status, json(refused)]).toMatchObject([429, { reason: "too_many_waits" }])
      const [first] = open
      assert(first !== undefined)
      const waiting = yield* Effect.forkChild(next(first))
      yield* turn
      yield* close(first)
      yield* turn
      expect(waiting.pollUnsafe()).toEqual(Exit.succeed(null))
      const another = piecesOf(yield* follow(headers))
      expect(yield* next(another)).toContain('"reset":true')
      for (const pieces of [...open, another]) yield* close(pieces)
    }).pipe(Effect.provide(service()))
  )

  it.effect("ends when its service does, which waits for it, and not for one that was never read", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(service(), scope)
      yield* Effect.gen(function* () {
        const headers = yield* newCaller
        yield* follow(headers)
        const pieces = piecesOf(yield* follow(headers))
        yield* next(pieces)
        const waiting = yield* Effect.forkChild(next(pieces))
        yield* turn
        const ended = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* turn
        expect(waiting.pollUnsafe()).toEqual(Exit.succeed(null))
        expect(ended.pollUnsafe()).toEqual(Exit.void)
      }).pipe(Effect.provide(context))
    })
  )

  it.effect("continues behind the event that its client had last", () =>
    Effect.gen(function* () {
      const headers = yield* newCaller
      const pieces = piecesOf(yield* follow(headers))
      const id = /^id: (\S+)/.exec((yield* next(pieces)) ?? "")?.[1] ?? ""
      yield* close(pieces)
      yield* ask({ method: "PUT", path: "/sandbox/phones/+4915123456789", headers, body: "{}" })
      const later = piecesOf(yield* follow({ ...headers, "last-event-id": id }))
      expect(yield* next(later)).toMatch(/"reset":false,"events":\[\{"type":"phone"/)
      yield* close(later)
    }).pipe(Effect.provide(service()))
  )
})
