import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { placeOf } from "../../src/internal/smpp/Concatenation.ts"
import { decode } from "../../src/internal/smpp/DataCoding.ts"
import * as DeliverSm from "../../src/internal/smpp/DeliverSm.ts"
import { type Joined, Joining, Pace, type Part } from "../../src/internal/smpp/Joining.ts"
import { command, deliverSm, octets, pdu, tlv, written } from "@watchword/sandbox/smsc"

const [THEIRS, OURS] = ["+4915123456789", "+491713920000"]

/** Texts with everything that people write: surrogates, letters of the extension table, other alphabets. */
const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.string({ unit: fc.constantFrom("€", "[", "a", "_", "@", "7"), maxLength: 800 }),
  fc.string({ unit: fc.constantFrom("😀", "é", "ء", "7"), maxLength: 300 })
)

const messageOf = (fields: Parameters<typeof deliverSm>[0]): DeliverSm.DeliverSm => {
  const read = DeliverSm.read(pdu(command.deliver_sm, 0, 1, deliverSm(fields)))
  if (read === undefined) throw new Error("a deliver_sm cannot be read")
  return read
}

/** A delivery of one part, and how it was answered. */
interface Delivery extends Part {
  readonly text: number
  readonly statuses: Array<number>
}

/** The deliveries of a text in several parts, as a gateway reads them. */
const deliveriesOf = (text: string, index: number, by: "udh8" | "udh16" | "sar", pace: Pace): Array<Delivery> =>
  written({ from: THEIRS, to: OURS, text, parts: 5, by, reference: index }).flatMap((fields) => {
    const message = messageOf(fields)
    const place = placeOf(message)
    if (place === null) return []
    const statuses: Array<number> = []
    return [
      {
        text: index,
        statuses,
        of: "",
        place,
        coded: message,
        pace,
        answer: (status: number) => void statuses.push(status),
        early: ({ settle }) => settle(true),
        unfinished: () => {}
      }
    ]
  })

const textIn = ({ runs }: Joined): string =>
  runs.map((run) => (run.isBehindGap ? "…" : "") + decode(run, "gsm")).join("")

/** Deliveries of several texts in any order, some of them more than once. */
const histories = fc
  .array(fc.tuple(texts, fc.constantFrom("udh8" as const, "udh16" as const, "sar" as const)), {
    minLength: 1,
    maxLength: 4
  })
  .chain((all) => {
    const pace = new Pace()
    const parts = all.flatMap(([text, by], index) => deliveriesOf(text, index, by, pace))
    const repeated = (repeats: ReadonlyArray<Delivery>) =>
      repeats.map((each) => {
        const statuses: Array<number> = []
        return { ...each, statuses, answer: (status: number) => void statuses.push(status) }
      })
    return fc.record({
      said: fc.constant(all.map(([text]) => text)),
      deliveries: fc
        .shuffledSubarray(parts, { minLength: 0 })
        .chain((repeats) =>
          fc.shuffledSubarray([...parts, ...repeated(repeats)], { minLength: parts.length + repeats.length })
        )
    })
  })

describe("joining", () => {
  it("makes each text once and whole, whatever the order of its parts and repeats, and answers everything", () =>
    fc.assert(
      fc.property(histories, ({ deliveries, said }) => {
        const joining = new Joining()
        const found = new Map<number, Array<string>>()
        for (const delivery of deliveries) {
          const whole = joining.take(delivery, 0)
          if (whole === null) continue
          found.set(delivery.text, [...(found.get(delivery.text) ?? []), textIn(whole)])
          whole.settle(true)
        }
        const several = new Set(deliveries.map(({ text }) => text))
        expect(found).toEqual(new Map([...several].sort().map((index) => [index, [said[index]]])))
        expect(deliveries.map(({ statuses }) => statuses)).toEqual(deliveries.map(() => [0]))
      })
    ))

  it("hands a text on again while its outcome is not stored", () =>
    fc.assert(
      fc.property(histories, fc.integer({ min: 1, max: 3 }), ({ deliveries, said }, failures) => {
        const joining = new Joining()
        const failed = new Map<number, number>()
        const stored = new Map<number, string>()
        let queue = deliveries
        while (queue.length > 0) {
          const again: Array<Delivery> = []
          for (const delivery of queue) {
            const whole = joining.take(delivery, 0)
            if (whole === null) continue
            const times = failed.get(delivery.text) ?? 0
            failed.set(delivery.text, times + 1)
            if (times >= failures) stored.set(delivery.text, textIn(whole))
            whole.settle(times >= failures)
          }
          // Refused parts come again.
          for (const delivery of deliveries) {
            if (delivery.statuses.at(-1) !== 0x64) continue
            delivery.statuses.push(-1)
            again.push(delivery)
          }
          queue = again
        }
        const several = [...new Set(deliveries.map(({ text }) => text))]
        expect(several.every((index) => stored.get(index) === said[index])).toBe(true)
        expect(deliveries.every(({ statuses }) => statuses.at(-1) === 0)).toBe(true)
      })
    ))

  it("hands on the parts of an unfinished text in time, answers them then, and makes no whole text of them", () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("7", "Z", "é", " "), minLength: 20, maxLength: 400 }),
        fc.nat(9),
        fc.boolean(),
        (text, missing, isHandled) => {
          const joining = new Joining()
          const pace = new Pace()
          const early: Array<string> = []
          const deliveries = deliveriesOf(text, 1, "udh8", pace).map((delivery) => ({
            ...delivery,
            early: (joined: Joined) => {
              early.push(textIn(joined))
              joined.settle(isHandled)
            }
          }))
          const gap = missing % deliveries.length
          const came = deliveries.filter((_, at) => at !== gap)
          for (const delivery of came) expect(joining.take(delivery, 0)).toBeNull()
          expect(joining.expire(2_999)).toBe(3_000)
          expect(came.flatMap(({ statuses }) => statuses)).toEqual([])
          joining.expire(3_000)
          expect(came.map(({ statuses }) => statuses)).toEqual(came.map(() => [isHandled ? 0 : 0x64]))
          const words = deliveries.map(({ coded }, at) => (at === gap ? "…" : decode(coded, "gsm")))
          expect(early).toEqual([words.join("").replace(/…$/, "")])
          expect(joining.expire(60_000)).toBe(Number.POSITIVE_INFINITY)
        }
      )
    ))

  it("answers the parts of a whole text with its outcome, however long that takes", () => {
    const joining = new Joining()
    const deliveries = deliveriesOf("a".repeat(400), 1, "udh8", new Pace())
    const [whole] = deliveries.flatMap((delivery) => joining.take(delivery, 0) ?? [])
    joining.expire(30_000)
    expect(deliveries.flatMap(({ statuses }) => statuses)).toEqual([])
    whole?.settle(true)
    expect(deliveries.map(({ statuses }) => statuses)).toEqual(deliveries.map(() => [0]))
  })

  it("holds for a moment after a silence, until parts come together", () => {
    const joining = new Joining()
    const pace = new Pace()
    const [alone] = deliveriesOf("a".repeat(400), 1, "udh8", pace)
    if (alone === undefined) throw new Error("a text has no parts")
    joining.take(alone, 0)
    joining.expire(3_000)
    joining.take({ ...alone, place: { ...alone.place, number: 2 } }, 3_000)
    expect(joining.expire(3_000)).toBe(3_050)
    for (const delivery of deliveriesOf("b".repeat(400), 2, "udh8", pace)) joining.take(delivery, 4_000)
    joining.take({ ...alone, place: { ...alone.place, number: 3 } }, 4_000)
    expect(joining.expire(4_000)).toBe(7_000)
  })

  it("gives up the oldest texts of a flood, and asks for their parts again", () => {
    const joining = new Joining()
    let unfinished = 0
    const deliveries = Array.from({ length: 3_000 }, (_, index) => {
      const [first] = deliveriesOf("a".repeat(400), index, "udh16", new Pace())
      if (first === undefined) throw new Error("a text has no parts")
      return { ...first, unfinished: () => void unfinished++ }
    })
    for (const delivery of deliveries) joining.take(delivery, 0)
    expect(unfinished).toBe(1_000)
    expect(deliveries.filter(({ statuses }) => statuses[0] === 0x64)).toHaveLength(1_000)
    expect(deliveries[0]?.statuses).toEqual([0x64])
    expect(deliveries.at(-1)?.statuses).toEqual([])
  })
})

describe("the place of a part", () => {
  const headers: ReadonlyArray<readonly [string, Buffer, ReturnType<typeof placeOf>]> = [
    ["a short reference", octets(5, 0, 3, 7, 2, 1), { reference: "udh1:7", total: 2, number: 1 }],
    ["a long reference", octets(6, 8, 4, 1, 2, 3, 3), { reference: "udh2:258", total: 3, number: 3 }],
    ["a port, too,", octets(11, 5, 4, 0, 80, 0, 0, 0, 3, 7, 2, 2), { reference: "udh1:7", total: 2, number: 2 }],
    ["one part of one", octets(5, 0, 3, 7, 1, 1), null],
    ["no such part", octets(5, 0, 3, 7, 2, 3), null],
    ["part zero", octets(5, 0, 3, 7, 2, 0), null],
    ["an element that is cut off", octets(5, 0, 3, 7), null],
    ["a header longer than its text", octets(200, 0, 3), null],
    ["no element", octets(0), null]
  ]
  for (const [name, header, place] of headers) {
    it(`is read of ${name}`, () => {
      expect(placeOf(messageOf({ esmClass: 0x40, text: header }))).toEqual(place)
    })
  }

  it("is not read of sar_* of a wrong length", () => {
    const parameters = [tlv(0x020c, octets(0, 1)), tlv(0x020e, "2"), tlv(0x020f, octets(0, 1))]
    expect(placeOf(messageOf({ esmClass: 0, parameters }))).toBeNull()
  })
})

describe("the words of a text", () => {
  it.each([
    [0x00, [0x00, 0x02, 0x1b, 0x65], "gsm", "@$€"],
    [0x00, [0x41, 0xfc], "gsm", "Aü"],
    [0x00, [0x40, 0x5f], "latin1", "@_"],
    [0x01, [0x40, 0x24], "gsm", "@$"],
    [0x03, [0xe9], "gsm", "é"],
    [0x08, [0x20, 0xac], "gsm", "€"],
    [0x18, [0x20, 0xac], "gsm", "€"],
    [0xe0, [0x20, 0xac], "gsm", "€"],
    [0x10, [0x00], "gsm", "@"],
    [0xf1, [0x00], "gsm", "@"],
    [0x04, [0x41], "gsm", "A"],
    [0xf5, [0x41], "gsm", "A"]
  ] as const)("are read by data_coding %i", (dataCoding, bytes, alphabet, text) => {
    expect(decode({ dataCoding, octets: octets(...bytes) }, alphabet)).toBe(text)
  })
})
