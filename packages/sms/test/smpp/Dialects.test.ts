/**
 * Receipts in carriers' dialects, from a message centre on TCP to the record.
 */
import { describe, expect } from "@effect/vitest"
import { noKeys } from "@watchword/send/Claims"
import { Sms } from "@watchword/sms/Sms"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { logged, test, timed } from "../../../../test/live.ts"
import { canonical } from "../../src/internal/smpp/MessageIds.ts"
import { receiptFields } from "../corpus/receiptFrame.ts"
import { rows } from "../corpus/Receipts.ts"
import { passing, startBound, startCarrier } from "./fixture.ts"
import { body, funded, layer } from "./service.ts"
import * as wire from "@watchword/sandbox/smsc"

const TO = "+4915123456789"

interface Played {
  readonly query?: string
  /** The ids of the parts. */
  readonly ids: ReadonlyArray<string>
  readonly from?: string
  readonly text?: string
  readonly receipts: ReadonlyArray<wire.DeliverFields>
}

/** The record after a text and its receipts. */
const played = ({ from, ids, query = "", receipts, text = "Ваш код 123456" }: Played) =>
  Effect.gen(function* () {
    const given = [...ids]
    const carrier = yield* startCarrier({ submit: () => ({ id: given.shift() ?? "none" }) })
    const gateway = yield* startBound(carrier.url(query))
    const seen = yield* Effect.gen(function* () {
      const sms = yield* Sms
      const store = yield* Store
      const caller = yield* funded
      const sent = from === undefined ? { to: TO, text } : { to: TO, text, from }
      const { messageId } = yield* sms.send(caller, body(sent), noKeys)
      for (const fields of receipts) {
        for (const session of carrier.bound) expect(yield* Effect.promise(() => session.deliver(fields))).toBe(0)
      }
      const { status } = yield* sms.get(caller, messageId)
      const [ref = ""] = ids
      const found = yield* store.findByRef({ channel: "sms", ref: canonical(ref) })
      const { carrier_error, carrier_status } = Option.isSome(found) ? found.value.details : {}
      return { status, said: [carrier_status ?? null, carrier_error ?? null] }
    }).pipe(Effect.provide(layer(gateway)))
    const [health] = yield* gateway.health
    return { ...seen, unrecognized: (health?.unrecognized ?? []).map(({ count, kind, word }) => [kind, word, count]) }
  })

const ID = "S2131-1"
const ascii = (stat: string, id = ID) =>
  `id:${id} sub:001 dlvrd:001 submit date:2611211200 done date:2611211201 stat:${stat} err:000 text:`
const ucs2 = (text: string) => Buffer.from(text, "utf16le").swap16()

describe("the octets of a receipt", () => {
  const dialects: ReadonlyArray<readonly [string, wire.DeliverFields, string]> = [
    ["are ASCII under the data_coding of a text in UCS-2", { dataCoding: 8, text: ascii("DELIVRD") }, "delivered"],
    ["are ASCII, and odd", { dataCoding: 8, text: `${ascii("DELIVRD")}12` }, "delivered"],
    [
      "have the state alone, beside a receipted_message_id",
      { dataCoding: 8, text: "stat:DELIVRD err:000", parameters: [wire.tlv(wire.RECEIPTED_MESSAGE_ID, `${ID}\0`)] },
      "delivered"
    ],
    ["say that it failed", { dataCoding: 8, text: ascii("UNDELIV") }, "undelivered"],
    [
      "are in message_payload",
      { dataCoding: 8, parameters: [wire.tlv(wire.MESSAGE_PAYLOAD, ascii("DELIVRD"))] },
      "delivered"
    ],
    ["are unmarked", { dataCoding: 8, esmClass: 0, text: ascii("DELIVRD") }, "delivered"],
    ["are ASCII under a class of UCS-2", { dataCoding: 0x18, text: ascii("DELIVRD") }, "delivered"],
    ["are UTF-16 under 8", { dataCoding: 8, text: ucs2(ascii("DELIVRD")) }, "delivered"],
    ["are UTF-16 under 0", { dataCoding: 0, text: ucs2(ascii("DELIVRD")) }, "delivered"],
    [
      "are UTF-16 of little-endian order",
      { dataCoding: 8, text: Buffer.from(ascii("DELIVRD"), "utf16le") },
      "delivered"
    ],
    ["have another case", { text: ascii("DELIVRD", ID.toLowerCase()) }, "delivered"],
    ["have no name for the state", { text: `id:${ID} done date:180903120816 DELIVRD err:000 Text:` }, "delivered"]
  ]
  for (const [what, fields, status] of dialects) {
    test(
      what,
      Effect.fnUntraced(function* () {
        const seen = yield* played({ ids: [ID], receipts: [fields] })
        expect(seen).toMatchObject({ status, unrecognized: [] })
      })
    )
  }

  test(
    "are in the GSM alphabet, in which ids have underscores, signs and braces",
    Effect.fnUntraced(function* () {
      for (const [id, written] of [
        ["ab_1", "ab\u00111"],
        ["a@b$c", "a\u0000b\u0002c"],
        ["{7f-3a}", "\u001b(7f-3a\u001b)"]
      ] as const) {
        const seen = yield* played({ ids: [id], receipts: [{ text: `id:${written} stat:DELIVRD`, dataCoding: 1 }] })
        expect([id, seen.status]).toEqual([id, "delivered"])
      }
    })
  )

  test(
    "come from the sender to the recipient",
    Effect.fnUntraced(function* () {
      const swapped = { source: "4915900000001", destination: TO.slice(1), destinationTon: 1, text: ascii("DELIVRD") }
      expect(yield* played({ ids: [ID], from: "+4915900000001", receipts: [swapped] })).toMatchObject({
        status: "delivered"
      })
    })
  )
})

describe("a receipt of the table", () => {
  // Each of them needs another part of the reader.
  const chosen = [
    "onlinecity/php-smpp#70, 2017",
    "funbox/smppex#46, 2018",
    "jookies/jasmin#586, 2017",
    "jookies/jasmin#643, 2017",
    "jookies/jasmin#1050",
    "opentelecoms-org/jsmpp#214",
    "farhadi/node-smpp#68, 2017",
    "farhadi/node-smpp#199, 2021",
    "joaogervasoni/smppjs#51, 2026",
    "python-smpplib/python-smpplib, tests/test_command.py",
    "kneodev/ksmppd#63, 2017",
    "kneodev/ksmppd#108",
    "openmarket.com/docs, SMPP v4, delivery receipt examples",
    "ozeki-sms-gateway.com, p_5963",
    "developer.telesign.com, SMPP TLVs"
  ]
  for (const { from, pdu, query = "", reads, source, submitted, what } of rows) {
    if (!chosen.includes(source) || typeof reads !== "object") continue
    test(
      `reaches its record: ${from}, ${what}`,
      Effect.fnUntraced(function* () {
        const seen = yield* played({ ids: [submitted], query, receipts: [receiptFields(pdu)] })
        const { error, status, word } = reads
        expect(seen).toMatchObject({ status, said: [word, error] })
      })
    )
  }
})

describe("a long text of one receipt", () => {
  const long = { ids: ["p1", "p2"], text: "a".repeat(200), receipts: [{ text: ascii("DELIVRD", "p1") }] }

  test(
    "stays sent without a setting",
    Effect.fnUntraced(function* () {
      expect(yield* played(long)).toMatchObject({ status: "sent" })
      const both = [...long.receipts, { text: ascii("DELIVRD", "p2") }]
      expect(yield* played({ ...long, receipts: both })).toMatchObject({ status: "delivered" })
    })
  )

  test(
    "is delivered where the carrier reports one part of a text",
    Effect.fnUntraced(function* () {
      const query = "receipts=message"
      expect(yield* played({ ...long, query })).toMatchObject({ status: "delivered" })
      expect(yield* played({ ...long, query, receipts: [{ text: ascii("DELIVRD", "p2") }] })).toMatchObject({
        status: "delivered"
      })
      expect(yield* played({ ...long, query, receipts: [{ text: ascii("UNDELIV", "p2") }] })).toMatchObject({
        status: "undelivered"
      })
    })
  )
})

describe("a carrier's own word for a state", () => {
  for (const word of ["9", "NACK", "BLOCKED", "FAIL", "SPAM", "ABSENT", "SUCCESS"]) {
    test(
      `is kept, and is noted once: ${word}`,
      Effect.fnUntraced(function* () {
        const text = `id:${ID} stat:${word} err:009`
        const [seen, log] = yield* logged(played({ ids: [ID], receipts: [{ text }, { text }] }))
        expect(seen).toEqual({ status: "sent", said: [word, "009"], unrecognized: [["receipt_state", word, 2]] })
        expect(log.match(/states= on the carrier's URL/g)).toHaveLength(1)
      })
    )
  }

  test(
    "may be missing, or a message_state without a word",
    Effect.fnUntraced(function* () {
      const unknown = [wire.tlv(wire.MESSAGE_STATE, wire.octets(11))]
      expect(yield* played({ ids: [ID], receipts: [{ text: `id:${ID} stat: err:009` }] })).toEqual({
        status: "sent",
        said: [null, "009"],
        unrecognized: [["receipt_state", "", 1]]
      })
      expect(yield* played({ ids: [ID], receipts: [{ text: `id:${ID}`, parameters: unknown }] })).toEqual({
        status: "sent",
        said: ["11", null],
        unrecognized: [["receipt_state", "11", 1]]
      })
    })
  )

  test(
    "gives way to a state that is final, and never replaces one",
    Effect.fnUntraced(function* () {
      const own = { text: `id:${ID} stat:DND err:009` }
      const final = { text: `id:${ID} stat:UNDELIV err:027` }
      for (const receipts of [
        [own, final],
        [final, own]
      ]) {
        expect(yield* played({ ids: [ID], receipts })).toMatchObject({
          status: "undelivered",
          said: ["UNDELIV", "027"]
        })
      }
    })
  )

  test(
    "means what the carrier's URL says",
    Effect.fnUntraced(function* () {
      const query = "states=DND:undelivered,NACK:failed,11:undelivered,QUEUED:sent"
      const of = (text: string, parameters: ReadonlyArray<Buffer> = []) =>
        played({ ids: [ID], query, receipts: [{ text: `id:${ID} ${text}`, parameters }] })
      expect(yield* of("stat:DND err:9")).toEqual({ status: "undelivered", said: ["DND", "9"], unrecognized: [] })
      expect(yield* of("stat:nack")).toMatchObject({ status: "failed", said: ["NACK", null], unrecognized: [] })
      expect(yield* of("stat:11")).toMatchObject({ status: "undelivered", said: ["11", null] })
      expect(yield* of("stat:QUEUED")).toMatchObject({ status: "sent", unrecognized: [] })
      const parameter = (octet: number) => [wire.tlv(wire.MESSAGE_STATE, wire.octets(octet))]
      expect(yield* of("", parameter(11))).toMatchObject({ status: "undelivered", said: ["11", null] })
      // The parameter says less than the word.
      expect(yield* of("stat:NACK", parameter(7))).toMatchObject({ status: "failed", said: ["NACK", null] })
    })
  )
})

describe("what matches nothing", () => {
  timed(
    "is noted once a while has passed, with the id as it was read",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => ({ id: ID }) })
      const gateway = yield* startBound(carrier.url())
      const noted = Effect.map(gateway.health, ([health]) =>
        (health?.unrecognized ?? []).map(({ count, kind }) => [kind, count])
      )
      const [, log] = yield* logged(
        Effect.gen(function* () {
          const sms = yield* Sms
          const caller = yield* funded
          yield* sms.send(caller, body({ to: TO, text: "Your code is 123456" }), noKeys)
          const bring = (fields: wire.DeliverFields) =>
            Effect.forEach(carrier.bound, (session) => Effect.promise(() => session.deliver(fields)))
          yield* bring({ text: ascii("DELIVRD", "other,1") })
          yield* bring({ text: ascii("DELIVRD"), source: "4915100000001" })
          yield* bring({ text: ascii("DELIVRD") })
          expect(yield* noted).toEqual([])
          yield* passing(() => false).pipe(Effect.timeoutOption("31 seconds"))
          expect(yield* noted).toEqual([["unmatched_receipt", 2]])
        }).pipe(Effect.provide(layer(gateway)))
      )
      expect(log.match(/no message has its id and number/g)).toHaveLength(1)
      expect(log).toContain('"id":"other"')
      expect(log).not.toContain("491510000")
    })
  )

  test(
    "is noted at once: texts of subscribers, without what they say, and receipts without an id",
    Effect.fnUntraced(function* () {
      const [seen, log] = yield* logged(
        played({
          ids: [ID],
          receipts: [
            { esmClass: 0, text: "my secret 4711" },
            { esmClass: 0, text: "STOP" },
            { text: "stat:DELIVRD" },
            { esmClass: 0, text: ascii("UNDELIV") }
          ]
        })
      )
      expect(seen.unrecognized).toEqual(
        expect.arrayContaining([
          ["subscriber_text", "", 2],
          ["nameless_receipt", "", 1],
          ["unmarked_receipt", "", 1]
        ])
      )
      expect(log).not.toMatch(/secret|4711|STOP/)
    })
  )
})
