/**
 * A SIP trunk for benchmarks, as light as can be: every phone rings at once and until it is cancelled.
 */
import * as dgram from "node:dgram"

/**
 * Answers INVITE with 180, CANCEL with 200 and 487, BYE with 200, in a process of its own: tells its parent the
 * address, and ends with it.
 */
export const trunk = (): void => {
  const unacknowledged = new Map<string, NodeJS.Timeout>()
  const socket = dgram.createSocket({ type: "udp4", recvBufferSize: 4 * 1024 * 1024 })
  socket.on("message", (bytes, { address, port }) => {
    const request = bytes.toString("latin1")
    const method = request.slice(0, request.indexOf(" "))
    const line = (name: string) => {
      const start = request.indexOf(`\r\n${name}:`)
      return request.slice(start, request.indexOf("\r\n", start + 2))
    }
    const [via, from, to, callId, cseq] = [line("Via"), line("From"), line("To"), line("Call-ID"), line("CSeq")]
    const respond = (status: string, cseqLine = cseq) => {
      const tag = to.includes(";tag=") ? "" : ";tag=trunk"
      const text = `SIP/2.0 ${status}${via}${from}${to}${tag}${callId}${cseqLine}\r\nContent-Length: 0\r\n\r\n`
      socket.send(Buffer.from(text, "latin1"), port, address)
    }
    if (method === "ACK") {
      clearInterval(unacknowledged.get(callId))
      unacknowledged.delete(callId)
      return
    }
    if (method === "INVITE") return respond("180 Ringing")
    respond("200 OK")
    if (method !== "CANCEL") return
    const terminate = () => respond("487 Request Terminated", cseq.replace("CANCEL", "INVITE"))
    terminate()
    // RFC 3261 §17.2.1: a final answer is said again until it is acknowledged, for it may be lost.
    if (!unacknowledged.has(callId)) unacknowledged.set(callId, setInterval(terminate, 500))
  })
  socket.bind(0, "127.0.0.1", () => process.send?.(socket.address()))
  process.once("disconnect", () => process.exit())
}
