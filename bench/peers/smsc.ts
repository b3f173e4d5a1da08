/**
 * A carrier for benchmarks, as light as possible: accepts every bind and every submit_sm at once, and sends a receipt
 * for each message that asks for one, with at most a hundred receipts unacknowledged. A second port takes Kannel's
 * receipts over HTTP and answers 200. A submit_sm is answered only after `ANSWER_AFTER` milliseconds, if that is set.
 *
 * Source: SMPP 3.4 §4.1, §4.4, §4.6, Appendix B.
 */
import * as net from "node:net"

/** The counts so far, for each system_id that has bound. */
export interface Counts {
  /** Messages taken. */
  readonly submits: number
  /** Receipts that the client has acknowledged. */
  readonly acknowledged: number
  /** Requests to the port for receipts over HTTP. */
  readonly fetched: number
}

const BIND_RECEIVER = 1
const BIND_TRANSMITTER = 2
const SUBMIT = 4
const DELIVER = 5
const UNBIND = 6
const BIND_TRANSCEIVER = 9
const ENQUIRE = 0x15
const RESPONSE = 0x8000_0000

const ANSWER_AFTER = Number(process.env["ANSWER_AFTER"] ?? 0)
/** Milliseconds until a receipt follows, as in a network that takes its time. */
const DELAY = 50
const RECEIPTS_UNDERWAY = 100

interface Count {
  submits: number
  acknowledged: number
  fetched: number
}

interface Receipt {
  readonly id: string
  readonly sender: Buffer
  readonly recipient: Buffer
  readonly due: number
}

const counts = new Map<string, Count>()
const countOf = (systemId: string): Count => {
  const known = counts.get(systemId)
  if (known !== undefined) return known
  const made = { submits: 0, acknowledged: 0, fetched: 0 }
  counts.set(systemId, made)
  return made
}

let lastId = 0
// Ten hexadecimal characters, like the ids of many carriers.
const nextId = (): string => `A${(++lastId).toString(16).toUpperCase().padStart(9, "0")}`

const serveSmpp = (socket: net.Socket): void => {
  let rest = Buffer.alloc(0)
  let count: Count | undefined
  let sequence = 0
  let underway = 0
  const receipts: Array<Receipt> = []
  let nextReceipt = 0
  socket.setNoDelay(true)
  socket.on("error", () => {})
  socket.on("close", () => clearInterval(timer))

  const pump = (): void => {
    const now = performance.now()
    const out: Array<Buffer> = []
    while (underway < RECEIPTS_UNDERWAY) {
      const receipt = receipts[nextReceipt]
      if (receipt === undefined || receipt.due > now) break
      nextReceipt++
      underway++
      out.push(deliver(++sequence, receipt))
    }
    if (nextReceipt > 10_000) {
      receipts.splice(0, nextReceipt)
      nextReceipt = 0
    }
    if (out.length > 0) socket.write(Buffer.concat(out))
  }
  const timer = setInterval(pump, 10)

  const take = (frame: Buffer): Buffer | null => {
    const command = frame.readUInt32BE(4)
    const answerTo = frame.readUInt32BE(12)
    switch (command) {
      case SUBMIT: {
        const id = nextId()
        if (count !== undefined) count.submits++
        wantReceipt(frame, id)
        if (ANSWER_AFTER === 0) return respond(command, answerTo, id)
        setTimeout(() => socket.write(respond(command, answerTo, id)), ANSWER_AFTER)
        return null
      }
      case RESPONSE + DELIVER:
        underway--
        if (count !== undefined && frame.readUInt32BE(8) === 0) count.acknowledged++
        return null
      case BIND_RECEIVER:
      case BIND_TRANSMITTER:
      case BIND_TRANSCEIVER:
        count = countOf(frame.toString("latin1", 16, frame.indexOf(0, 16)))
        return respond(command, answerTo, "bench")
      case ENQUIRE:
      case UNBIND:
        return respond(command, answerTo, null)
      default:
        return null
    }
  }

  const wantReceipt = (frame: Buffer, id: string): void => {
    const senderAt = frame.indexOf(0, 16) + 3
    const senderEnd = frame.indexOf(0, senderAt)
    const recipientAt = senderEnd + 3
    const recipientEnd = frame.indexOf(0, recipientAt)
    const validityAt = frame.indexOf(0, recipientEnd + 4) + 1
    const registered = frame[frame.indexOf(0, validityAt) + 1] ?? 0
    if ((registered & 1) === 0) return
    receipts.push({
      id,
      sender: Buffer.from(frame.subarray(senderAt, senderEnd)),
      recipient: Buffer.from(frame.subarray(recipientAt, recipientEnd)),
      due: performance.now() + ANSWER_AFTER + DELAY
    })
  }

  socket.on("data", (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const answers: Array<Buffer> = []
    let start = 0
    while (bytes.length - start >= 16) {
      const length = bytes.readUInt32BE(start)
      if (length < 16) return void socket.destroy()
      if (bytes.length - start < length) break
      const answer = take(bytes.subarray(start, start + length))
      if (answer !== null) answers.push(answer)
      start += length
    }
    rest = Buffer.from(bytes.subarray(start))
    if (answers.length > 0) socket.write(answers.length === 1 ? (answers[0] ?? "") : Buffer.concat(answers))
    pump()
  })
}

const respond = (command: number, sequence: number, text: string | null): Buffer => {
  const answer = Buffer.allocUnsafe(text === null ? 16 : 17 + text.length)
  answer.writeUInt32BE(answer.length, 0)
  answer.writeUInt32BE(RESPONSE + command, 4)
  answer.writeUInt32BE(0, 8)
  answer.writeUInt32BE(sequence, 12)
  if (text !== null) answer.writeUInt8(0, 16 + answer.write(text, 16, "latin1"))
  return answer
}

/** The text before the message id, and after it the parameters receipted_message_id and message_state. */
const BEFORE = Buffer.from("id:")
const AFTER = Buffer.from(
  " sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:Your code"
)
const INTERNATIONAL = Buffer.from([1, 1])
const ALPHANUMERIC = Buffer.from([5, 0])
const NUL = Buffer.from([0])
// esm_class marks a receipt; protocol, priority, times, registered_delivery, replace, coding, default id follow.
const RECEIPT = Buffer.from([0x04, 0, 0, 0, 0, 0, 0, 0, 0])
const STATE = Buffer.from([0x04, 0x27, 0, 1, 2])

const deliver = (sequence: number, { id, recipient, sender }: Receipt): Buffer => {
  const ref = Buffer.from(id, "latin1")
  const text = BEFORE.length + ref.length + AFTER.length
  const frame = Buffer.concat([
    Buffer.alloc(16),
    NUL,
    INTERNATIONAL,
    recipient,
    NUL,
    ALPHANUMERIC,
    sender,
    NUL,
    RECEIPT,
    Buffer.from([text]),
    BEFORE,
    ref,
    AFTER,
    Buffer.from([0x00, 0x1e, 0, ref.length + 1]),
    ref,
    NUL,
    STATE
  ])
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(DELIVER, 4)
  frame.writeUInt32BE(sequence, 12)
  return frame
}

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

/** Accepts GET requests; the path is the system_id of the receipt. */
const serveHttp = (socket: net.Socket): void => {
  let text = ""
  socket.setNoDelay(true)
  socket.on("error", () => {})
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1")
    const requests = text.split("\r\n\r\n")
    text = requests.pop() ?? ""
    for (const request of requests) countOf(/^GET \/(\w+)/.exec(request)?.[1] ?? "").fetched++
    if (requests.length > 0) socket.write(OK.repeat(requests.length))
  })
}

const portOf = async (server: net.Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

process.send?.({
  smpp: await portOf(net.createServer(serveSmpp)),
  http: await portOf(net.createServer(serveHttp))
})
process.on("message", ({ about }: { readonly about: string }) => process.send?.(countOf(about)))
process.once("disconnect", () => process.exit())
