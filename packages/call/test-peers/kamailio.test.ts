/**
 * The SIP gateway through Kamailio to baresip, a telephone, with Wireshark looking on.
 */
import { fromUrls } from "@watchword/call/sip"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { realTime } from "../../../test/until.ts"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { eventually, logged, test } from "../../../test/live.ts"
import { caller, collectEnds, dial, order, startGateway, resultOf } from "../test/sip/fixture.ts"
import {
  type Capture,
  type Kamailio,
  type Program,
  freePort,
  startBaresip,
  startCapture,
  startKamailio
} from "./programs.ts"

let folder: string
let capture: Capture
let port: number
let kamailio: Kamailio
let phones: ReadonlyArray<Program & { readonly port: number }>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "watchword-"))
  port = await freePort()
  phones = [await startBaresip(folder), await startBaresip(folder)]
  kamailio = await startKamailio(
    folder,
    phones.map((phone) => `127.0.0.1:${phone.port}`)
  )
  capture = await startCapture([port, kamailio.port], join(folder, "sip.pcap"))
})

afterAll(async () => {
  await kamailio?.stop()
  for (const phone of phones ?? []) await phone.stop("SIGKILL")
  await rm(folder, { recursive: true })
})

/** A gateway that knows Kamailio as its trunk. */
const started = Effect.fnUntraced(function* (transport: "udp" | "tcp" | "tls", account = "client:secret@") {
  const at = transport === "tls" ? kamailio.tlsPort : kamailio.port
  const { trunks } = Result.getOrThrow(fromUrls(`sip:${account}127.0.0.1:${at};transport=${transport};keepalive=1`))
  const ca = yield* Effect.promise(() => readFile(kamailio.certificate, "utf8"))
  const gateway = yield* startGateway("sip:unused", {
    trunks: trunks.map((trunk) => ({ ...trunk, tls: { ca } })),
    listen: { host: "127.0.0.1", port }
  })
  return { gateway, ...(yield* collectEnds(gateway)) }
})

/** How often the phones have shown a caller id. */
const shown = (number: string): number =>
  phones.reduce((sum, phone) => sum + phone.printed().split(number).length - 1, 0)

describe("through Kamailio", () => {
  for (const transport of ["udp", "tcp", "tls"] as const) {
    test(
      `over ${transport} a call rings at both phones with its caller id, and stops`,
      Effect.fnUntraced(function* () {
        const { gateway, ends, count } = yield* started(transport)
        const call = order({ caller: E164.make(`+4930901820${transport.length}${transport.charCodeAt(1) % 100}`) })
        expect(resultOf(yield* dial(gateway, call))).toBe("Ringing")
        yield* eventually(Effect.sync(() => shown(call.caller) >= 2))
        yield* gateway.hangup(call.delivery, "NO_ANSWER")
        yield* count(1)
        expect(ends).toMatchObject([{ cause: { hangupCause: "NO_ANSWER", sipStatus: 487 }, answeredAt: null }])
        yield* Effect.promise(() => realTime(100, "the phones stop ringing"))
      })
    )
  }

  test(
    "the trunk is seen to be there",
    Effect.fnUntraced(function* () {
      const { gateway } = yield* started("udp")
      yield* eventually(Effect.map(gateway.health, ([link]) => link?.up === true))
    })
  )

  test(
    "a wrong password is told from everything else",
    Effect.fnUntraced(function* () {
      const [, log] = yield* logged(
        Effect.gen(function* () {
          const { gateway } = yield* started("udp", "client:wrong@")
          expect(resultOf(yield* dial(gateway))).toBe("SERVICE_UNAVAILABLE CALL_REJECTED")
        })
      )
      expect(log).toContain("refuses our account")
    })
  )

  test(
    "a caller id that is not allowed is refused",
    Effect.fnUntraced(function* () {
      const { gateway } = yield* started("udp")
      const refused = order({ caller: E164.make("+4930000000000", { disableChecks: true }) })
      expect(yield* dial(gateway, refused)).toMatchObject({ cause: { hangupCause: "CALL_REJECTED", sipStatus: 403 } })
    })
  )

  test(
    "many calls ring and stop, one after the other",
    Effect.fnUntraced(function* () {
      const { gateway, ends, count } = yield* started("tcp")
      for (let calls = 1; calls <= 20; calls++) {
        const call = order()
        expect(resultOf(yield* dial(gateway, call))).toBe("Ringing")
        yield* gateway.hangup(call.delivery, "ORIGINATOR_CANCEL")
        yield* count(calls)
      }
      expect(new Set(ends.map(({ cause }) => cause.hangupCause))).toEqual(new Set(["ORIGINATOR_CANCEL"]))
    })
  )

  test(
    "Wireshark finds no fault with the messages, and reads the caller id",
    Effect.fnUntraced(function* () {
      yield* Effect.promise(() => capture.stop())
      const ours = `sip && (udp.srcport == ${port} || tcp.dstport == ${kamailio.port})`
      const wrong = yield* Effect.promise(() =>
        capture.read(
          `${ours} && (_ws.malformed || _ws.expert.severity >= "Warning")`,
          "frame.number",
          "_ws.expert.message"
        )
      )
      expect(wrong).toEqual([])
      const callers = yield* Effect.promise(() =>
        capture.read(`${ours} && sip.Method == "INVITE"`, "sip.from.user", "sip.pai.user")
      )
      expect(callers).toContain(`${caller}\t${caller}`)
      expect(kamailio.printed()).not.toContain("INSANE")
    })
  )
})
