/**
 * SIP messages of a connection over TCP or TLS, whichever side has opened it.
 *
 * Source: RFC 3261 §18.3; RFC 5626 §3.5.1 (keep-alive).
 */
import type { Socket } from "node:net"
import type { Receive, Source } from "./Endpoint.ts"
import { Frames } from "./Frames.ts"
import { parse } from "./Message.ts"

/** Milliseconds without traffic; OPTIONS keep the connection to a trunk in use. */
const IDLE_LIMIT = 300_000

/** Reads a connection until it closes, and answers its keep-alives. */
export const readFrom = (socket: Socket, from: Omit<Source, "reply">, receive: Receive): void => {
  const { address, port, protocol } = from
  const source: Source = { protocol, address, port, reply: (text) => void socket.write(text, "latin1") }
  const frames = new Frames()
  socket.setNoDelay(true)
  socket.setTimeout(IDLE_LIMIT, () => socket.destroySoon())
  socket.on("data", (chunk: Buffer) => {
    const makesSense = frames.push(
      chunk,
      (bytes) => {
        const message = parse(bytes)
        if (message !== undefined) receive(message, source)
      },
      () => void socket.write("\r\n")
    )
    if (!makesSense) socket.destroy(new Error("the trunk sent something that is not SIP"))
  })
}
