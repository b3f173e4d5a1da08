import { MessageIds, canonical } from "../../src/internal/smpp/MessageIds.ts"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

const ANN = "+4915123456789"
const BEN = "+4915198765432"

describe("a message id", () => {
  it.each([
    ["0000001A2B", "1a2b"],
    ["1a2b", "1a2b"],
    ["0", "0"],
    ["000", "0"],
    [" 77\r\n", "77"],
    ["7\u00007", "77"],
    ["Msg-0001", "Msg-0001"],
    ["550E8400-E29B-41D4-A716-446655440000", "550E8400-E29B-41D4-A716-446655440000"]
  ])("%s is kept as %s", (id, expected) => {
    expect(canonical(id)).toBe(expected)
  })

  it("is found again in every dress", () => {
    const id = FastCheck.bigInt({ min: 1n, max: 2n ** 80n })
    const bases = FastCheck.constantFrom<readonly [10 | 16, 10 | 16]>([10, 10], [16, 16], [10, 16], [16, 10])
    FastCheck.assert(
      FastCheck.property(
        id,
        bases,
        FastCheck.nat({ max: 8 }),
        FastCheck.boolean(),
        (id, [given, received], zeros, upper) => {
          const ids = new MessageIds("")
          const ref = ids.register(id.toString(given), ANN)
          const dressed = "0".repeat(zeros) + id.toString(received)
          // A number that reads the same in both bases is the same whichever way it was meant.
          const spellings = ids.spellings(upper ? dressed.toUpperCase() : dressed, ANN)
          expect(spellings).toEqual([ref])
        }
      )
    )
  })

  it("has its spellings tried in order while nothing is known of the carrier", () => {
    expect(new MessageIds("").spellings("0010", ANN)).toEqual(["10", "a", "16"])
    expect(new MessageIds("").spellings("1F", ANN)).toEqual(["1f", "31"])
    expect(new MessageIds("").spellings("Msg-1", ANN)).toEqual(["Msg-1", "msg-1", "MSG-1"])
    // Without a number, nothing would distinguish it from another message's id.
    expect(new MessageIds("").spellings("Msg-1", null)).toEqual(["Msg-1"])
    expect(new MessageIds("").spellings("", ANN)).toEqual([])
  })

  it("is not taken for another message's, whose id looks alike", () => {
    const ids = new MessageIds("")
    ids.register("10", ANN)
    ids.register("16", BEN)
    ids.register("a", BEN)
    expect(ids.spellings("10", ANN)).toEqual(["10"])
    // The receipt of a message whose answer is still to come: 10 in hexadecimal is 16, but that is Ben's.
    const early = new MessageIds("")
    early.register("16", BEN)
    expect(early.spellings("10", ANN)).toEqual(["10", "a"])
  })

  it("may be in the other case, where exactly one recent message to that number has it so", () => {
    const ids = new MessageIds("")
    ids.register("1101C1-C9D03D-F000", ANN)
    expect(ids.spellings("1101c1-c9d03d-f000", ANN)).toEqual(["1101C1-C9D03D-F000"])
    expect(ids.remembered("1101c1-c9d03d-f000", ANN)).toBe("1101C1-C9D03D-F000")
    expect(ids.remembered("1101c1-c9d03d-f000", BEN)).toBeUndefined()
    ids.register("rdwjwxns18", ANN)
    expect(ids.spellings("RDWJwxns18", ANN)).toEqual(["rdwjwxns18"])
    ids.register("0e999f21-81ef-4974-a414-3de98174e3c7", ANN)
    expect(ids.spellings("E999F21-81EF-4974-A414-3DE98174E3C7", ANN)).toEqual(["0e999f21-81ef-4974-a414-3de98174e3c7"])
  })

  it("keeps its case where messages differ in it, as ids in base 64 do", () => {
    const ids = new MessageIds("")
    ids.register("aZ-x", ANN)
    ids.register("Az-x", BEN)
    ids.register("AZ-x", ANN)
    expect(ids.spellings("aZ-x", ANN)).toEqual(["aZ-x"])
    expect(ids.spellings("Az-x", BEN)).toEqual(["Az-x"])
    expect(ids.spellings("az-x", BEN)).toEqual(["Az-x"])
    // Two of Ann's messages match, and it is not certain which one is meant.
    expect(ids.spellings("az-x", ANN)).toEqual(["az-x", "AZ-X"])
  })

  it("that a carrier gives again and again takes no room", () => {
    const ids = new MessageIds("")
    for (let n = 0; n < 10_000; n++) ids.register("Same-ID", ANN)
    expect(ids.spellings("same-id", ANN)).toEqual(["Same-ID"])
  })

  it("teaches how the carrier writes", () => {
    const ids = new MessageIds("")
    ids.register("ff", ANN)
    expect(ids.spellings("255", ANN)).toEqual(["ff"])
    // Nothing else is known about messages from before a restart.
    expect(ids.spellings("256", BEN)).toEqual(["100"])
  })

  it("teaches nothing when both readings are the same", () => {
    const ids = new MessageIds("")
    ids.register("7", ANN)
    expect(ids.spellings("7", ANN)).toEqual(["7"])
    expect(ids.spellings("10", BEN)).toEqual(["10", "a", "16"])
  })

  it("is known when the receipt has no number, or a national one", () => {
    const ids = new MessageIds("")
    ids.register("10", ANN)
    ids.register("16", BEN)
    expect(ids.spellings("10", null)).toEqual(["10"])
    expect(ids.spellings("10", "+015123456789")).toEqual(["10"])
  })

  it("is kept apart by carrier", () => {
    const one = new MessageIds("one")
    expect(one.register("0A", ANN)).toBe("one:a")
    expect(one.spellings("a", ANN)).toEqual(["one:a"])
  })

  it("is remembered for at least fifty thousand messages, and not for ever", () => {
    const ids = new MessageIds("")
    for (let id = 1; id <= 150_000; id++) ids.register(`m${id}`, ANN)
    ids.register("ff", ANN)
    expect(ids.spellings("255", ANN)).toEqual(["ff"])
    for (let id = 1; id <= 49_000; id++) ids.register(`n${id}`, ANN)
    expect(ids.spellings("255", ANN)).toEqual(["ff"])
    // Ben's receipt cannot be for a message that is known to be Ann's; once that is forgotten, it can.
    expect(ids.spellings("255", BEN)).toEqual(["255"])
    for (let id = 1; id <= 150_000; id++) ids.register(`o${id}`, ANN)
    expect(ids.spellings("255", BEN)).toEqual(["ff"])
  })

  it("may be anything without harm", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "binary", maxLength: 100 }), (id) => {
        const ids = new MessageIds("")
        const spellings = ids.spellings(id, ANN)
        expect(spellings.length).toBeLessThanOrEqual(4)
        expect(spellings[0] ?? "").toBe(canonical(id))
      })
    )
  })
})
