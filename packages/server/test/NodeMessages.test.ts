import * as http from "node:http"
import * as net from "node:net"
import { once } from "node:events"
import { isUnread, writeAnswer } from "@watchword/server/node"
import { afterEach, describe, expect, it } from "vitest"

const servers = new Set<http.Server>()

afterEach(() => {
  for (const server of servers) server.close().closeAllConnections()
  servers.clear()
})

/** A server that answers each request before it has read the body. */
const start = async (): Promise<number> => {
  const server = http.createServer((request, response) => {
    void isUnread(request).then((unread) =>
      writeAnswer(request, response, { status: 413, headers: {}, body: "too large" }, unread)
    )
  })
  servers.add(server)
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

describe("an answer to a client that is still sending", () => {
  it("is read by the client, and the connection is closed behind it", async () => {
    const socket = net.connect(await start(), "127.0.0.1")
    let answer = ""
    socket.setEncoding("latin1").on("data", (text: string) => {
      answer += text
    })
    socket.write("POST / HTTP/1.1\r\nHost: example\r\nContent-Length: 1000\r\n\r\nthe first words")
    await once(socket, "close")
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toMatch(/too large$/)
  })
})
