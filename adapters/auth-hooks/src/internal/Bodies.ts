/**
 * Bodies of hooks. The memory that all of them take at once is bounded.
 */
import { type BodyAllowance, type HostBody, type HostRequest, overloaded } from "@watchword/server/Host"

/** More than an identity server tells of a user. */
const MAX_BODY_BYTES = 262_144

/** Of all bodies that are being read, or whose requests are being answered. */
const MAX_TOTAL_BYTES = 16 * 1_048_576

/** Gives the body of a request to what answers it. */
export type WithBody = <A>(request: HostRequest, use: (body: HostBody) => Promise<A>) => Promise<A>

export const make = (): WithBody => {
  let free = MAX_TOTAL_BYTES
  return async ({ body }, use) => {
    let taken = 0
    const take = (bytes: number): boolean => {
      if (bytes > free) return false
      free -= bytes
      taken += bytes
      return true
    }
    try {
      return await use(typeof body === "function" ? await body({ maxBytes: MAX_BODY_BYTES, take }) : body)
    } finally {
      free += taken
    }
  }
}

/** How to read the body of a web request. */
export const bodyOf = (request: Request): HostRequest["body"] => {
  const { body } = request
  if (body === null) return { _tag: "Absent" }
  return (allowance) => read(body, allowance).catch((): HostBody => ({ _tag: "Unreadable" }))
}

const read = async (stream: ReadableStream<Uint8Array>, { maxBytes, take }: BodyAllowance): Promise<HostBody> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > maxBytes) return { _tag: "TooLarge" }
    if (!take(chunk.length)) return overloaded
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return { _tag: "Bytes", bytes }
}
