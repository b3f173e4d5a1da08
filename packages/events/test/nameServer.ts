/**
 * A DNS server on a UDP port of loopback: it answers for the names that it is given, and says of others that there are
 * none.
 *
 * Source: RFC 1035 §4.1.
 */
import { type Socket, createSocket } from "node:dgram"
import { once } from "node:events"
import { isIPv4 } from "node:net"

/** The addresses of a name. A silent entry is never answered. */
export type Entry = { readonly addresses: ReadonlyArray<string>; readonly ttl?: number } | "silent"

export interface NameServer {
  /** For `nameServers`. */
  readonly address: string
  /** Names by their entries; those below a name that begins with a dot have its entry. */
  readonly names: Map<string, Entry>
  /** Names that were asked for, each time that one was. */
  readonly asked: ReadonlyArray<string>
}

const sockets = new Set<Socket>()

/** Closes all name servers of a test. */
export const closeNameServers = async (): Promise<void> => {
  for (const socket of sockets) {
    sockets.delete(socket)
    const closed = once(socket, "close")
    socket.close()
    await closed
  }
}

export const nameServer = async (entries: Readonly<Record<string, Entry>> = {}): Promise<NameServer> => {
  const names = new Map(Object.entries(entries))
  const asked: Array<string> = []
  const socket = createSocket("udp4")
  sockets.add(socket)
  socket.on("message", (query, { address, port }) => {
    const question = questionIn(query)
    asked.push(question.name)
    const parent = [...names.keys()].find((name) => name.startsWith(".") && question.name.endsWith(name))
    const entry = names.get(question.name) ?? (parent === undefined ? undefined : names.get(parent))
    if (entry !== "silent") socket.send(answerTo(query, question, entry), port, address)
  })
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  return { address: `127.0.0.1:${socket.address().port}`, names, asked }
}

interface Question {
  readonly name: string
  readonly type: number
  /** Where it ends in its message. */
  readonly end: number
}

const HEADER = 12

const questionIn = (query: Buffer): Question => {
  const labels: Array<string> = []
  let at = HEADER
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("ascii", at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

const A = 1
const AAAA = 28

const answerTo = (query: Buffer, { end, type }: Question, entry: Exclude<Entry, "silent"> | undefined): Buffer => {
  const wanted = (entry?.addresses ?? []).filter((address) => type === (isIPv4(address) ? A : AAAA))
  const header = Buffer.alloc(HEADER)
  query.copy(header, 0, 0, 2)
  // A response, with recursion; 3 is that there is no such name.
  header.writeUInt16BE(0x8180 | (entry === undefined ? 3 : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(wanted.length, 6)
  return Buffer.concat([header, query.subarray(HEADER, end), ...wanted.map((each) => record(each, entry?.ttl ?? 0))])
}

const record = (address: string, ttl: number): Buffer => {
  const bytes = bytesOf(address)
  const head = Buffer.alloc(12)
  // The name of the question.
  head.writeUInt16BE(0xc000 | HEADER, 0)
  head.writeUInt16BE(isIPv4(address) ? A : AAAA, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(ttl, 6)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}

const bytesOf = (address: string): Buffer => {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number))
  const [before = "", after = ""] = address.split("::")
  const [head, tail] = [before, after].map((part) => part.split(":").filter((group) => group !== ""))
  const zeros = Array.from({ length: 8 - (head?.length ?? 0) - (tail?.length ?? 0) }, () => "0")
  const groups = [...(head ?? []), ...zeros, ...(tail ?? [])]
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex")
}
