/**
 * A process that is killed while its call rings, and the next one.
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { fork } from "node:child_process"
import { once } from "node:events"
import { describe, expect } from "vitest"
import { test } from "../../../../test/live.ts"
import { collectEnds, startGateway, startTrunk, until } from "./fixture.ts"

const Stored = Schema.Struct({ delivery: DeliveryId, dialog: Schema.String })

/** Places a call in another process and kills that when the phone rings, or earlier. */
const killed = async (url: string, earlier?: Promise<void>) => {
  const child = fork(new URL("dialling-process.ts", import.meta.url).pathname, [url])
  const messages: Array<unknown> = []
  child.on("message", (message) => messages.push(message))
  if (earlier === undefined) while (!messages.includes("ringing")) await once(child, "message")
  else await earlier
  child.kill("SIGKILL")
  await once(child, "exit")
  return Schema.decodeUnknownSync(Stored)(messages[0])
}

describe("after a kill", () => {
  for (const protocol of ["udp", "tcp"] as const) {
    test(
      `the next process stops the ringing over ${protocol}`,
      Effect.fnUntraced(function* () {
        const trunk = yield* startTrunk({}, { protocol })
        const { delivery, dialog } = yield* Effect.promise(() => killed(trunk.url()))
        expect(trunk.methods).toEqual(["INVITE"])
        const gateway = yield* startGateway(trunk.url(), { timers: { t1: 500, t2: 4000, t4: 100 } })
        const { ends, count } = yield* collectEnds(gateway)
        yield* gateway.recover([{ delivery, dialog }])
        yield* until(trunk, () => trunk.calls[0]?.finalStatus === 487)
        yield* count(1)
        // Over TCP the last word goes to the connection that died with its process.
        const sipStatus = protocol === "udp" ? 487 : null
        expect(ends).toMatchObject([{ delivery, cause: { hangupCause: "ORIGINATOR_CANCEL", sipStatus } }])
      })
    )
  }

  test(
    "between the INVITE and its ringing the next process cancels the call, which has not been answered",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ invite: (call) => call.respond(183) })
      const placed = trunk.until(() => trunk.calls.length === 1)
      const { delivery, dialog } = yield* Effect.promise(() => killed(trunk.url(), placed))
      const gateway = yield* startGateway(trunk.url(), { timers: { t1: 500, t2: 4000, t4: 100 } })
      const { ends, count } = yield* collectEnds(gateway)
      yield* gateway.recover([{ delivery, dialog }])
      yield* count(1)
      expect(ends).toMatchObject([{ delivery, cause: { hangupCause: "ORIGINATOR_CANCEL" }, answeredAt: null }])
      expect(trunk.methods).toEqual(["INVITE", "CANCEL", "ACK"])
    })
  )
})
