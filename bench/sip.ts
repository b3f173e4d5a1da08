/**
 * What a flash call costs the SIP gateway: CPU for one that is placed, rings and is cancelled over UDP, beside
 * sipp as the caller against the same trunk, and heap for one that rings. The trunk is a process of its own that
 * answers at once. Run with `node --expose-gc bench/sip.ts`; without sipp its figure is left out.
 */
import { CallGateway } from "@watchword/call/CallGateway"
import { sip } from "@watchword/call/sip"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { fork, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { trunk } from "./peers/trunk.ts"

const CALLS = 10_000
const ROUNDS = 5
const AT_ONCE = 100
const RINGING = 5000

const caller = E164.make("+4930901820123")
const callee = E164.make("+4915123456789")

/** Places calls, so many at a time, and cancels each as soon as it rings. */
const round = Effect.fnUntraced(function* (gateway: CallGateway["Service"]) {
  const cpu = process.cpuUsage()
  const start = process.hrtime.bigint()
  let placed = 0
  let rang = 0
  const worker = Effect.gen(function* () {
    while (placed < CALLS) {
      placed++
      const delivery = nextDeliveryId(Date.now())
      const dialled = yield* gateway.dial({ delivery, caller, callee, maxRing: 30 }, () => Effect.void)
      if (dialled._tag === "Ringing") rang++
      yield* gateway.hangup(delivery, "NO_ANSWER")
    }
  })
  yield* Effect.all(
    Array.from({ length: AT_ONCE }, () => worker),
    { concurrency: "unbounded", discard: true }
  )
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  const { user, system } = process.cpuUsage(cpu)
  if (rang !== CALLS) return yield* Effect.die(new Error(`only ${rang} of ${CALLS} rang`))
  return { perSecond: CALLS / seconds, cpu: (user + system) / CALLS }
})

const heap = (): number => {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** Bytes of heap for each of many ringing calls. */
const ringing = Effect.fnUntraced(function* (gateway: CallGateway["Service"]) {
  const before = heap()
  const deliveries = yield* Effect.forEach(
    Array.from({ length: RINGING }, () => nextDeliveryId(Date.now())),
    (delivery) =>
      Effect.as(
        gateway.dial({ delivery, caller, callee, maxRing: 600 }, () => Effect.void),
        delivery
      ),
    { concurrency: AT_ONCE }
  )
  // What is said last is still on its way.
  yield* Effect.sleep("1 second")
  const bytes = (heap() - before) / RINGING
  yield* Effect.forEach(deliveries, (delivery) => gateway.hangup(delivery, "NO_ANSWER"), { discard: true })
  return bytes
})

const callerScenario = `<?xml version="1.0" encoding="ISO-8859-1"?>
<scenario name="caller">
<send retrans="500"><![CDATA[
INVITE sip:+4915123456789@[remote_ip]:[remote_port];user=phone SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch];rport
Max-Forwards: 70
From: <sip:+4930901820123@[remote_ip];user=phone>;tag=[call_number]
To: <sip:+4915123456789@[remote_ip]:[remote_port];user=phone>
Call-ID: [call_id]
CSeq: 1 INVITE
Contact: <sip:sipp@[local_ip]:[local_port]>
P-Asserted-Identity: <sip:+4930901820123@[remote_ip];user=phone>
Content-Type: application/sdp
Content-Length: [len]

v=0
o=- 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [local_ip]
t=0 0
m=audio 9 RTP/AVP 8 0 101
a=rtpmap:8 PCMA/8000
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
a=sendrecv
]]></send>
<recv response="180"/>
<send retrans="500"><![CDATA[
CANCEL sip:+4915123456789@[remote_ip]:[remote_port];user=phone SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch-1];rport
Max-Forwards: 70
From: <sip:+4930901820123@[remote_ip];user=phone>;tag=[call_number]
To: <sip:+4915123456789@[remote_ip]:[remote_port];user=phone>
Call-ID: [call_id]
CSeq: 1 CANCEL
Content-Length: 0

]]></send>
<recv response="200"/>
<recv response="487"/>
<send><![CDATA[
ACK sip:+4915123456789@[remote_ip]:[remote_port];user=phone SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch-1];rport
Max-Forwards: 70
From: <sip:+4930901820123@[remote_ip];user=phone>;tag=[call_number]
[last_To:]
Call-ID: [call_id]
CSeq: 1 ACK
Content-Length: 0

]]></send>
</scenario>
`

/** Microseconds of CPU a call of sipp, or null where there is none. */
const sipp = (port: number): number | null => {
  const folder = mkdtempSync(join(tmpdir(), "watchword-"))
  const scenario = join(folder, "caller.xml")
  writeFileSync(scenario, callerScenario)
  const args = [
    "-sf",
    scenario,
    "-i",
    "127.0.0.1",
    "-m",
    String(CALLS),
    "-r",
    "4000",
    "-l",
    String(AT_ONCE),
    "-nostdin"
  ]
  const times = join(folder, "times")
  const { status } = spawnSync(
    "bash",
    ["-c", `TIMEFORMAT='%U %S'; { time sipp "$@" >/dev/null 2>&1; } 2>${times}`, "-"].concat(args, `127.0.0.1:${port}`)
  )
  const [user = 0, system = 0] = readFileSync(times, "utf8").trim().split(" ").map(Number)
  rmSync(folder, { recursive: true })
  return status === 0 ? ((user + system) / CALLS) * 1e6 : null
}

const program = Effect.fnUntraced(function* (port: number) {
  const gateway = yield* CallGateway
  yield* gateway.events(() => Effect.void)
  // First, while nothing lingers.
  const bytes = yield* ringing(gateway)
  const rounds = []
  for (let index = 0; index < ROUNDS; index++) rounds.push(yield* round(gateway))
  const middle = rounds.toSorted((a, b) => a.cpu - b.cpu)[ROUNDS >> 1] ?? { perSecond: 0, cpu: 0 }
  console.log(`${middle.cpu.toFixed(1)} µs CPU a call, ${middle.perSecond.toFixed(0)} calls/s (median of ${ROUNDS})`)
  const other = sipp(port)
  if (other === null) console.log("sipp is not there, or failed")
  else console.log(`sipp as the caller: ${other.toFixed(1)} µs CPU a call; ratio ${(middle.cpu / other).toFixed(2)}`)
  console.log(`${(bytes / 1024).toFixed(2)} KiB heap a call at ${RINGING} ringing`)
})

if (process.send !== undefined) trunk()
else {
  const child = fork(import.meta.filename)
  const [{ port }] = await once(child, "message")
  await program(port).pipe(
    Effect.provide([sip(`sip:bench:secret@127.0.0.1:${port};keepalive=0`), Logger.layer([])]),
    Effect.scoped,
    Effect.runPromise
  )
  child.disconnect()
}
