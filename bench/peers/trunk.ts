/**
 * A SIP trunk for benchmarks, as light as possible, in a process of its own: every phone rings at once until it is
 * cancelled. INVITE is answered with 180, CANCEL with 200 and 487, BYE with 200. It sends its address to its parent,
 * later its counts on request, and ends with its parent.
 */
import * as dgram from "node:dgram"

/** Counts so far; a retransmission is not counted again. */
export interface Counts {
  readonly invited: number
  readonly cancelled: number
  readonly acknowledged: number
}

/** Milliseconds until an unacknowledged final answer is sent again. Source: RFC 3261 §17.2.1. */
const AGAIN = 500

const ringing = new Set<string>()
const unacknowledged = new Map<string, { readonly terminate: () => void; readonly at: number }>()
let [invited, cancelled, acknowledged] = [0, 0, 0]

const socket = dgram.createSocket({
  type: "udp4",
  recvBufferSize: 4 * 1024 * 1024,
  lookup: (address, _options, found) => found(null, address, 4)
})

const answer = (request: string, address: string, port: number): void => {
  const [via, afterVia] = lineOf(request, "\r\nVia:", 0)
  const [from, afterFrom] = lineOf(request, "\r\nFrom:", afterVia)
  const [to, afterTo] = lineOf(request, "\r\nTo:", afterFrom)
  const [callId, afterCallId] = lineOf(request, "\r\nCall-ID:", afterTo)
  const [cseq] = lineOf(request, "\r\nCSeq:", afterCallId)
  const echoed = `${via}${from}${to}${to.includes(";tag=") ? "" : ";tag=trunk"}${callId}`
  const respond = (status: string, cseqLine: string): void => {
    const text = `SIP/2.0 ${status}${echoed}${cseqLine}\r\nContent-Length: 0\r\n\r\n`
    socket.send(Buffer.from(text, "latin1"), port, address)
  }
  switch (request.slice(0, request.indexOf(" "))) {
    case "INVITE":
      if (!ringing.has(callId)) invited++
      ringing.add(callId)
      return respond("180 Ringing", cseq)
    case "CANCEL": {
      respond("200 OK", cseq)
      const terminate = () => respond("487 Request Terminated", cseq.replace("CANCEL", "INVITE"))
      if (ringing.delete(callId)) {
        cancelled++
        unacknowledged.set(callId, { terminate, at: performance.now() })
      }
      return terminate()
    }
    case "ACK":
      if (unacknowledged.delete(callId)) acknowledged++
      return
    default:
      respond("200 OK", cseq)
  }
}

/** A header line including the line break before it, searched for from `after`; and the position of its end. */
const lineOf = (request: string, start: string, after: number): readonly [string, number] => {
  const begin = request.indexOf(start, after)
  const end = request.indexOf("\r\n", begin + 2)
  return [request.slice(begin, end), end]
}

socket.on("message", (bytes, { address, port }) => answer(bytes.toString("latin1"), address, port))
setInterval(() => {
  const due = performance.now() - AGAIN
  for (const { at, terminate } of unacknowledged.values()) {
    if (at > due) break
    terminate()
  }
}, AGAIN)
process.on("message", () => process.send?.({ invited, cancelled, acknowledged } satisfies Counts))
process.once("disconnect", () => process.exit())
socket.bind(0, "127.0.0.1", () => process.send?.(socket.address()))
