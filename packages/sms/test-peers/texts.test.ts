/**
 * Texts of phones: a message centre of another project writes them to our gateway; and ours writes the same texts to
 * our gateway and to another project's, which have to read them alike.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { type Written, smsc } from "@watchword/sandbox/smsc"
import { encode } from "@watchword/sms/EncodedText"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import { smpp } from "@watchword/sms/smpp"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { until } from "../../../test/until.ts"
import { type PhoneText, startKannel, startPhones } from "./programs.ts"

const THEIRS = "4915123456789"
const OURS = E164.make("+491713920000")
const TOKEN = "7ZQ4M1X0ABCDEFGHJKMNP"

const SENTENCE = `Meine Nummer für Acme bestätigen: ${TOKEN}. Nie für jemand anderen senden.`
const PLAIN = `Verify my number for Acme: ${TOKEN}. Never send this for someone else.`
const CYRILLIC = `Подтверждаю мой номер для Acme: ${TOKEN}. Не отправляйте за другого человека. 😀`

const octetsOf: Readonly<Record<string, (text: string) => Buffer>> = {
  gsm7: (text) => Buffer.concat(encode(text).parts),
  latin1: (text) => Buffer.from(text, "latin1"),
  ucs2: (text) => Buffer.from(text, "utf16le").swap16()
}

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "watchword-"))
})

afterAll(() => rm(folder, { recursive: true }))

/** The texts that our gateway takes from a message centre until it has so many. */
const taken = (port: number, count: number, more: () => Promise<unknown> = async () => {}) =>
  Effect.gen(function* () {
    const texts: Array<{ readonly from: string; readonly text: string }> = []
    const gateway = yield* SmsGateway
    yield* gateway.events((event) =>
      Effect.sync(() => {
        if (event._tag === "Text") texts.push({ from: event.from.address, text: event.text })
      })
    )
    yield* Effect.promise(more)
    yield* Effect.promise(() => until(() => texts.length >= count))
    return texts
  }).pipe(
    Effect.provide([
      smpp({ url: `smpp://client:secret@127.0.0.1:${port}?receives=${encodeURIComponent(OURS)}` }),
      Logger.layer([])
    ]),
    Effect.scoped,
    Effect.runPromise
  )

describe("texts of Net::SMPP", () => {
  const kinds = [
    { said: SENTENCE, coding: 0, octets: "gsm7" },
    { said: PLAIN, coding: 1, octets: "latin1" },
    { said: SENTENCE, coding: 3, octets: "latin1" },
    { said: CYRILLIC, coding: 8, octets: "ucs2" }
  ] as const
  const sent = kinds.flatMap(({ coding, octets, said }) =>
    (["udh8", "udh16", "sar"] as const).flatMap((by) =>
      [1, 2, 3, 4, 5].map((parts, at) => ({
        said,
        text: {
          from: THEIRS,
          ton: 1,
          to: OURS.slice(1),
          octets: octetsOf[octets]?.(said).toString("hex") ?? "",
          coding,
          parts: coding === 8 && parts === 1 ? 2 : parts,
          by,
          payload: at % 2 === 1,
          backwards: at > 2
        } satisfies PhoneText
      }))
    )
  )

  it("are read in each alphabet, in one to five parts, and acknowledged once each", async () => {
    const phones = await startPhones(
      sent.map(({ text }) => text),
      join(folder, "texts.json")
    )
    try {
      const texts = await taken(phones.port, sent.length)
      expect(texts).toEqual(sent.map(({ said }) => ({ from: THEIRS, text: said })))
      const parts = sent.reduce((sum, { text }) => sum + text.parts, 0)
      const acknowledged = () => phones.printed.filter(({ event }) => event === "acknowledged")
      await phones.until(() => acknowledged().length >= parts)
      expect(acknowledged().map(({ status }) => status)).toEqual(Array.from({ length: parts }, () => 0))
    } finally {
      await phones.stop()
    }
  })
})

describe("texts to Kannel", () => {
  const texts: ReadonlyArray<Partial<Written> & { readonly text: string }> = [
    ...[1, 2, 3, 4, 5].flatMap((parts) => [
      { text: SENTENCE.repeat(parts > 2 ? 3 : 1), encoding: "gsm7" as const, parts },
      { text: PLAIN, encoding: "ascii" as const, parts },
      { text: SENTENCE, encoding: "latin1" as const, parts, by: "sar" as const },
      { text: CYRILLIC, encoding: "ucs2" as const, parts: parts + 1, by: "udh16" as const },
      { text: PLAIN, encoding: "gsm7" as const, parts, isPayload: true }
    ]),
    { text: "[{€}] \\ ~ | ^ _@$", encoding: "gsm7" }
  ]
  const written = texts.map((text, at): Written => ({ from: `+${THEIRS}`, to: OURS, reference: at + 1, ...text }))

  it("are read as our gateway reads them", async () => {
    const [ours, theirs] = [await smsc(), await smsc()]
    const kannel = await startKannel(theirs.port, join(folder, "kannel"))
    try {
      const read = await taken(ours.port, written.length, async () => {
        for (const text of written) await ours.write(text)
      })
      await theirs.until(() => theirs.bound.length > 0)
      for (const text of written) await theirs.write(text)
      await until(() => kannel.texts.length >= written.length)
      expect(read.map(({ text }) => text)).toEqual(written.map(({ text }) => text))
      // It does not promise their order.
      const sorted = (all: ReadonlyArray<{ readonly text: string }>) => all.map(({ text }) => text).sort()
      expect(sorted(kannel.texts)).toEqual(sorted(read))
      expect(new Set(kannel.texts.map(({ from }) => from))).toEqual(new Set([`+${THEIRS}`]))
    } finally {
      await kannel[Symbol.asyncDispose]()
      await Promise.all([ours.stop(), theirs.stop()])
    }
  })
})
