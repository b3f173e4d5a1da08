import { Connection, type Listener, type Submission } from "@watchword/sms/smpp/Connection"
import { enquireLink } from "@watchword/sms/smpp/Pdu"
import { once } from "node:events"
import * as net from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { TestCarrier } from "./TestCarrier.ts"
import * as wire from "./wire.ts"

const carriers: Array<TestCarrier> = []
afterEach(async () => {
  for (const carrier of carriers.splice(0)) await carrier.stop()
})

const connect = async (listener: Partial<Listener> = {}) => {
  const carrier = await TestCarrier.start({ submit: () => "silence" })
  carriers.push(carrier)
  const socket = net.connect(carrier.port, "127.0.0.1")
  await once(socket, "connect")
  const { promise: closed, resolve } = Promise.withResolvers<string>()
  let closings = 0
  const connection = new Connection(socket, {
    delivered: (_, answer) => answer(0),
    ready: () => {},
    doubtful: () => {},
    dismissed: () => {},
    noticed: () => {},
    ...listener,
    closed: (reason) => {
      closings++
      resolve(reason)
    }
  })
  await carrier.until(() => carrier.sessions.size === 1)
  return { carrier, connection, closed, closings: () => closings }
}

const record = () => {
  const heard: Array<string> = []
  const submission: Submission = {
    answered: (status, id) => heard.push(`answered ${status} ${id}`),
    silent: () => heard.push("silent"),
    lost: () => heard.push("lost")
  }
  return { heard, submission }
}

const fails = () => {
  throw new Error("a bug")
}

// What is submitted does not matter here, as long as it has an answer.
const frame = (sequence: number) => wire.pdu(wire.command.submit_sm, 0, sequence, wire.deliverSm({ esmClass: 0 }))

describe("a connection", () => {
  it("is closed by a fault of its user in the middle of the stream, and everybody hears of it", async () => {
    const { carrier, connection, closed, closings } = await connect()
    const { heard, submission } = record()
    connection.submit(frame, { ...submission, answered: fails }, 1000)
    connection.submit(frame, submission, 1000)
    let enquired: number | null | undefined
    connection.request(enquireLink, (status) => (enquired = status))
    await carrier.until(() => carrier.submits.length === 2)
    carrier.submits[0]?.answer({ id: "1" })
    expect(await closed).toContain("a bug")
    expect(heard).toEqual(["lost", "lost"])
    expect(enquired === null || enquired === 0).toBe(true)
    expect(closings()).toBe(1)
    expect(connection.isOpen).toBe(false)
  })

  it("survives a fault of its user while it closes", async () => {
    const { carrier, connection, closed } = await connect()
    const { heard, submission } = record()
    connection.submit(frame, { ...submission, lost: fails }, 1000)
    connection.submit(frame, submission, 1000)
    await carrier.until(() => carrier.submits.length === 2)
    connection.destroy("enough")
    expect(await closed).toBe("enough")
    expect(heard).toEqual(["lost"])
  })

  it("survives a fault of its user when an answer stays away", async () => {
    const notices: Array<string> = []
    const { connection } = await connect({ noticed: (notice) => notices.push(notice) })
    const { heard, submission } = record()
    connection.submit(frame, { ...submission, silent: fails }, 1000)
    connection.submit(frame, submission, 1000)
    connection.expire(1000)
    expect(heard).toEqual(["silent"])
    expect(notices).toEqual(["a fault in this service: a bug"])
  })

  it("says once that it is closed, and why", async () => {
    const { carrier, closed, closings } = await connect()
    for (const { socket } of carrier.sessions) socket.end(wire.pdu(0x15, 0, 1).subarray(0, 10))
    expect(await closed).toBe("the carrier hung up in the middle of a PDU")
    await new Promise((resolve) => setImmediate(resolve))
    expect(closings()).toBe(1)
  })

  it("hears an answer once, in time or late, and no other", async () => {
    const { carrier, connection } = await connect()
    const { heard, submission } = record()
    connection.submit(frame, submission, 1000)
    expect(connection.nextTimeout).toBe(1000)
    connection.expire(999)
    expect(heard).toEqual([])
    connection.expire(1000)
    expect([connection.outstanding, connection.nextTimeout]).toEqual([0, Number.POSITIVE_INFINITY])
    await carrier.until(() => carrier.submits.length === 1)
    carrier.submits[0]?.answer({ id: "1" })
    carrier.submits[0]?.answer({ id: "2" })
    for (const session of carrier.sessions) await session.request(wire.command.enquire_link)
    expect(heard).toEqual(["silent", "answered 0 1"])
  })

  it("forgets what stayed unanswered for ten minutes", async () => {
    const { carrier, connection } = await connect()
    const { heard, submission } = record()
    connection.submit(frame, submission, 1000)
    connection.expire(1000)
    connection.expire(1000 + 10 * 60 * 1000)
    await carrier.until(() => carrier.submits.length === 1)
    carrier.submits[0]?.answer({ id: "1" })
    for (const session of carrier.sessions) await session.request(wire.command.enquire_link)
    expect(heard).toEqual(["silent"])
  })

  it("answers a request at once when it is closed already", async () => {
    const { connection, closed } = await connect()
    connection.destroy("enough")
    await closed
    let status: number | null | undefined
    connection.request(enquireLink, (answer) => (status = answer))
    expect(status).toBeNull()
  })
})
