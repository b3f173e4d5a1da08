/**
 * Calls to us by sipp, baresip and Net::SIP, straight and through Kamailio, and signed by secsipidx.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Called } from "@watchword/call/CallGateway"
import type { Options } from "@watchword/call/sip"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { test } from "../../../test/live.ts"
import { startGateway } from "../test/sip/fixture.ts"
import { certificateServer } from "../test/sip/inbound/passport.ts"
import { certified, selfSigned } from "../../../test/certificate.ts"
import { freePort } from "../../../test/freePort.ts"
import { callByBaresip, callByNetSip, signBySecsipidx, startCallers } from "./callers.ts"
import { startInboundKamailio } from "./programs.ts"
import * as scenarios from "./scenarios.ts"

const OURS = "+493023125000"
const CALLER = "+4915123456789"

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "watchword-"))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** A gateway whose trunk is this machine, and the calls that it has heard. */
const listening = Effect.fnUntraced(function* (parameters = "", identity?: Options["identity"]) {
  const port = yield* Effect.promise(freePort)
  const gateway = yield* startGateway(`sip:127.0.0.1:9;keepalive=0;receives=${OURS}${parameters}`, {
    listen: { host: "127.0.0.1", port },
    identity
  })
  const heard: Array<Called> = []
  yield* gateway.events((event) => Effect.sync(() => void (event._tag === "Called" && heard.push(event))))
  return { port, heard }
})

const claimed = { _tag: "Called", from: CALLER, to: OURS, assurance: "claimed" }

describe("a call of", () => {
  for (const transport of ["udp", "tcp"] as const) {
    test(
      `sipp over ${transport} is refused at once, as a hundred are`,
      Effect.fnUntraced(function* () {
        const { heard, port } = yield* listening(`;transport=${transport}`)
        const calling = { number: OURS, port, calls: 100, transport }
        const caller = yield* Effect.promise(() => startCallers(folder, scenarios.calls(CALLER), calling))
        expect(yield* Effect.promise(() => caller.ended)).toBe(0)
        expect(heard).toEqual(Array.from({ length: 100 }, () => claimed))
      })
    )
  }

  test(
    "baresip is refused as busy",
    Effect.fnUntraced(function* () {
      const { heard, port } = yield* listening()
      const phone = yield* Effect.acquireRelease(
        Effect.promise(() => callByBaresip(folder, { number: OURS, port }, CALLER)),
        (phone) => Effect.promise(() => phone.stop("SIGKILL"))
      )
      yield* Effect.promise(() => phone.until(/session closed: 486 Busy Here/))
      expect(phone.printed()).not.toMatch(/Ringing|progress/i)
      expect(heard).toEqual([claimed])
    })
  )

  test(
    "Net::SIP, which writes From without brackets and without a plus, is refused as busy",
    Effect.fnUntraced(function* () {
      const { heard, port } = yield* listening()
      const caller = yield* Effect.promise(() => callByNetSip({ number: OURS.slice(1), port }, CALLER.slice(1)))
      expect(yield* Effect.promise(() => caller.ended)).toBe(0)
      expect(caller.printed()).toMatch(/^final FAIL 486$/m)
      expect(heard).toEqual([claimed])
    })
  )
})

describe("a call through Kamailio", () => {
  for (const transport of ["udp", "tcp"] as const) {
    test(
      `over ${transport} is refused with our status, and asserted as it came`,
      Effect.fnUntraced(function* () {
        const { heard, port } = yield* listening(`;transport=${transport};trusted=yes`)
        const home = yield* Effect.promise(() => mkdtemp(join(folder, "kamailio-")))
        const kamailio = yield* Effect.acquireRelease(
          Effect.promise(() => startInboundKamailio(home, `sip:127.0.0.1:${port};transport=${transport}`)),
          (kamailio) => Effect.promise(() => kamailio.stop())
        )
        const asserted = [`P-Asserted-Identity: <sip:pbx@127.0.0.1>, <tel:${CALLER}>`, "Privacy: id;critical"]
        const scenario = scenarios.calls("anonymous", asserted)
        const calling = { number: OURS, port: kamailio.port, calls: 20 }
        const caller = yield* Effect.promise(() => startCallers(folder, scenario, calling))
        expect(yield* Effect.promise(() => caller.ended)).toBe(0)
        expect(heard).toEqual(Array.from({ length: 20 }, () => ({ ...claimed, assurance: "network" })))
      })
    )
  }

  for (const transport of ["udp", "tcp"] as const) {
    test(
      `over ${transport} that secsipidx has signed is vouched for`,
      Effect.fnUntraced(function* () {
        const root = certified({ name: "Root" })
        const carrier = certified({ name: "Carrier", by: root, isAuthority: false })
        const web = selfSigned()
        const server = yield* certificateServer(web)
        server.files.set("/carrier.pem", carrier.cert)
        const identity = { roots: root.cert, hosts: [server.host], ca: web.cert }
        const { heard, port } = yield* listening(`;transport=${transport}`, identity)
        const home = yield* Effect.promise(() => mkdtemp(join(folder, "signed-")))
        const key = join(home, "carrier.pem")
        yield* Effect.promise(() => writeFile(key, carrier.key))
        const kamailio = yield* Effect.acquireRelease(
          Effect.promise(() => startInboundKamailio(home, `sip:127.0.0.1:${port};transport=${transport}`)),
          (kamailio) => Effect.promise(() => kamailio.stop())
        )
        for (const orig of [CALLER, CALLER.slice(1), "4915100000000"]) {
          const signing = { orig, dest: OURS, x5u: `https://${server.host}/carrier.pem` }
          const signed = yield* Effect.promise(() => signBySecsipidx(key, signing))
          const scenario = scenarios.calls(CALLER, [`Identity: ${signed}`])
          const calling = { number: OURS, port: kamailio.port }
          const caller = yield* Effect.promise(() => startCallers(folder, scenario, calling))
          expect(yield* Effect.promise(() => caller.ended)).toBe(0)
        }
        expect(heard.map(({ assurance }) => assurance)).toEqual(["network", "network", "claimed"])
      })
    )
  }
})
