/**
 * Requests and bodies of hosts that speak fetch.
 */
import { type HostRequest, type HostStream, type ReadBody, absent } from "../Host.ts"

/** A body that comes piece by piece as a stream, which is asked for a piece when its client can take one. */
export const streamOf = (body: HostStream): ReadableStream<Uint8Array> => {
  const pieces = body[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => void (await pieces.return?.())
    },
    { highWaterMark: 0 }
  )
}

/** A request's body, or how to read it. Throws where it has been read already. */
export const bodyOf = (request: Request): HostRequest["body"] => {
  const { body } = request
  if (body === null) return absent
  if (request.bodyUsed) throw new TypeError("The request's body has been read already: give the handler an unread one.")
  return reader(body)
}

const reader =
  (body: ReadableStream<Uint8Array>): ReadBody =>
  ({ end, fail, write }) => {
    const reader = body.getReader()
    const pour = async (): Promise<void> => {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return end()
        write(value)
      }
    }
    pour().catch(fail)
    // The rest is dropped, and a failure of dropping it changes nothing. A Worker throws it where another request has a
    // body given up.
    const drop = async (): Promise<void> => reader.cancel()
    return () => void drop().catch(() => {})
  }
