/**
 * From where calls to us are taken: over any protocol from the trunk's addresses, and from networks in the settings.
 */
import { once } from "node:events"
import * as net from "node:net"
import * as tls from "node:tls"
import { trunk as openTrunk } from "@watchword/sandbox/trunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { describe, expect } from "vitest"
import { selfSigned } from "../../../../../test/certificate.ts"
import { eventually, test } from "../../../../../test/live.ts"
import { freePort } from "../../../../../test/freePort.ts"
import { startTrunk, until } from "../fixture.ts"
import { CALLER, OURS, gatewayOf, listening } from "./fixture.ts"

/** Another trunk, at an address of its own. */
const stranger = (protocol: "udp" | "tcp" | "tls") =>
  Effect.acquireRelease(
    Effect.promise(() => openTrunk({ protocol, host: "127.0.0.2", t1: 20, ...(protocol === "tls" ? ofTls : {}) })),
    (trunk) => Effect.promise(() => trunk.stop())
  )

const certificate = selfSigned()
const ofTls = { tls: { ...certificate, ca: certificate.cert } }

for (const protocol of ["udp", "tcp"] as const) {
  describe(`a caller over ${protocol}`, () => {
    test(
      "at an address that no trunk has is not heard",
      Effect.fnUntraced(function* () {
        const ours = yield* listening({ protocol })
        const other = yield* stranger(protocol)
        const at = { host: "127.0.0.1", port: ours.port }
        const placed = yield* Effect.exit(Effect.tryPromise(() => other.call({ from: CALLER, to: OURS, at })))
        // The trunk is answered once everything before that has been dropped.
        const call = yield* ours.call()
        yield* until(ours.trunk, () => call.status !== 0)
        expect(ours.heard).toHaveLength(1)
        if (Exit.isSuccess(placed)) expect(placed.value.responses).toEqual([])
      })
    )

    test(
      "at an address that the settings name is heard",
      Effect.fnUntraced(function* () {
        const ours = yield* listening({ protocol, parameters: `receives=${OURS};inbound=127.0.0.2,192.0.2.0/24` })
        const other = yield* stranger(protocol)
        const at = { host: "127.0.0.1", port: ours.port }
        const call = yield* Effect.promise(() => other.call({ from: CALLER, to: OURS, at }))
        yield* until(other, () => call.status !== 0)
        expect([call.status, ours.heard.length]).toEqual([486, 1])
      })
    )
  })
}

describe("a connection", () => {
  test(
    "of a stranger is closed before a word, over TLS too",
    Effect.fnUntraced(function* () {
      for (const protocol of ["tcp", "tls"] as const) {
        const ours = yield* listening({ protocol })
        const socket = net.connect({ host: "127.0.0.1", port: ours.port, localAddress: "127.0.0.2" })
        const received: Array<Buffer> = []
        socket.on("data", (chunk: Buffer) => received.push(chunk))
        socket.on("error", () => {})
        yield* Effect.promise(() => once(socket, "close"))
        expect(received).toEqual([])
      }
    })
  )

  test(
    "that sends something else is closed, and the next one works",
    Effect.fnUntraced(function* () {
      const ours = yield* listening({ protocol: "tls" })
      const plain = net.connect({ host: "127.0.0.1", port: ours.port })
      plain.on("error", () => {})
      plain.end("INVITE sip:x SIP/2.0\r\n\r\n")
      yield* Effect.promise(() => once(plain, "close"))
      const garbled = tls.connect({ host: "127.0.0.1", port: ours.port, rejectUnauthorized: false })
      garbled.on("error", () => {})
      garbled.write(`x: ${"y".repeat(70_000)}`)
      yield* Effect.promise(() => once(garbled, "close"))
      const call = yield* ours.call()
      yield* until(ours.trunk, () => call.status !== 0)
      expect(call.status).toBe(486)
    })
  )

  test(
    "of ours to a trunk over TLS brings calls, too, where there is no certificate",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({}, { protocol: "tls", t1: 20, ...ofTls })
      const port = yield* Effect.promise(freePort)
      const ours = yield* gatewayOf(trunk, port, { options: { certificate: undefined }, ca: certificate.cert })
      const call = yield* Effect.promise(() => trunk.call({ from: CALLER, to: OURS }))
      yield* until(trunk, () => call.status !== 0)
      expect([call.status, ours.heard.length]).toEqual([486, 1])
      const socket = net.connect({ host: "127.0.0.1", port })
      const [error]: ReadonlyArray<unknown> = yield* Effect.promise(() => once(socket, "error"))
      expect(String(error)).toContain("ECONNREFUSED")
    })
  )

  test(
    "is listened for by a trunk over TCP without numbers, too, where the port is set",
    Effect.fnUntraced(function* () {
      const ours = yield* listening({ protocol: "tcp", parameters: "" })
      const call = yield* ours.call()
      yield* until(ours.trunk, () => call.status !== 0)
      expect(call.status).toBe(603)
    })
  )
})

test(
  "of many calls at once a trunk has 256 looked at, and the others come later",
  Effect.fnUntraced(function* () {
    const stored = yield* Deferred.make<void>()
    const ours = yield* listening({ hear: () => Deferred.await(stored) })
    const calls = yield* Effect.forEach(Array.from({ length: 300 }), () => ours.call())
    yield* until(ours.trunk, () => calls.filter(({ status }) => status !== 0).length >= 300 - 256)
    expect(calls.filter(({ status }) => status === 480)).toHaveLength(300 - 256)
    yield* eventually(Effect.sync(() => ours.heard.length === 256))
    yield* Deferred.succeed(stored, undefined)
    yield* until(ours.trunk, () => calls.every(({ status }) => status !== 0))
    expect(calls.filter(({ status }) => status === 486)).toHaveLength(256)
    const late = yield* ours.call()
    yield* until(ours.trunk, () => late.status !== 0)
    expect(late.status).toBe(486)
  })
)
