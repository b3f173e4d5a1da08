/**
 * A server as a process, with hostile clients on its port, a hostile carrier at its SMPP link and a hostile trunk at
 * its SIP socket. It answers correctly, keeps running, and needs no more memory at the end than after a warm-up.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import * as fc from "fast-check"
import { type Running, command, start } from "../../../packages/standalone/test/Standalone.ts"
import { type Smsc, smsc } from "@watchword/sandbox/smsc"
import * as wire from "@watchword/sandbox/smsc"
import { type Trunk, trunk as startTrunk } from "@watchword/sandbox/trunk"
import { isUnforeseen } from "../../faults/unforeseen.ts"
import { faultOf } from "../answers.ts"
import { type Operation, operations } from "../contract.ts"
import { body, damaged, headerValue, text } from "../inputs.ts"
import { type Fault, type Kind, type Result, described, shown } from "../Kind.ts"
import { residentOf } from "../memory.ts"
import { anyPdu, sipMessage } from "../wires.ts"

interface Target {
  readonly server: Running
  readonly account: string
  readonly key: string
  /** A key whose texts and calls reach the peers. */
  readonly live: string
  /** The hostile peers. */
  readonly carrier: Smsc
  readonly trunk: Trunk
}

const SECRETS = { SIP_PASSWORD: "sip-password-of-this-test", SMPP_PASSWORD: "smpp-pass" }

const ACCOUNT = ["--sms-sender", "Acme", "--caller", "+4930901820123", "--balance", "100000"]

const withServer = async (use: (target: Target) => Promise<Result>): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), "watchword-hostile-"))
  // Each bind is accepted, so that the link stays up; the keep-alive is answered, so that the trunk counts as up.
  const carrier = await smsc({ keep: 1, script: { submit: () => "silence", enquireLink: "silence" } })
  const trunk = await startTrunk({
    keep: 1,
    script: { invite: () => {}, cancel: "silence", bye: () => "silence" }
  })
  const environment = {
    DATABASE_URL: `sqlite:${join(folder, "test.db")}`,
    SMPP_URL: `smpp://client:${SECRETS.SMPP_PASSWORD}@127.0.0.1:${carrier.port}?timeout=2`,
    SIP_URL: trunk.url("keepalive=1", `client:${SECRETS.SIP_PASSWORD}@`),
    DEMO: "no",
    LOG_LEVEL: "debug"
  }
  const created = await command(environment, "account", "create", ...ACCOUNT)
  const account = String(created["account_id"])
  const live = String((await command(environment, "key", "create", "--account", account))["key"])
  const key = String((await command(environment, "key", "create", "--account", account, "--sandbox"))["key"])
  const server = await start(environment)
  try {
    return await use({ server, account, key, live, carrier, trunk })
  } finally {
    if (server.process.exitCode === null) await server.kill()
    await Promise.all([carrier.stop(), trunk.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs inputs in parts, and measures the server's memory after the first tenth and at the end. */
const run = async <A>(
  kind: string,
  count: number,
  inputs: fc.Arbitrary<A>,
  seed: number,
  target: Target,
  send: (inputs: ReadonlyArray<A>) => Promise<ReadonlyArray<Fault>>
): Promise<Result> => {
  const { key, server } = target
  const faults: Array<Fault> = []
  let before = 0
  let done = 0
  for (let part = 0; done < count && faults.length < 20; part++) {
    const some = fc.sample(inputs, { numRuns: Math.min(PART, count - done), seed: seed + part })
    faults.push(...(await send(some)))
    done += some.length
    if (!(await isAlive(server))) {
      faults.push({
        kind,
        what: `the server has gone: ${server.printed().slice(-1_500)}`,
        input: `part ${part} of seed ${seed}`
      })
      return { inputs: done, faults, memory: null }
    }
    if (before === 0 && done >= count / 10) before = residentOf(server.process.pid ?? 0)
  }
  await delay(500)
  const leaked = [key, ...Object.values(SECRETS)].filter((secret) => server.printed().includes(secret))
  const odd = server.printed().split("\n").filter(isUnforeseen)
  for (const what of [...leaked.map(() => "a secret is in the log"), ...odd.slice(0, 3)])
    faults.push({ kind, what: what.slice(0, 1_500), input: `seed ${seed}` })
  return { inputs: done, faults, memory: [before, residentOf(server.process.pid ?? 0)] }
}

const PART = 2_000

const isAlive = async ({ origin, process }: Running): Promise<boolean> => {
  if (process.exitCode !== null || process.signalCode !== null) return false
  const answer = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
  await answer?.arrayBuffer()
  return answer?.status === 200
}

const AT_ONCE = 40

interface Sent {
  readonly operation: Operation
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

const sent: fc.Arbitrary<Sent> = fc.constantFrom(...operations).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    body: body(operation.example ?? {}),
    headers: fc.dictionary(fc.constantFrom("idempotency-key", "x-request-id", "content-type", "accept"), headerValue, {
      maxKeys: 2
    })
  })
)

const printable = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll(/[^\x20-\x7e]/g, "?")]))

/** Requests over sockets that stay open, many at once. */
export const requests: Kind = {
  name: "requests",
  share: 2.5,
  run: (count, seed) =>
    withServer((target) =>
      run("requests", count, sent, seed, target, async (some) => {
        const { account, key, server } = target
        const faults: Array<Fault> = []
        const left = [...some]
        const client = async (): Promise<void> => {
          for (let each = left.pop(); each !== undefined; each = left.pop()) {
            const { body, headers, operation } = each
            const fault = (what: string) =>
              void faults.push({
                kind: "requests",
                what,
                input: `${operation.method} ${operation.path} ${shown(body)}`
              })
            try {
              const response = await fetch(server.baseUrl + operation.path, {
                method: operation.method,
                headers: {
                  "x-account-id": account,
                  "x-api-key": key,
                  "content-type": "application/json",
                  ...printable(headers)
                },
                ...(operation.method === "GET" ? {} : { body: Uint8Array.from(body) }),
                signal: AbortSignal.timeout(30_000)
              })
              const answer = await response.text()
              const what = response.status === 204 ? undefined : faultOf(response.status, answer, [key])
              if (what !== undefined) fault(what)
            } catch (error) {
              // A body that is too large is answered before all of it has been sent.
              if (body.length < 60_000) fault(`no answer: ${described(error)}`)
            }
          }
        }
        await Promise.all(Array.from({ length: AT_ONCE }, client))
        return faults
      })
    )
}

const FRAMES = [
  "POST /v1/sms HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
  "POST /v1/sms HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  "POST /v1/sms HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
  "POST /v1/sms HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
  "GET /v1/sms/x/sdr HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/verifications/x HTTP/1.1\r\nHost: x\r\n\r\n",
  "POST /v1/sms HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n{}",
  "GET http://[::1/ HTTP/1.1\r\nHost: x\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
  "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "GET /v1/%zz?%ff=%00 HTTP/1.1\r\nHost: x\r\n\r\n"
]

const framing = fc.oneof(
  damaged(fc.constantFrom(...FRAMES).map((each) => Buffer.from(each, "latin1"))),
  fc.tuple(fc.constantFrom(...FRAMES), fc.nat(), text(20)).map(([frame, at, other]) => {
    const place = at % (frame.length + 1)
    return Buffer.from(frame.slice(0, place) + other + frame.slice(place), "latin1")
  })
)

/** Requests whose framing is malformed, each on a connection of its own. */
export const framings: Kind = {
  name: "framings",
  share: 1.5,
  run: (count, seed) =>
    withServer((target) =>
      run("framings", count, framing, seed, target, async (some) => {
        const faults: Array<Fault> = []
        const left = [...some]
        const port = Number(new URL(target.server.origin).port)
        const client = async (): Promise<void> => {
          for (let bytes = left.pop(); bytes !== undefined; bytes = left.pop()) {
            const answer = await exchange(port, bytes)
            const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]
            if (status === "500")
              faults.push({ kind: "framings", what: `answered ${answer.slice(0, 400)}`, input: shown(bytes) })
          }
        }
        await Promise.all(Array.from({ length: AT_ONCE }, client))
        return faults
      })
    )
}

/** Sends octets, ends the connection, and reads until the server closes it or has been silent for a moment. */
const exchange = (port: number, bytes: Buffer): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    let answer = ""
    socket.setTimeout(100, () => socket.destroy())
    socket.on("error", () => {})
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")))
    socket.once("close", () => resolve(answer))
    socket.end(bytes)
  })

/** PDUs of a hostile carrier: the link reads them, or ends and is bound again. */
export const carrier: Kind = {
  name: "carrier",
  share: 3,
  run: (count, seed) =>
    withServer((target) =>
      during(sendTexts(target), () =>
        run("carrier", count, anyPdu, seed, target, async (some) => {
          const left = [...some]
          while (left.length > 0) {
            for (let waited = 0; target.carrier.sessions.size === 0 && waited < 400; waited++) await delay(5)
            const [session] = target.carrier.sessions
            if (session === undefined) break
            const sequence = target.carrier.submits.at(-1)?.pdu.sequence_number ?? 0
            // A malformed length ends the link, and discards the rest of the same write.
            session.raw(Buffer.concat(left.splice(0, 50).map((pdu, nth) => answering(pdu, nth, sequence))))
            await delay(2)
          }
          // The link comes back, no matter how often it was ended.
          for (const { socket } of target.carrier.sessions) socket.destroy()
          return []
        })
      )
    )
}

/** Datagrams of a hostile trunk. */
export const trunk: Kind = {
  name: "trunk",
  share: 1.5,
  run: (count, seed) =>
    withServer(async (target) => {
      await target.trunk.until(() => target.trunk.received.length > 0)
      return during(placeCalls(target), () =>
        run("trunk", count, sipMessage, seed, target, async (some) => {
          for (const [nth, bytes] of some.entries()) {
            target.trunk.raw(about(bytes, nth, target.trunk.calls.at(-1)?.invite.text ?? null))
            if (nth % 20 === 0) await delay(1)
          }
          return []
        })
      )
    })
}

/** Every other PDU answers the last submit_sm, whatever else it contains. */
const answering = (pdu: Buffer, nth: number, sequence: number): Buffer => {
  if (nth % 2 === 0 || pdu.length < 16) return pdu
  const copy = Buffer.from(pdu)
  copy.writeUInt32BE(wire.resp(wire.command.submit_sm), 4)
  copy.writeUInt32BE(sequence, 12)
  copy.writeUInt32BE(copy.length, 0)
  return copy
}

/** Every other message concerns the last call: it carries the lines that identify the call's transaction. */
const about = (bytes: Buffer, nth: number, invite: string | null): Buffer => {
  if (nth % 2 === 0 || invite === null) return bytes
  const [start = "", ...lines] = bytes.toString("latin1").split("\r\n")
  const own = invite.split("\r\n").filter((line) => /^(Via|From|To|Call-ID|CSeq):/.test(line))
  return Buffer.from([start, ...own, ...lines].join("\r\n"), "latin1")
}

/** Runs some work in the background during a run, and stops it when the run ends. */
const during = async <A>(beside: (signal: AbortSignal) => Promise<void>, work: () => Promise<A>): Promise<A> => {
  const stop = new AbortController()
  const going = beside(stop.signal)
  try {
    return await work()
  } finally {
    stop.abort()
    await going
  }
}

/** Sends requests one after the other, without waiting for the previous answer. */
const asking =
  (path: string, bodyOf: (number: string) => object) =>
  ({ account, live, server }: Target) =>
  async (signal: AbortSignal): Promise<void> => {
    const headers = { "x-account-id": account, "x-api-key": live, "content-type": "application/json" }
    for (let nth = 0; !signal.aborted; nth++) {
      const body = JSON.stringify(bodyOf(`+49151${String(10_000_000 + nth)}`))
      const answered = fetch(server.baseUrl + path, { method: "POST", headers, body, signal })
      void answered.then((response) => response.arrayBuffer()).catch(() => {})
      await delay(20)
    }
  }

const sendTexts = asking("/sms", (to) => ({ to, text: "Your code is 123456" }))

const placeCalls = asking("/call/flash", (callee) => ({ callee, max_ring_time: 1 }))
