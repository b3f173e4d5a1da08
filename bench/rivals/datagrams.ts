/**
 * The datagrams of a call and nothing else: three out and three in, as long as they are in SIP, by Node's own socket.
 * It parses nothing, keeps nothing and sets no timers: no caller in Node costs less.
 */
import * as dgram from "node:dgram"
import type { Round, Task } from "../peers/sipCaller.ts"

const port = Number(process.env["TRUNK_PORT"])
const socket = dgram.createSocket({
  type: "udp4",
  recvBufferSize: 4 * 1024 * 1024,
  lookup: (address, _options, found) => found(null, address, 4)
})

const URI = `sip:+4915123456789@127.0.0.1:${port};user=phone`
/** An INVITE has more headers, and an offer. */
const MORE = `X: ${"x".repeat(480)}\r\n`

const send = (method: string, call: number, more = ""): void => {
  const text =
    `${method} ${URI} SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bK1d2c3b4a${call};rport\r\n` +
    "Max-Forwards: 70\r\nFrom: <sip:+4930901820123@127.0.0.1;user=phone>;tag=1d2c3b4a5968\r\n" +
    `To: <${URI}>\r\nCall-ID: 1b5d1a4e${call}\r\nCSeq: 1 ${method}\r\n${more}Content-Length: 0\r\n\r\n`
  socket.send(Buffer.from(text, "latin1"), port, "127.0.0.1")
}

const BRANCH = "branch=z9hG4bK1d2c3b4a"
let next = 10_000_000

const round = ({ atOnce, calls }: Task): Promise<Round> =>
  new Promise((resolve) => {
    const cpu = process.cpuUsage()
    const start = performance.now()
    let left = calls
    let underWay = 0
    const place = (): void => {
      left--
      underWay++
      send("INVITE", next++, MORE)
    }
    const receive = (bytes: Buffer): void => {
      const text = bytes.toString("latin1")
      const at = text.indexOf(BRANCH) + BRANCH.length
      const call = Number(text.slice(at, at + 8))
      if (text.startsWith("180", 8)) return send("CANCEL", call)
      if (!text.startsWith("487", 8)) return
      send("ACK", call)
      underWay--
      if (left > 0) return place()
      if (underWay > 0) return
      socket.off("message", receive)
      const { system, user } = process.cpuUsage(cpu)
      resolve({ perSecond: calls / ((performance.now() - start) / 1000), cpu: (user + system) / calls })
    }
    socket.on("message", receive)
    for (let index = Math.min(atOnce, calls); index > 0; index--) place()
  })

process.on("message", async (task: Task) => process.send?.(await round(task)))
process.once("disconnect", () => process.exit())
socket.bind(0, "127.0.0.1", () => process.send?.("ready"))
