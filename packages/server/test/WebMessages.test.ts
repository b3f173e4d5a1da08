import { streamOf } from "@watchword/server/web"
import { describe, expect, it } from "vitest"

const encoder = new TextEncoder()

/** Pieces of a body, and whether it has been ended. */
const body = (pieces: ReadonlyArray<string>) => {
  let isEnded = false
  const pieced = async function* () {
    try {
      for (const piece of pieces) yield encoder.encode(piece)
    } finally {
      isEnded = true
    }
  }
  return { stream: streamOf(pieced()), isEnded: () => isEnded }
}

describe("a body that is streamed", () => {
  it("has all pieces, and ends with the last", async () => {
    expect(await new Response(body(["one, ", "two"]).stream).text()).toBe("one, two")
  })

  it("ends when its client takes no more", async () => {
    const { isEnded, stream } = body(["one, ", "two"])
    const reader = stream.getReader()
    await reader.read()
    await reader.cancel()
    expect(isEnded()).toBe(true)
  })
})
