import { type LinkOptions, fromUrls, link } from "@watchword/sms/smpp"
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const links = (urls: string): ReadonlyArray<LinkOptions> => Result.getOrThrow(fromUrls(urls)).links

const first = (urls: string): LinkOptions => {
  const [link] = links(urls)
  if (link === undefined) throw new Error("no link")
  return link
}

const fault = (urls: string): string => {
  const read = fromUrls(urls)
  return Result.isFailure(read) ? read.failure.message : "no fault"
}

describe("an SMPP URL", () => {
  it("names system id, password, host and port", () => {
    const { systemId, password, host, port, tls } = first("smpp://id:s3cret@carrier.example:2776")
    expect({ systemId, password: Redacted.value(password), host, port, tls }).toEqual({
      systemId: "id",
      password: "s3cret",
      host: "carrier.example",
      port: 2776,
      tls: null
    })
  })

  it.each([
    ["smpp://id:pw@host", 2775, null],
    ["ssmpp://id:pw@host", 3550, {}],
    ["ssmpp://id:pw@host:2775?servername=smpp.example", 2775, { servername: "smpp.example" }]
  ])("knows the usual ports: %s", (url, port, tls) => {
    expect(first(url)).toMatchObject({ port, tls })
  })

  it("percent-decodes the system id and the password", () => {
    const { systemId, password } = first("smpp://my%20id:p%40ss%2Cw%3Ard%2F%23@host")
    expect([systemId, Redacted.value(password)]).toEqual(["my id", "p@ss,w:rd/#"])
  })

  it("may have an IPv6 address", () => {
    expect(first("smpp://id:pw@[::1]:2775").host).toBe("::1")
  })

  it("may have commas in its options, and another URL behind them", () => {
    const read = links(
      "smpp://a:pw@one?states=DND:failed,X1:sent, ssmpp://b:pw@two?states=A:sent,B:failed,smpp://c:pw@three"
    )
    expect(read.map(({ host, states }) => [host, [...states]])).toEqual([
      [
        "one",
        [
          ["DND", "failed"],
          ["X1", "sent"]
        ]
      ],
      [
        "two",
        [
          ["A", "sent"],
          ["B", "failed"]
        ]
      ],
      ["three", []]
    ])
  })

  it("gives meanings to words that SMPP leaves without one", () => {
    expect(
      first("smpp://id:pw@host?states=UNKNOWN:undelivered,7:undelivered,FAILED:undelivered,DELIVRD:delivered").states
        .size
    ).toBe(4)
  })

  it("has defaults for what it does not say", () => {
    const { window, rate, enquire, timeout, bind, systemType } = first("smpp://id:pw@host")
    expect({ window, rate, bind, systemType }).toEqual({ window: 100, rate: null, bind: "transceiver", systemType: "" })
    expect([Duration.toMillis(enquire), Duration.toMillis(timeout)]).toEqual([15_000, 8000])
  })

  it("carries settings", () => {
    const { enquire, timeout, ...rest } = first(
      "smpp://id:pw@host?window=10&rate=12.5&enquire=20&timeout=0.5&bind=receiver&system_type=SMPP&service_type=WAP" +
        "&addr_ton=1&addr_npi=2&address_range=123&short_code_ton=6&short_code_npi=9&carrier=acme&unmarked_receipts=yes" +
        "&validity=300&tlv_1400=PE+1&tlv_3fff=x%00&source_ton=0&source_npi=0&name_ton=5&name_npi=1&dest_ton=0&dest_npi=0" +
        "&national=52&national_prefix=01&alphabet=latin1&errors=0x0400:recipient,1025:temporary,esme_rsubmitfail:SENDER" +
        "&receipts=message&states=DND:undelivered,nack:Failed,9:undelivered"
    )
    expect([Duration.toMillis(enquire), Duration.toMillis(timeout)]).toEqual([20_000, 500])
    expect(rest).toMatchObject({
      window: 10,
      rate: 12.5,
      bind: "receiver",
      systemType: "SMPP",
      serviceType: "WAP",
      addressRange: { ton: 1, npi: 2, pattern: "123" },
      shortCode: { ton: 6, npi: 9 },
      source: { ton: 0, npi: 0 },
      name: { ton: 5, npi: 1 },
      destination: { ton: 0, npi: 0 },
      national: { code: "52", prefix: "01" },
      alphabet: "latin1",
      errors: new Map([
        [0x400, "recipient"],
        [0x401, "temporary"],
        [0x45, "sender"]
      ]),
      carrier: "acme",
      unmarkedReceipts: true,
      states: new Map([
        ["DND", "undelivered"],
        ["NACK", "failed"],
        ["9", "undelivered"]
      ]),
      receipts: "message",
      validity: 300,
      tlvs: [
        { tag: 0x1400, value: "PE 1" },
        { tag: 0x3fff, value: "x\0" }
      ]
    })
  })

  it("may have a list with commas before the next one", () => {
    const [one, two] = links("smpp://a:pw@one?errors=0x400:sender,0x401:text, smpp://b:pw@two?errors=0x402:recipient")
    expect([one?.errors, two?.errors]).toEqual([
      new Map([
        [0x400, "sender"],
        [0x401, "text"]
      ]),
      new Map([[0x402, "recipient"]])
    ])
  })

  it("keeps several in their order", () => {
    expect(links("smpp://a:pw@one, ssmpp://b:pw@two?window=5 ,smpp://c:pw@three").map(({ host }) => host)).toEqual([
      "one",
      "two",
      "three"
    ])
  })
})

describe("a setting that cannot be read", () => {
  it.each([
    ["", "The SMPP URL must look like smpp://system_id:password@host:2775, with other characters percent-encoded."],
    ["http://id:pw@host", "The SMPP URL must look like"],
    ["smpp://id:hunter2@host:99999", "The SMPP URL must look like"],
    ["smpp://id:hunter2@host/path", "The SMPP URL must not have a path or a fragment"],
    ["smpp://host:2775", "The SMPP URL must have a system_id of 1 to 15 ASCII characters before the password."],
    ["smpp://sixteencharacte:hunter2@host", "no fault"],
    ["smpp://sixteen.characte:hunter2@host", "The SMPP URL must have a system_id"],
    ["smpp://id:hunter2%00@host", "The SMPP URL must have a password"],
    ["smpp://id:hunter2%E4%BD%A0@host", "The SMPP URL must have a password"],
    ["smpp://id:hunter2%zz@host", "The SMPP URL must have a password"],
    [
      "smpp://id:hunter2@host?window=0",
      'The SMPP URL has a wrong "window": it must be a whole number from 1 to 10000.'
    ],
    ["smpp://id:hunter2@host?window=1e3", 'has a wrong "window"'],
    ["smpp://id:hunter2@host?rate=fast", 'has a wrong "rate": it must be a number of messages a second'],
    ["smpp://id:hunter2@host?enquire=0", 'has a wrong "enquire": it must be a number of seconds'],
    ["smpp://id:hunter2@host?timeout=-1", 'has a wrong "timeout"'],
    ["smpp://id:hunter2@host?bind=both", 'has a wrong "bind": it must be transceiver, transmitter or receiver.'],
    ["smpp://id:hunter2@host?addr_ton=256", 'has a wrong "addr_ton": it must be a whole number from 0 to 255.'],
    ["smpp://id:hunter2@host?system_type=thirteenchars", 'has a wrong "system_type": it must be at most 12 ASCII'],
    ["smpp://id:hunter2@host?validity=1.5", 'has a wrong "validity": it must be a whole number from 0 to 604800.'],
    ["smpp://id:hunter2@host?tlv_1400=", 'has a wrong "tlv_1400": it must be 1 to 254 printable ASCII characters.'],
    ["smpp://id:hunter2@host?tlv_1400=a&tlv_1400=b", 'has "tlv_1400" more than once'],
    ["smpp://id:pw@host?tlv_0204=x", "The SMPP URL has an unknown option; the options are"],
    ["smpp://id:pw@host?tlv_4000=x", "tlv_HEX"],
    ["smpp://id:pw@host?alphabet=utf8", 'has a wrong "alphabet": it must be gsm, latin1 or ascii.'],
    ["smpp://id:pw@host?dest_ton=256", 'has a wrong "dest_ton": it must be a whole number from 0 to 255.'],
    ["smpp://id:pw@host?national=999", 'has a wrong "national": it must be the calling code of the country'],
    ["smpp://id:pw@host?national=%2B52", 'has a wrong "national"'],
    ["smpp://id:pw@host?national_prefix=0", 'has "national_prefix" without "national"'],
    ["smpp://id:pw@host?national=52&national_prefix=x", 'has a wrong "national_prefix": it must be 1 to 4 digits.'],
    ["smpp://id:pw@host?national=52&dest_ton=1", 'has "dest_ton" 1 (international) and "national": leave one out.'],
    ["smpp://id:pw@host?errors=0x400", 'has a wrong "errors": it must be statuses with their meanings, such as'],
    [
      "smpp://id:pw@host?errors=0x400:banned",
      "recipient, sender, text, message, temporary, throttled, account, settings"
    ],
    ["smpp://id:pw@host?errors=0:recipient", 'has a wrong "errors"'],
    ["smpp://id:pw@host?errors=ESME_ROK:recipient", 'has a wrong "errors"'],
    ["smpp://id:pw@host?errors=ESME_RWHAT:recipient", 'has a wrong "errors"'],
    ["smpp://id:pw@host?errors=toString:recipient", 'has a wrong "errors"'],
    ["smpp://id:pw@host?errors=0x100000000:recipient", 'has a wrong "errors"'],
    ["smpp://id:pw@host?errors=0x400:recipient,,0x401:text", 'has a wrong "errors"'],
    ["smpp://id:pw@host?errors=0x400:recipient,1024:sender", 'has a status more than once in "errors".'],
    ["smpp://id:hunter2@host?unmarked_receipts=1", 'has a wrong "unmarked_receipts": it must be yes or no.'],
    ["smpp://id:hunter2@host?servername=x", "has an unknown option; the options are"],
    ["ssmpp://id:hunter2@host?servername=", 'has a wrong "servername": it must be the name on the certificate.'],
    ["smpp://id:hunter2@host?window=5&window=6", 'has "window" more than once'],
    ["smpp://id:pw@host?windows=5", "The SMPP URL has an unknown option; the options are window, rate,"],
    ["smpp://id:@host?hunter2@host", "percent-encode ?, & and ; in the password"],
    ["smpp://id:@host?a&hunter2@host?window=5", "percent-encode ?, & and ; in the password"],
    ["smpp://id:pw@host,smpp://id:hunter2@host?rate=x", 'SMPP URL number 2 has a wrong "rate"'],
    ["smpp://id:pw@host,", "SMPP URL number 2 must look like"],
    [
      "smpp://id:hunter2@host?states=DND",
      'The SMPP URL has a wrong "states": it must be words of the carrier\'s receipts'
    ],
    ["smpp://id:hunter2@host?states=DND:gone", 'has a wrong "states"'],
    ["smpp://id:hunter2@host?states=DND:failed,,X:failed", 'has a wrong "states"'],
    ["smpp://id:hunter2@host?states=A+B:failed", 'has a wrong "states"'],
    [`smpp://id:hunter2@host?states=${"X".repeat(65)}:failed`, 'has a wrong "states"'],
    ["smpp://id:hunter2@host?states=", 'has a wrong "states"'],
    [
      "smpp://id:hunter2@host?states=DND:failed,NACK:failed,dnd:sent",
      '"states" that gives DND twice; keep one of them.'
    ],
    [
      "smpp://id:hunter2@host?states=DELIVRD:failed",
      '"states" that gives DELIVRD another meaning than SMPP, where it is delivered'
    ],
    ["smpp://id:hunter2@host?states=acceptd:delivered", "gives ACCEPTD another meaning than SMPP, where it is sent"],
    [
      "smpp://id:hunter2@host?states=2:failed",
      "gives 2 another meaning than SMPP, where it is delivered; leave it out."
    ],
    ["smpp://id:hunter2@host?receipts=text", 'has a wrong "receipts": it must be part or message.'],
    [
      "smpp://id:hunter2@host?bind=transmitter&receipts=message",
      'has "receipts", and brings no receipts as a transmitter'
    ],
    [
      "smpp://id:hunter2@host?bind=transmitter&states=DND:failed",
      'has "states", and brings no receipts as a transmitter: give it to'
    ],
    [
      "smpp://id:hunter2@host?bind=transmitter&receives=+491713920000",
      'has "receives", and brings no texts as a transmitter: give it to'
    ],
    ["smpp://id:hunter2@host?receives=491713920000", 'has a wrong "receives": it must be 1 to 100 different numbers'],
    ["smpp://id:hunter2@host?receives=+491713920000,12345", 'has a wrong "receives"'],
    ["smpp://id:hunter2@host?receives=+491713920000,+491713920000", 'has a wrong "receives"']
  ])("is named in a sentence: %s", (url, sentence) => {
    expect(fault(url)).toContain(sentence)
    expect(fault(url)).not.toContain("hunter2")
  })

  it("takes numbers of ours with the plus sign, escaped or not", () => {
    const read = fromUrls("smpp://id:pw@host?receives=+491713920000,%2B441632960001")
    expect(Result.getOrThrow(read).links[0]?.receives).toEqual(["+491713920000", "+441632960001"])
  })

  it("has all that can be read in the documents", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/sms.md"), "utf8")
    const [, known = ""] = /options are ([a-zA-Z0-9_, ]+);/.exec(fault("ssmpp://id:pw@host?unknown=1")) ?? []
    const names = known.split(", ").filter((name) => name !== "tlv_HEX")
    expect(names.length).toBeGreaterThan(20)
    for (const name of names) expect(page).toContain(`\`${name}\``)
  })

  it("never shows the password of any URL", () => {
    const secret = "Tr0ub4dor"
    FastCheck.assert(
      FastCheck.property(
        // Characters with a meaning in a URL, more often than by chance.
        FastCheck.oneof(FastCheck.string(), FastCheck.string({ unit: FastCheck.constantFrom(..."@?&=/#:%a") })),
        FastCheck.string(),
        FastCheck.constantFrom("smpp://", "ssmpp://", "http://", "smpp:", ""),
        (around, query, scheme) => {
          const url = `${scheme}id:${around}${secret}${around}@host?window=${query}`
          const read = fromUrls(url)
          expect(JSON.stringify(Result.isFailure(read) ? read.failure : read.success)).not.toContain(secret)
        }
      ),
      { numRuns: 2_000 }
    )
  })
})

describe("a link from a program", () => {
  it("has the same defaults", () => {
    const made = link({ host: "host", systemId: "id", password: Redacted.make("pw") })
    expect({ ...made, password: null }).toEqual({ ...first("smpp://id:pw@host"), password: null })
    expect(link({ host: "host", systemId: "id", password: Redacted.make("pw"), tls: {} }).port).toBe(3550)
  })
})
