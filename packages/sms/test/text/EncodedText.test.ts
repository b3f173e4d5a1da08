import { type EncodedText, encode } from "@watchword/sms/EncodedText"
import * as FastCheck from "fast-check"
import smpp from "smpp"
import { describe, expect, it } from "vitest"

const EXTENSION = "€{}[]~\\|^\f"
const GSM =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"

// The decoders are others' work: the SMPP package's and the platform's.
const decode = ({ encoding }: EncodedText, octets: Uint8Array): string =>
  encoding === "gsm7" ? smpp.gsmCoder.decode(Buffer.from(octets), 0) : new TextDecoder("utf-16be").decode(octets)

const joined = (encoded: EncodedText): string => encoded.parts.map((part) => decode(encoded, part)).join("")

const lengths = (text: string): ReadonlyArray<number> => encode(text).parts.map((part) => part.length)

const units = (encoded: EncodedText): ReadonlyArray<number> =>
  encoded.parts.map((part) => (encoded.encoding === "gsm7" ? part.length : part.length / 2))

describe("the alphabet", () => {
  it.each([...GSM])("has %j in one septet", (character) => {
    expect(encode(character).encoding).toBe("gsm7")
    expect(lengths(character)).toEqual([1])
    expect(joined(encode(character))).toBe(character)
  })

  it.each([...EXTENSION])("has %j in two septets", (character) => {
    expect(encode(character).encoding).toBe("gsm7")
    expect(lengths(character)).toEqual([2])
    expect(joined(encode(character))).toBe(character)
  })

  it("puts the characters where 3GPP TS 23.038 does", () => {
    expect([...(encode("@Δ_ Çäà€").parts[0] ?? [])]).toEqual([0x00, 0x10, 0x11, 0x20, 0x09, 0x7b, 0x7f, 0x1b, 0x65])
  })

  it.each(["ç", "`", "á", "К", "中", "😀", "\u001b", "\t", "\u00a0", "\u0000"])("lacks %j", (character) => {
    expect(encode(character).encoding).toBe("ucs2")
    expect(joined(encode(character))).toBe(character)
  })
})

describe("the parts of a GSM text", () => {
  it.each([
    ["160 septets", "a".repeat(160), [160]],
    ["161 septets", "a".repeat(161), [153, 8]],
    ["306 septets", "a".repeat(306), [153, 153]],
    ["307 septets", "a".repeat(307), [153, 153, 1]],
    ["80 extension characters", "€".repeat(80), [160]],
    ["81 extension characters", "€".repeat(81), [152, 10]],
    ["an extension character on the edge", `${"a".repeat(152)}€${"a".repeat(10)}`, [152, 12]],
    ["an extension character just before it", `${"a".repeat(151)}€${"a".repeat(10)}`, [153, 10]],
    ["nothing", "", [0]]
  ])("are right for %s", (_, text, expected) => {
    expect(lengths(text)).toEqual(expected)
    expect(joined(encode(text))).toBe(text)
  })

  it("are at most 255 for any text that may be sent", () => {
    expect(encode("a".repeat(4096)).parts).toHaveLength(27)
    expect(encode("€".repeat(4096)).parts).toHaveLength(54)
    expect(encode("ж".repeat(4096)).parts).toHaveLength(62)
    expect(encode("😀".repeat(4096)).parts).toHaveLength(125)
  })
})

describe("the parts of a UCS-2 text", () => {
  it.each([
    ["70 units", "ж".repeat(70), [140]],
    ["71 units", "ж".repeat(71), [134, 8]],
    ["35 emoji", "😀".repeat(35), [140]],
    ["36 emoji", "😀".repeat(36), [132, 12]],
    ["a pair on the edge", `${"ж".repeat(66)}😀${"ж".repeat(10)}`, [132, 24]],
    ["a pair just before it", `${"ж".repeat(65)}😀${"ж".repeat(10)}`, [134, 20]]
  ])("are right for %s", (_, text, expected) => {
    expect(lengths(text)).toEqual(expected)
    expect(joined(encode(text))).toBe(text)
  })
})

describe("any text", () => {
  const gsmText = FastCheck.array(FastCheck.constantFrom(...GSM, ...EXTENSION, "€", "[", "]"), { maxLength: 700 }).map(
    (characters) => characters.join("")
  )
  const wideText = FastCheck.array(FastCheck.constantFrom("ж", "😀", "a", "€", "\u{1f469}\u200d\u{1f680}"), {
    maxLength: 300
  }).map((characters) => characters.join(""))
  const unicodeText = FastCheck.string({ unit: "binary", maxLength: 300 })
  const anyText = FastCheck.oneof(gsmText, wideText, unicodeText)

  it("comes back from its parts", () => {
    FastCheck.assert(
      FastCheck.property(anyText, (text) => {
        expect(joined(encode(text))).toBe(text)
      })
    )
  })

  it("comes back when many others were encoded since", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(anyText, { minLength: 20, maxLength: 60 }), (texts) => {
        const encoded = texts.map(encode)
        expect(encoded.map(joined)).toEqual(texts)
      }),
      { numRuns: 50 }
    )
  })

  it("comes back from each part by itself, so nothing was split", () => {
    FastCheck.assert(
      FastCheck.property(anyText, (text) => {
        const encoded = encode(text)
        let rest = text
        for (const part of encoded.parts) {
          const decoded = decode(encoded, part)
          expect(decoded.isWellFormed()).toBe(true)
          expect(rest.startsWith(decoded)).toBe(true)
          if (encoded.encoding === "gsm7") expect(part.at(-1)).not.toBe(0x1b)
          rest = rest.slice(decoded.length)
        }
        return rest === ""
      })
    )
  })

  it("never has a part over the limit", () => {
    FastCheck.assert(
      FastCheck.property(anyText, (text) => {
        const encoded = encode(text)
        const [single, part] = encoded.encoding === "gsm7" ? [160, 153] : [70, 67]
        const limit = encoded.parts.length === 1 ? single : part
        expect(Math.max(...units(encoded))).toBeLessThanOrEqual(limit)
      })
    )
  })

  it("takes as few parts as there can be", () => {
    FastCheck.assert(
      FastCheck.property(anyText, (text) => {
        const encoded = encode(text)
        const [single, part] = encoded.encoding === "gsm7" ? [160, 153] : [70, 67]
        const sizes = [...text].map((character) =>
          encoded.encoding === "gsm7" ? (EXTENSION.includes(character) ? 2 : 1) : character.length
        )
        const total = sizes.reduce((sum, size) => sum + size, 0)
        expect(encoded.parts).toHaveLength(total <= single ? 1 : fewest(sizes, part))
      })
    )
  })
})

// The least number of parts for each prefix: the last part may begin anywhere that leaves it within the limit.
const fewest = (sizes: ReadonlyArray<number>, limit: number): number => {
  const best = [0]
  for (let end = 1; end <= sizes.length; end++) {
    let length = 0
    let least = Number.POSITIVE_INFINITY
    for (let start = end - 1; start >= 0; start--) {
      length += sizes[start] ?? 0
      if (length > limit) break
      least = Math.min(least, 1 + (best[start] ?? Number.POSITIVE_INFINITY))
    }
    best.push(least)
  }
  return best.at(-1) ?? 0
}
