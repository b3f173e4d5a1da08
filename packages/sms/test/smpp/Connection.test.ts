import { Connection, type Listener, type SubmitResult } from "../../src/internal/smpp/Connection.ts"
import { encode } from "../../src/internal/smpp/Pdu.ts"
import { once } from "node:events"
import * as net from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { smsc, type Smsc } from "@watchword/sandbox/smsc"
import * as wire from "@watchword/sandbox/smsc"

const carriers: Array<Smsc> = []
afterEach(async () => {
  for (const carrier of carriers.splice(0)) await carrier.stop()
})

const connect = async (listener: Partial<Listener> = {}) => {
  const carrier = await smsc({ script: { submit: () => "silence" } })
  carriers.push(carrier)
  const socket = net.connect(carrier.port, "127.0.0.1")
  await once(socket, "connect")
  const { promise: closed, resolve } = Promise.withResolvers<string>()
  let closings = 0
  const connection = new Connection(socket, {
    delivered: (_, answer) => answer(0),
    ready: () => {},
    doubtful: () => {},
    unbound: () => {},
    forgotten: () => {},
    nacked: () => {},
    noticed: () => {},
    ...listener,
    closed: (reason) => {
      closings++
      resolve(reason)
    }
  })
  await carrier.until(() => carrier.sessions.size === 1)
  // As if the link had been bound, which is not this connection's part.
  for (const session of carrier.sessions) session.command = "bind_transceiver"
  return { carrier, connection, closed, closings: () => closings }
}

const record = () => {
  const results: Array<SubmitResult> = []
  return { results, onResult: (result: SubmitResult) => void results.push(result) }
}

const timedOut: SubmitResult = { _tag: "TimedOut" }
const lost: SubmitResult = { _tag: "Lost" }
const answered = (messageId: string): SubmitResult => ({ _tag: "Answered", status: 0, messageId })

/** Records results, and throws at one kind of them. */
const failing = (tag: SubmitResult["_tag"], results: Array<SubmitResult>) => (result: SubmitResult) => {
  if (result._tag === tag) throw new Error("a bug")
  results.push(result)
}

// The submitted PDU does not matter here, as long as it has an answer.
const frame = (sequence: number) => wire.pdu(wire.command.submit_sm, 0, sequence, wire.deliverSm({ esmClass: 0 }))

describe("a connection", () => {
  it("is closed by a fault of a callback in the middle of the stream, and every request has a result", async () => {
    const { carrier, connection, closed, closings } = await connect()
    const { onResult, results } = record()
    connection.submit(frame, 1000, failing("Answered", results))
    connection.submit(frame, 1000, onResult)
    let enquired: number | null | undefined
    connection.request(
      (sequence) => encode("enquire_link", sequence),
      (status) => (enquired = status)
    )
    await carrier.until(() => carrier.submits.length === 2)
    carrier.submits[0]?.answer({ id: "1" })
    expect(await closed).toContain("a bug")
    expect(results).toEqual([lost, lost])
    expect(enquired === null || enquired === 0).toBe(true)
    expect(closings()).toBe(1)
    expect(connection.isOpen).toBe(false)
  })

  it("survives a fault of a callback while it closes", async () => {
    const { carrier, connection, closed } = await connect()
    const { onResult, results } = record()
    connection.submit(frame, 1000, failing("Lost", results))
    connection.submit(frame, 1000, onResult)
    await carrier.until(() => carrier.submits.length === 2)
    connection.destroy("enough")
    expect(await closed).toBe("enough")
    expect(results).toEqual([lost])
  })

  it("survives a fault of a callback at a timeout", async () => {
    const notices: Array<string> = []
    const { connection } = await connect({ noticed: (notice) => notices.push(notice) })
    const { onResult, results } = record()
    connection.submit(frame, 1000, failing("TimedOut", results))
    connection.submit(frame, 1000, onResult)
    connection.expire(1000)
    expect(results).toEqual([timedOut])
    expect(notices).toEqual(["a fault in this service: a bug"])
  })

  it("reports once that it is closed, and why", async () => {
    const { carrier, closed, closings } = await connect()
    for (const { socket } of carrier.sessions) socket.end(wire.pdu(0x15, 0, 1).subarray(0, 10))
    expect(await closed).toBe("the carrier hung up in the middle of a PDU")
    await new Promise((resolve) => setImmediate(resolve))
    expect(closings()).toBe(1)
  })

  it("matches one response to a request, in time or late", async () => {
    const { carrier, connection } = await connect()
    const { onResult, results } = record()
    connection.submit(frame, 1000, onResult)
    expect(connection.nextTimeout).toBe(1000)
    connection.expire(999)
    expect(results).toEqual([])
    connection.expire(1000)
    expect([connection.outstanding, connection.nextTimeout]).toEqual([0, Number.POSITIVE_INFINITY])
    await carrier.until(() => carrier.submits.length === 1)
    carrier.submits[0]?.answer({ id: "1" })
    carrier.submits[0]?.answer({ id: "2" })
    for (const session of carrier.sessions) await session.request(wire.command.enquire_link)
    expect(results).toEqual([timedOut, answered("1")])
  })

  it("does not match a response after ten minutes", async () => {
    const { carrier, connection } = await connect()
    const { onResult, results } = record()
    connection.submit(frame, 1000, onResult)
    connection.expire(1000)
    connection.expire(1000 + 10 * 60 * 1000)
    await carrier.until(() => carrier.submits.length === 1)
    carrier.submits[0]?.answer({ id: "1" })
    for (const session of carrier.sessions) await session.request(wire.command.enquire_link)
    expect(results).toEqual([timedOut])
  })

  it("waits for ten thousand late responses at most", async () => {
    const { carrier, connection } = await connect()
    const { onResult, results } = record()
    for (let index = 0; index <= 10_000; index++) connection.submit(frame, 1000, onResult)
    connection.expire(1000)
    await carrier.until(() => carrier.submits.length === 10_001)
    carrier.submits[0]?.answer({ id: "1" })
    carrier.submits[1]?.answer({ id: "2" })
    for (const session of carrier.sessions) await session.request(wire.command.enquire_link)
    expect(results.slice(10_001)).toEqual([answered("2")])
  })

  it("answers a request at once when it is closed already", async () => {
    const { connection, closed } = await connect()
    connection.destroy("enough")
    await closed
    let status: number | null | undefined
    connection.request(
      (sequence) => encode("enquire_link", sequence),
      (answer) => (status = answer)
    )
    expect(status).toBeNull()
  })
})
