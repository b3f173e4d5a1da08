/**
 * Every row of the callers of INVITEs, as a call to a gateway.
 */
import type { Called } from "@watchword/call/CallGateway"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { freePort } from "../../../../test/freePort.ts"
import { test } from "../../../../test/live.ts"
import { startGateway, startTrunk, until } from "../sip/fixture.ts"
import { rows } from "./Callers.ts"

for (const { assurance = "claimed", caller, from, headers, options = "", ours, to, uri } of rows) {
  test(
    `${from} (${uri}) is ${caller ?? "no number"}`,
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const port = yield* Effect.promise(freePort)
      const listen = { host: "127.0.0.1", port }
      const gateway = yield* startGateway(trunk.url(`keepalive=0;receives=${ours};${options}`.replace(/;$/, "")), {
        listen
      })
      const heard: Array<Called> = []
      yield* gateway.events((event) => Effect.sync(() => void (event._tag === "Called" && heard.push(event))))
      const ask = yield* Effect.promise(() => trunk.call({ to: ours, at: listen }))
      yield* until(trunk, () => ask.status !== 0)
      const { length } = heard
      const text = ask.text
        .replace(/^INVITE \S+/, `INVITE ${uri}`)
        .replace(/^To: .*$/m, `To: ${to ?? `<${uri}>`}`)
        .replace(/^From: .*$/m, headers.join("\r\n"))
        .replaceAll(ask.branch, `${ask.branch}row`)
      trunk.raw(text)
      yield* until(trunk, () => trunk.received.some((message) => message.text.includes(`${ask.branch}row`)))
      expect(heard.slice(length)).toEqual([{ _tag: "Called", from: caller, to: ours, assurance }])
    })
  )
}
