/**
 * A web handler, from Request to Response, as the handle of a host.
 */
import { STATUS_CODES } from "node:http"
import type { HandlePromise, HostBody, HostRequest } from "@watchword/server/Host"

/** The largest body that is read, in bytes. */
const LARGEST = 1_048_576

export const toHandle =
  (answer: (request: Request) => Promise<Response>): HandlePromise =>
  async (host) => {
    const body = await read(host.body)
    if (body === null) return { status: 413, headers: {}, body: STATUS_CODES[413] ?? null }
    const response = await answer(requestOf(host, body))
    return { status: response.status, headers: Object.fromEntries(response.headers), body: response.body }
  }

const requestOf = ({ headers, method, path }: HostRequest, body: Uint8Array<ArrayBuffer>): Request => {
  const all = Object.entries(headers).flatMap(([name, value]): Array<[string, string]> =>
    value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(", ")]]
  )
  return new Request(`http://localhost${path}`, {
    method,
    headers: all,
    ...(method === "GET" || method === "HEAD" || body.length === 0 ? {} : { body })
  })
}

/** Null for a body that cannot be read, or is too large. */
const read = (body: HostRequest["body"]): Promise<Uint8Array<ArrayBuffer> | null> =>
  new Promise((resolve) => {
    if (typeof body !== "function") return resolve(bytesOf(body))
    const pieces: Array<Uint8Array> = []
    let length = 0
    const stop = body({
      write: (piece) => {
        length += piece.length
        pieces.push(piece)
        if (length > LARGEST) {
          stop()
          resolve(null)
        }
      },
      end: () => resolve(new Uint8Array(Buffer.concat(pieces))),
      fail: () => resolve(null)
    })
  })

const bytesOf = (body: HostBody): Uint8Array<ArrayBuffer> | null => {
  switch (body._tag) {
    case "Absent":
      return new Uint8Array()
    case "Bytes":
      return new Uint8Array(body.bytes)
    case "Parsed":
      return new TextEncoder().encode(JSON.stringify(body.value))
    default:
      return null
  }
}
