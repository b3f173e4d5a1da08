/**
 * Scripted carriers with different dialects, and the phone behind each, for rehearsals.
 *
 * Source of the forms: SMPP 3.4 §5.2.19 (data_coding 0 is the carrier's), §5.2.23 (message_id), Appendix B (receipts).
 */
import type { Script as CarrierScript, Submit } from "@watchword/sandbox/smsc"
import type { DeliverFields } from "@watchword/sandbox/smsc"
import * as wire from "@watchword/sandbox/smsc"

export interface Script {
  readonly name: string
  readonly behaviour: () => Partial<CarrierScript>
  /** The phone's display of a text's octets under data_coding 0. */
  readonly phone: (octets: Buffer) => string
  /** What `carrier try` finds, by the subject. */
  readonly findings: Readonly<Record<string, string | RegExp>>
  /** The options that it proposes. */
  readonly options: string
}

const GSM = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ"
const asGsm = (octets: Buffer): string =>
  [...octets].map((octet) => (octet < 0x20 ? (GSM[octet] ?? "") : String.fromCharCode(octet))).join("")

// oxlint-disable-next-line no-control-regex
const asLatin1 = (octets: Buffer): string => octets.toString("latin1").replace(/[\u0000-\u001f\u007f-\u009f]/g, "")

/** A stamp of now, some hours ahead of UTC. */
export const stamp = (form: "minutes" | "seconds" | "century", hours = 0): string => {
  const digits = new Date(Date.now() + hours * 3_600_000).toISOString().replace(/\D/g, "").slice(0, 14)
  return { minutes: digits.slice(2, 12), seconds: digits.slice(2, 14), century: digits }[form]
}

const text = (id: string, stat: string, date: string, submit = "submit date", done = "done date"): string =>
  `id:${id} sub:001 dlvrd:001 ${submit}:${date} ${done}:${date} stat:${stat} err:000 text:`

const receiptOf = ({ to }: Submit, fields: DeliverFields, after = 5) => ({ after, fields: { source: to, ...fields } })

const isLastPart = ({ part }: Submit): boolean => part === null || part[1] === part[2]

export const scripts: ReadonlyArray<Script> = [
  {
    name: "the GSM alphabet, hexadecimal ids of eight characters, a receipt for each part, by UTC",
    behaviour: () => {
      let next = 0x0a1b2c00
      return {
        submit: () => ({ id: (next++).toString(16).toUpperCase().padStart(8, "0") }),
        receipt: (submit) => receiptOf(submit, { text: text(submit.id, "DELIVRD", stamp("minutes")) })
      }
    },
    phone: asGsm,
    findings: {
      ids: /^uppercase hexadecimal of 8 characters in answers \(0A1B2C00\); in receipts \(0A1B2C00\), the same$/,
      clocks: /^YYMMDDhhmm \(\d{10}\), by UTC$/,
      receipts: "one for each part",
      alphabet: "the phone shows the signs as they were sent",
      numbers: "receipts have the number with the calling code, TON 1",
      rate: "nothing was throttled"
    },
    options: ""
  },
  {
    name: "Latin-1 as the default alphabet, UUIDs, dates with seconds by UTC+02:00, numbers with their plus sign",
    behaviour: () => {
      let next = 0
      return {
        submit: () => ({ id: `4b0f7c1e-0d2a-4f6e-9b1c-${String(++next).padStart(12, "0")}` }),
        receipt: (submit) =>
          receiptOf(submit, { source: `+${submit.to}`, text: text(submit.id, "DELIVRD", stamp("seconds", 2)) })
      }
    },
    phone: asLatin1,
    findings: {
      ids: /^UUIDs in answers/,
      clocks: /^YYMMDDhhmmss \(\d{12}\), by UTC\+02:00$/,
      alphabet: /^data_coding 0 is Latin-1, or ASCII/,
      numbers: "receipts have the number with its plus sign, TON 1"
    },
    options: "alphabet=latin1"
  },
  {
    name: "one receipt for a whole text",
    behaviour: () => ({
      receipt: (submit) =>
        isLastPart(submit) ? receiptOf(submit, { text: text(submit.id, "DELIVRD", stamp("century")) }) : null
    }),
    phone: asGsm,
    findings: { receipts: "one for a whole text: 1 for 2 parts", clocks: /^YYYYMMDDhhmmss \(\d{14}\), by UTC$/ },
    options: "receipts=message"
  },
  {
    name: "receipts in UCS-2, in two states each",
    behaviour: () => ({
      receipt: (submit) => {
        const ucs2 = (stat: string) => Buffer.from(text(submit.id, stat, stamp("minutes", -5)), "utf16le").swap16()
        void submit.session.deliver({ source: submit.to, esmClass: 0x20, dataCoding: 8, text: ucs2("ENROUTE") })
        return receiptOf(submit, { dataCoding: 8, text: ucs2("DELIVRD") }, 40)
      }
    }),
    phone: asGsm,
    findings: {
      coding: "receipts have data_coding 8 (UCS-2)",
      receipts: "one for each part; 4 of a state that is not final",
      clocks: /by UTC-05:00$/
    },
    options: ""
  },
  {
    name: "states of its own, ids in hexadecimal for decimal ones in receipts, receipts that are not marked",
    behaviour: () => {
      let next = 4_276_803_100
      return {
        submit: () => ({ id: (next++).toString(16) }),
        receipt: (submit) =>
          receiptOf(submit, {
            esmClass: 0,
            text: text(String(Number.parseInt(submit.id, 16)), "ZUGEST", stamp("minutes"))
          })
      }
    },
    phone: asGsm,
    findings: {
      ids: /^lowercase hexadecimal of 8 characters in answers \(fe\w+\); decimal of 10 characters in receipts \(42\d+\), decimal for hexadecimal, which is understood$/,
      states: /^ZUGEST; ZUGEST has no meaning that is known, and counts as sent$/,
      receipts: /^none that is final within the time; 4 of a state that is not final$/,
      marks: /^receipts are not marked as such/
    },
    options: "states=ZUGEST:delivered&unmarked_receipts=yes"
  },
  {
    name: "two messages a second, and no user_message_reference",
    behaviour: () => {
      const times: Array<number> = []
      return {
        submit: ({ reference }) => {
          if (reference !== null) return { status: wire.STATUS.RTLVNOTALLWD }
          const now = performance.now()
          if (times.filter((time) => now - time < 1000).length >= 2) return { status: wire.STATUS.RTHROTTLED }
          times.push(now)
          return {}
        },
        receipt: (submit) => receiptOf(submit, { text: text(submit.id, "DELIVRD", stamp("minutes")) })
      }
    },
    phone: asGsm,
    findings: {
      reference: "user_message_reference is refused, and left out from now on",
      rate: /^throttled \d+ times, at \d+ in a second$/
    },
    options: "rate=*"
  },
  {
    name: "ids of capitals, which receipts have in small letters",
    behaviour: () => {
      let next = 0
      return {
        submit: () => ({ id: `MSG-${++next}Z` }),
        receipt: (submit) => receiptOf(submit, { text: text(submit.id.toLowerCase(), "DELIVRD", stamp("minutes")) })
      }
    },
    phone: asGsm,
    findings: { ids: /; texts of 6 characters in receipts \(msg-1z\), the same in another case, which is understood$/ },
    options: ""
  }
]

/** The phone's display of an incoming text, between its quotes. */
export const shownOf = ({ dataCoding, frame }: Submit, phone: Script["phone"]): string => {
  const octets = shortMessageOf(frame)
  const shown = dataCoding === 8 ? Buffer.from(octets).swap16().toString("utf16le") : phone(octets)
  return /"(.*)"/.exec(shown)?.[1] ?? ""
}

/** The octets of short_message, past the fields before it (SMPP 3.4 §4.4.1). */
const shortMessageOf = (frame: Buffer): Buffer => {
  const afterText = (at: number): number => frame.indexOf(0, at) + 1
  const source = afterText(16) + 2
  const destination = afterText(source) + 2
  const schedule = afterText(destination) + 3
  const validity = afterText(schedule)
  const length = afterText(validity) + 4
  return frame.subarray(length + 1, length + 1 + (frame[length] ?? 0))
}
