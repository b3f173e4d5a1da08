import { Frames } from "../../src/internal/smpp/Frames.ts"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"
import { pdu } from "@watchword/sandbox/smsc"

const pieces = (bytes: Buffer, cuts: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
}

const read = (chunks: ReadonlyArray<Buffer>) => {
  const frames = new Frames()
  const taken: Array<string> = []
  const problems = chunks.map((chunk) => frames.push(chunk, (frame) => taken.push(frame.toString("hex"))))
  return { taken, problem: problems.find((problem) => problem !== undefined), partial: frames.partial }
}

describe("a stream of PDUs", () => {
  it("is cut into the same PDUs, however it arrives", () => {
    const body = FastCheck.uint8Array({ maxLength: 60 }).map((octets) => Buffer.from(octets))
    FastCheck.assert(
      FastCheck.property(FastCheck.array(body, { maxLength: 8 }), FastCheck.array(FastCheck.nat()), (bodies, cuts) => {
        const sent = bodies.map((each, index) => pdu(5, 0, index, each))
        const { taken, problem, partial } = read(pieces(Buffer.concat(sent), cuts))
        expect(taken).toEqual(sent.map((each) => each.toString("hex")))
        return problem === undefined && !partial
      })
    )
  })

  it("never throws and never gives half a PDU, on any octets", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.uint8Array({ maxLength: 100 })), (chunks) => {
        const frames = new Frames()
        const whole = (frame: Buffer) => frame.length >= 16 && frame.length === frame.readUInt32BE(0)
        const taken: Array<boolean> = []
        for (const chunk of chunks) {
          if (frames.push(Buffer.from(chunk), (frame) => void taken.push(whole(frame))) !== undefined) break
        }
        expect(taken).not.toContain(false)
      })
    )
  })

  it.each([0, 3, 4, 15, 70_001, 0x4854_5450])("is at its end at a command_length of %i", (length) => {
    const bytes = pdu(0x15, 0, 1)
    bytes.writeUInt32BE(length)
    expect(read([pdu(0x15, 0, 1), bytes])).toMatchObject({
      taken: [pdu(0x15, 0, 1).toString("hex")],
      problem: `the carrier sent a command_length of ${length}`
    })
  })

  it("knows that a PDU has begun", () => {
    expect(read([pdu(0x15, 0, 1).subarray(0, 7)])).toMatchObject({ taken: [], partial: true })
  })
})
