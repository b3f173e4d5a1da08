import { Frames } from "../../src/internal/sip/Frames.ts"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

const message = (body: string, name = "Content-Length"): string =>
  `SIP/2.0 200 OK\r\n${name}: ${body.length}\r\n\r\n${body}`

const pieces = (text: string, cuts: ReadonlyArray<number>): ReadonlyArray<string> => {
  const edges = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length]
  return edges.slice(1).map((edge, index) => text.slice(edges[index], edge))
}

const read = (chunks: ReadonlyArray<string>) => {
  const frames = new Frames()
  const messages: Array<string> = []
  let pings = 0
  const sense = chunks.every((chunk) =>
    frames.push(
      Buffer.from(chunk, "latin1"),
      (bytes) => void messages.push(bytes.toString("latin1")),
      () => pings++
    )
  )
  return { messages, pings, sense }
}

describe("a stream", () => {
  it("is cut into the same messages, however it arrives", () => {
    const body = FastCheck.string({ maxLength: 40, unit: FastCheck.constantFrom("a", "\r", "\n", "\r\n\r\n", "l: 7") })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(body, { maxLength: 6 }), FastCheck.array(FastCheck.nat()), (bodies, cuts) => {
        const sent = bodies.map((each, index) => message(each, index % 2 === 0 ? "Content-Length" : "l"))
        const { messages, sense } = read(pieces(sent.join(""), cuts))
        expect(messages).toEqual(sent)
        return sense
      })
    )
  })

  it("may have blank lines between messages, and keep-alives", () => {
    const text = `\r\n${message("a")}\r\n\r\n\r\n${message("b")}\r\n\r\n`
    expect(read([text])).toEqual({ messages: [message("a"), message("b")], pings: 2, sense: true })
  })

  it("takes a message without a length for one without a body", () => {
    const text = "SIP/2.0 200 OK\r\nX: y\r\n\r\n"
    expect(read([text + message("a")])).toMatchObject({ messages: [text, message("a")], sense: true })
  })

  it("reads a length with blanks around it", () => {
    const text = "SIP/2.0 200 OK\r\nContent-Length\t:  1 \t\r\n\r\na"
    expect(read([text + message("b")])).toMatchObject({ messages: [text, message("b")], sense: true })
  })

  it.each([
    ["a negative length", "SIP/2.0 200 OK\r\nContent-Length: -999\r\n\r\n"],
    ["two lengths", "SIP/2.0 200 OK\r\nContent-Length: 1\r\nl: 2\r\n\r\n"],
    ["a length beyond all bounds", "SIP/2.0 200 OK\r\nContent-Length: 9999999\r\n\r\n"],
    ["no end of a head", "X".repeat(70_000)]
  ])("makes no sense with %s", (_what, text) => {
    expect(read([text])).toMatchObject({ messages: [], sense: false })
  })

  it("never throws, whatever comes", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.string({ unit: "binary" })), (chunks) => {
        expect(() => read(chunks)).not.toThrow()
      })
    )
  })
})
