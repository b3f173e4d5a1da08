import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { test } from "../../../../test/live.ts"
import { collectEvents, message, startBound } from "./fixture.ts"

type Line = Readonly<Record<string, unknown>>

const startProcess = (...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const script = new URL("carrier-process.ts", import.meta.url).pathname
      const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] })
      const printed: Array<Line> = []
      const lines = createInterface(child.stdout)
      lines.on("line", (line) => printed.push(JSON.parse(line)))
      const until = async (event: string): Promise<Line> => {
        for (;;) {
          const found = printed.find((line) => line["event"] === event)
          if (found !== undefined) return found
          await once(lines, "line")
        }
      }
      const { url } = await until("listening")
      return { child, until, url: String(url) }
    }),
    ({ child }) =>
      Effect.promise(async () => {
        child.kill("SIGTERM")
        await once(child, "exit")
        expect(child.exitCode).toBe(0)
      })
  )

test(
  "the carrier runs as a process and prints what it is told",
  Effect.fnUntraced(function* () {
    const carrier = yield* startProcess("--ids", "crossed", "--answer-delay", "20", "--receipt-delay", "20")
    const gateway = yield* startBound(carrier.url)
    const { events, count } = yield* collectEvents(gateway)
    const outcome = yield* gateway.send(message("hello"))
    yield* count(1)
    expect(events).toMatchObject([{ refs: outcome._tag === "Accepted" && outcome.refs, status: "delivered" }])
    expect(yield* Effect.promise(() => carrier.until("bind"))).toMatchObject({ system_id: "client" })
    const submit = yield* Effect.promise(() => carrier.until("submit"))
    expect(submit).toMatchObject({ to: "4915123456789", from: "Watchword", text: "hello", part: null })
    const receipt = yield* Effect.promise(() => carrier.until("receipt"))
    expect(receipt).toMatchObject({ id: submit["id"], status: 0 })
  })
)
