/**
 * The table of receipts, through the reader of a link: from octets to the message of a receipt, and its report.
 */
import { describe, expect, it } from "@effect/vitest"
import { fromUrls } from "@watchword/sms/smpp"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import * as DeliverSm from "../../src/internal/smpp/DeliverSm.ts"
import { type Incoming, classify } from "../../src/internal/smpp/Incoming.ts"
import { Link } from "../../src/internal/smpp/Link.ts"
import { MessageIds } from "../../src/internal/smpp/MessageIds.ts"
import { receiptFrame } from "./receiptFrame.ts"
import { type ReceiptPdu, type Reading, type Row, rows } from "./Receipts.ts"

const TO = "+4915123456789"

/** A link by which a message to {@link TO} was submitted, and its ref. */
const submitted = ({ query = "", submitted: id }: Pick<Row, "query" | "submitted">) => {
  const { links } = Result.getOrThrow(fromUrls(`smpp://id:secret@carrier.example?${query}`))
  const [options] = links
  if (options === undefined) throw new Error("no link")
  const ids = new MessageIds("")
  // Messages of others, which an id must not be taken for.
  ids.register("9999001", "+4915198765432")
  ids.register("Other-Case", "+4915198765432")
  const ref = ids.register(id, TO)
  return { link: new Link("carrier", options, ids, 0), ref }
}

const incoming = (row: Pick<Row, "pdu" | "query" | "submitted">): { incoming: Incoming | undefined; ref: string } => {
  const { link, ref } = submitted(row)
  const message = DeliverSm.read(receiptFrame(row.pdu))
  return { incoming: message && classify(link, message), ref }
}

const others: Readonly<Record<Exclude<Incoming["_tag"], "Receipt">, Reading>> = {
  Text: "a subscriber's text",
  Doubtful: "an unmarked receipt that is not believed",
  Nameless: "a receipt that names no message"
}

const readingOf = (row: Pick<Row, "pdu" | "query" | "submitted">): Reading | undefined => {
  const { incoming: read, ref } = incoming(row)
  if (read === undefined) return undefined
  if (read._tag !== "Receipt") return others[read._tag]
  const { carrierError, carrierStatus, refs, status } = read.event
  const reading = { status, word: carrierStatus, error: carrierError }
  return refs.length === 1 && refs[0] === ref ? reading : { isMatched: false, ...reading }
}

describe("a receipt", () => {
  for (const [index, row] of rows.entries()) {
    it(`${index + 1}, of ${row.from} (${row.source}): ${row.what}`, () => {
      expect(readingOf(row)).toEqual(row.reads)
      const { incoming: read } = incoming(row)
      const isOfAllParts = row.query === "receipts=message"
      if (read?._tag === "Receipt") expect(read.event.isOfAllParts).toBe(isOfAllParts)
    })
  }
})

describe("the table of receipts", () => {
  it("has no row twice, and a source for each", () => {
    const keys = rows.map(({ from, source, what }) => `${from} ${source} ${what}`)
    expect(new Set(keys).size).toBe(rows.length)
    expect(rows.every(({ source }) => source.length > 4)).toBe(true)
  })
})

/** Rows whose text names everything, so that it may be written in other ways without another meaning. */
const plain = rows.filter(
  ({ pdu, reads }) =>
    typeof reads === "object" &&
    reads.isMatched === undefined &&
    pdu.command !== "data_sm" &&
    pdu.header === undefined &&
    pdu.alphabet === undefined &&
    // oxlint-disable-next-line no-control-regex
    /^[ -~]*$/.test(pdu.text ?? "") &&
    /\bid:\S/.test(pdu.text ?? "")
)

const holds = (change: (pdu: ReceiptPdu, row: Row) => ReceiptPdu | undefined) => (row: Row) => {
  const pdu = change(row.pdu, row)
  if (pdu !== undefined) expect(readingOf({ ...row, pdu })).toEqual(row.reads)
}

describe("any receipt of the table", () => {
  const aRow = FastCheck.constantFrom(...plain)

  it("reads the same in each alphabet, whatever data_coding says", () => {
    const dataCodings = FastCheck.constantFrom(0, 1, 3, 8, 0x18, 0xf1)
    const alphabets = FastCheck.constantFrom("utf-16be", "utf-16le")
    FastCheck.assert(
      FastCheck.property(aRow, dataCodings, alphabets, (row, dataCoding, alphabet) => {
        holds((pdu) => ({ ...pdu, dataCoding }))(row)
        // A short_message has one octet for its length.
        holds((pdu) => ((pdu.text ?? "").length > 127 ? undefined : { ...pdu, dataCoding, alphabet }))(row)
      })
    )
  })

  it("reads the same with its words in either case, more blanks between them, and NULs or line ends around it", () => {
    const blanks = FastCheck.constantFrom(" ", "  ", " \t", "\r\n", " , ", ";")
    const ends = FastCheck.constantFrom("", "\0", "\0\0", "\r\n", " ")
    const names = /(^|[ ;])(id|sub|dlvrd|stat|err):/g
    FastCheck.assert(
      FastCheck.property(aRow, blanks, ends, ends, FastCheck.boolean(), (row, blank, begin, end, upper) =>
        holds(({ text = "", ...pdu }) => {
          const [fields = "", quoted = ""] = text.split(/(?=text:)/i, 2)
          const words = upper ? fields : fields.replace(/stat:\w+/i, (stat) => stat.toLowerCase())
          const spaced = words
            .replace(names, (name) => (upper ? name.toUpperCase() : name))
            .replace(/ (?=\w+:)/g, blank)
          return { ...pdu, text: `${begin}${spaced}${quoted}${end}` }
        })(row)
      )
    )
  })

  it("reads the same behind fields whose names end like its own", () => {
    FastCheck.assert(
      FastCheck.property(
        aRow,
        FastCheck.constantFrom("msgid:9 ", "lac_id:77,", "substat:DELIVRD ", "xerr:5;"),
        (row, other) => holds(({ text = "", ...pdu }) => ({ ...pdu, text: `${other}${text}`.slice(0, 255) }))(row)
      )
    )
  })

  it("reads the same with fields in another order", () => {
    FastCheck.assert(
      FastCheck.property(aRow, FastCheck.nat(), (row, seed) =>
        holds(({ text = "", ...pdu }) => {
          const match = /^id:(\S+) (.*) stat:(\S+) err:(\S+)(?: text:.*)?$/i.exec(text)
          if (match === null || text.split("stat:").length > 2) return undefined
          const [, id = "", middle = "", stat = "", err = ""] = match
          const fields = [`id:${id}`, middle, `stat:${stat}`, `err:${err}`]
          const turned = fields.map((_, index) => fields[(index + seed) % fields.length] ?? "")
          return { ...pdu, text: turned.join(" ") }
        })(row)
      )
    )
  })

  it("reads the same with a message in its text that is a receipt itself", () => {
    FastCheck.assert(
      FastCheck.property(aRow, FastCheck.constantFrom(...plain), (row, other) =>
        holds(({ text = "", ...pdu }, { reads }) => {
          if (/text:/i.test(text) || typeof reads !== "object" || reads.word === null || reads.error === null)
            return undefined
          return { ...pdu, text: `${text} text:${other.pdu.text ?? ""}`.slice(0, 255) }
        })(row)
      )
    )
  })

  it("is never final by a word that no specification, setting or row knows", () => {
    const word = FastCheck.stringMatching(/^[A-Z]{3,9}$/)
    const known = new Set(
      rows.flatMap(({ reads }) => (typeof reads === "object" && reads.status !== null ? [reads.word] : []))
    )
    known.add("SCHEDULED").add("UNDELIVERED").add("SCHEDLD")
    FastCheck.assert(
      FastCheck.property(word, (stat) => {
        FastCheck.pre(!known.has(stat))
        expect(readingOf({ submitted: "77", pdu: { text: `id:77 stat:${stat} err:009` } })).toEqual({
          status: null,
          word: stat,
          error: "009"
        })
      })
    )
  })
})
