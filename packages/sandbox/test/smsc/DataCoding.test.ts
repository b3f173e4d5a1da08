/**
 * Texts with each `data_coding`, as SMPP 3.4 §5.2.19 and 3GPP TS 23.038 §4 have them, and as other projects write them.
 */
import { describe, expect, it } from "vitest"
import { decode } from "../../src/internal/smsc/DataCoding.ts"

const ucs2 = (text: string) => Buffer.from(text, "utf16le").swap16()

const all = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe("octets of a text", () => {
  it.each([
    ["the default alphabet", 0x00, Buffer.from([0x00, 0x02, 0x11, 0x1b, 0x65]), "@$_€"],
    ["IA5", 0x01, Buffer.from("[Acme] Your code: 123456 {~_~}"), "[Acme] Your code: 123456 {~_~}"],
    ["GSM octets that npm's smpp names IA5", 0x01, Buffer.from([0x61, 0x11, 0x00, 0x1b, 0x65]), "a_@€"],
    ["the same with letters alone", 0x01, Buffer.from("f~r sch|n |ber"), "für schön öber"],
    ["Latin-1", 0x03, Buffer.from("ça va ÿ", "latin1"), "ça va ÿ"],
    ["Shift-JIS", 0x05, Buffer.from([0x83, 0x52, 0x81, 0x5b, 0x83, 0x68]), "コード"],
    ["ISO-2022-JP", 0x05, Buffer.from("\u001b$B%3!<%I\u001b(B", "latin1"), "コード"],
    ["ISO-2022-JP with codes of music", 0x0a, Buffer.from("\u001b$B%3!<%I\u001b(B", "latin1"), "コード"],
    ["Cyrillic", 0x06, Buffer.from([0xba, 0xde, 0xd4]), "Код"],
    ["Hebrew", 0x07, Buffer.from([0xf7, 0xe5, 0xe3]), "קוד"],
    ["Korean", 0x0e, Buffer.from([0xc4, 0xda, 0xb5, 0xe5]), "코드"],
    ["UCS-2", 0x08, ucs2("Код 😀"), "Код 😀"]
  ] as const)("are read as %s", (_name, dataCoding, octets, text) => {
    expect(decode(octets, dataCoding)).toBe(text)
  })

  it.each([
    ["UCS-2 of a class or an indication", [...all(0x18, 0x1b), 0x48, ...all(0x58, 0x5b), ...all(0xe0, 0xef)], "Код"],
    [
      "the default alphabet of a class or an indication",
      [...all(0x10, 0x13), 0x40, ...all(0xc0, 0xdf), ...all(0xf0, 0xf3)],
      "A@"
    ],
    ["what is reserved, in the default alphabet", [0x0c, 0x0f, 0x1c, ...all(0x80, 0xbf)], "A@"],
    ["octets", [0x02, 0x04, 0x09, ...all(0x14, 0x17), ...all(0xf4, 0xf7)], "00FF"],
    ["octets, where they are compressed", [...all(0x20, 0x3f), 0x60], "00FF"]
  ])("are read as %s", (_name, codings, text) => {
    const octets = text === "Код" ? ucs2(text) : text === "00FF" ? Buffer.from([0x00, 0xff]) : Buffer.from([0x41, 0x00])
    for (const dataCoding of codings) {
      expect([dataCoding, decode(octets, dataCoding)]).toEqual([dataCoding, text])
    }
  })
})
