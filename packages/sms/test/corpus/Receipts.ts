/**
 * Delivery receipts over SMPP as message centres, carriers and providers send them. Numbers, texts and some ids are
 * made up.
 *
 * Clickatell, CM.com, Infobip, Kaleyra, LINK Mobility, Route Mobile, smpp.org, Telesign and one article of Vonage were
 * read at second hand, in a public test table that cites the documents named here. The rows of a specification are
 * derived from it.
 */
import type { SmsStatus } from "@watchword/schemas/Sms"

export interface Row {
  /** Who sends it: a product, a provider, a specification. */
  readonly from: string
  /** Where that is known from. */
  readonly source: string
  /** Its peculiarity. */
  readonly what: string
  /** The id that submit_sm_resp had. */
  readonly submitted: string
  readonly pdu: ReceiptPdu
  /** Options of the carrier's URL. */
  readonly query?: string
  readonly reads: Reading
}

/**
 * A deliver_sm from +4915123456789 to a name, with esm_class 4 and data_coding 0, unless given otherwise.
 */
export interface ReceiptPdu {
  readonly command?: "deliver_sm" | "data_sm"
  readonly esmClass?: number
  readonly dataCoding?: number
  readonly source?: string
  readonly sourceTon?: number
  readonly destination?: string
  readonly destinationTon?: number
  /** The short_message, each character an octet. */
  readonly text?: string
  /** How the text is written, where its characters are not octets. */
  readonly alphabet?: "utf-16be" | "utf-16le"
  /** Octets of a user data header, in hexadecimal. */
  readonly header?: string
  /** Optional parameters in hexadecimal, by their tags. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Octets behind the last parameter, in hexadecimal. */
  readonly rest?: string
}

export type Reading =
  | {
      /** Whether it leads to the message; true by default. */
      readonly isMatched?: false
      readonly status: SmsStatus | null
      readonly word: string | null
      readonly error: string | null
    }
  | "a subscriber's text"
  | "an unmarked receipt that is not believed"
  | "a receipt that names no message"

const delivered = (error: string | null = "000", word = "DELIVRD"): Reading => ({ status: "delivered", word, error })
const undelivered = (error: string | null = "000", word = "UNDELIV"): Reading => ({
  status: "undelivered",
  word,
  error
})
const failed = (error: string | null = "000", word = "REJECTD"): Reading => ({ status: "failed", word, error })
const sent = (word: string, error: string | null = "000"): Reading => ({ status: "sent", word, error })
const unknown = (word: string | null, error: string | null): Reading => ({ status: null, word, error })

const ascii = (text: string): string => Buffer.from(text, "latin1").toString("hex")
const id = (text: string): string => `${ascii(text)}00`

const ID = "001E"
const REFERENCE = "0204"
const ERROR = "0423"
const PAYLOAD = "0424"
const STATE = "0427"

const SMPP_3_4 = "SMPP 3.4 issue 1.2"
const SMPP_5_0 = "SMPP 5.0"

/** A receipt in the form of Appendix B. */
const appendixB = (message: string, stat: string, error = "000", text = " text:"): string =>
  `id:${message} sub:001 dlvrd:001 submit date:2609051430 done date:2609051431 stat:${stat} err:${error}${text}`

const inSpecification: ReadonlyArray<Row> = [
  {
    from: SMPP_3_4,
    source: "Appendix B, the example",
    what: "ten digits, and dates of ten",
    submitted: "0123456789",
    pdu: {
      text: "id:0123456789 sub:001 dlvrd:001 submit date:9811260810 done date:9811260811 stat:DELIVRD err:0 Text:Hello"
    },
    reads: delivered("0")
  },
  ...(
    [
      ["EXPIRED", undelivered("000", "EXPIRED")],
      ["DELETED", undelivered("000", "DELETED")],
      ["UNDELIV", undelivered()],
      ["ACCEPTD", sent("ACCEPTD")],
      ["UNKNOWN", sent("UNKNOWN")],
      ["REJECTD", failed()]
    ] as const
  ).map(([stat, reads]): Row => ({
    from: SMPP_3_4,
    source: "Appendix B, table B-2",
    what: `the word ${stat}`,
    submitted: "4f21",
    pdu: { text: appendixB("4f21", stat) },
    reads
  })),
  ...(
    [
      [1, sent("ENROUTE", null)],
      [2, delivered(null)],
      [3, undelivered(null, "EXPIRED")],
      [4, undelivered(null, "DELETED")],
      [5, undelivered(null)],
      [6, sent("ACCEPTD", null)],
      [7, sent("UNKNOWN", null)],
      [8, failed(null)]
    ] as const
  ).map(([state, reads]): Row => ({
    from: SMPP_3_4,
    source: "§5.2.28",
    what: `message_state ${state}, without a text`,
    submitted: "4f22",
    pdu: { parameters: { [ID]: id("4f22"), [STATE]: `0${state}` } },
    reads
  })),
  {
    from: SMPP_5_0,
    source: "§4.7.15",
    what: "message_state 0 (SCHEDULED), which 3.4 does not have",
    submitted: "4f23",
    pdu: { parameters: { [ID]: id("4f23"), [STATE]: "00" } },
    reads: sent("SCHEDLD", null)
  },
  {
    from: SMPP_5_0,
    source: "§4.7.15, the name of state 0",
    what: "the word SCHEDULED",
    submitted: "4f50",
    pdu: { text: appendixB("4f50", "SCHEDULED") },
    reads: sent("SCHEDULED")
  },
  {
    from: SMPP_5_0,
    source: "§4.7.15",
    what: "message_state 9 (SKIPPED)",
    submitted: "4f24",
    pdu: { parameters: { [ID]: id("4f24"), [STATE]: "09" } },
    reads: undelivered(null, "SKIPPED")
  },
  {
    from: SMPP_3_4,
    source: "§5.2.28 and Appendix B",
    what: "a message_state of 0, which has no meaning there, and a word",
    submitted: "4f25",
    pdu: { text: appendixB("4f25", "DELIVRD"), parameters: { [STATE]: "00" } },
    reads: delivered()
  },
  {
    from: SMPP_3_4,
    source: "§5.3.2.31",
    what: "a network_error_code, which the err of the text repeats in another way",
    submitted: "4f26",
    pdu: { text: appendixB("4f26", "UNDELIV", "001"), parameters: { [ERROR]: "03001b" } },
    reads: undelivered("027")
  },
  {
    from: SMPP_5_0,
    source: "§4.8.4.42 (network type 7: an SMPP error)",
    what: "a command_status as network_error_code",
    submitted: "4f44",
    pdu: { parameters: { [ID]: id("4f44"), [STATE]: "08", [ERROR]: "07000b" } },
    reads: failed("011")
  },
  {
    from: SMPP_3_4,
    source: "§5.3.2.35, which has one octet",
    what: "only a message_state of four octets",
    submitted: "4f45",
    pdu: { parameters: { [ID]: id("4f45"), [STATE]: "00000002" } },
    reads: delivered(null)
  },
  {
    from: SMPP_3_4,
    source: "§5.3.2.35, which has one octet",
    what: "a message_state of four octets, and a word",
    submitted: "4f46",
    pdu: { text: appendixB("4f46", "EXPIRED"), parameters: { [STATE]: "00000002" } },
    reads: undelivered("000", "EXPIRED")
  },
  {
    from: SMPP_3_4,
    source: "§5.2.12 (esm_class 0x10)",
    what: "a manual acknowledgement of the phone's user, that reads like a receipt of another message",
    submitted: "4f47",
    pdu: { esmClass: 0x10, text: appendixB("4f48", "DELIVRD") },
    reads: "an unmarked receipt that is not believed"
  },
  {
    from: SMPP_3_4,
    source: "§5.3.2.12",
    what: "a receipted_message_id that the text writes in decimal",
    submitted: "38601fa",
    pdu: { text: appendixB("0059113978", "DELIVRD"), parameters: { [ID]: id("38601fa") } },
    reads: delivered()
  },
  {
    from: SMPP_3_4,
    source: "§5.3.2.12",
    what: "a receipted_message_id without esm_class",
    submitted: "4f27",
    pdu: { esmClass: 0, parameters: { [ID]: id("4f27"), [STATE]: "02" } },
    reads: delivered(null)
  },
  {
    from: SMPP_3_4,
    source: "§5.3.2.12, without the NUL that it asks for",
    what: "a receipted_message_id that ends without a NUL",
    submitted: "4f28",
    pdu: { parameters: { [ID]: ascii("4f28"), [STATE]: "02" } },
    reads: delivered(null)
  },
  {
    from: SMPP_3_4,
    source: "§5.3.2.12",
    what: "an empty receipted_message_id and a text",
    submitted: "4f29",
    pdu: { text: appendixB("4f29", "DELIVRD"), parameters: { [ID]: "00" } },
    reads: delivered()
  },
  {
    from: SMPP_3_4,
    source: "§5.2.12 (esm_class 0x20)",
    what: "an intermediate notification without a state",
    submitted: "4f30",
    pdu: { esmClass: 0x20, text: "id:4f30 err:027" },
    reads: unknown(null, "027")
  },
  {
    from: SMPP_3_4,
    source: "§5.2.12 (esm_class 0x04 with the reply path)",
    what: "other bits of esm_class",
    submitted: "4f31",
    pdu: { esmClass: 0x84, text: "stat:UNDELIV id:4f31" },
    reads: undelivered(null)
  },
  {
    from: SMPP_3_4,
    source: "§5.2.12 (esm_class 0x08)",
    what: "a delivery acknowledgement of the phone's user",
    submitted: "4f32",
    pdu: { esmClass: 0x08, text: "thank you" },
    reads: "a subscriber's text"
  },
  {
    from: SMPP_3_4,
    source: "§4.6.1",
    what: "a text of a subscriber that names an id",
    submitted: "4f33",
    pdu: { esmClass: 0, text: "id:4f33 is my order" },
    reads: "a subscriber's text"
  },
  {
    from: SMPP_3_4,
    source: "§4.7.1",
    what: "a data_sm",
    submitted: "4f34",
    pdu: { command: "data_sm", parameters: { [PAYLOAD]: ascii(appendixB("4f34", "EXPIRED")) } },
    reads: undelivered("000", "EXPIRED")
  },
  {
    from: SMPP_3_4,
    source: "§5.3.2.32",
    what: "a text in message_payload",
    submitted: "4f35",
    pdu: { parameters: { [PAYLOAD]: ascii(appendixB("4f35", "REJECTD", "011")) } },
    reads: failed("011")
  },
  {
    from: SMPP_3_4,
    source: "§3.3 (parameters that are not known)",
    what: "a vendor's parameter before the others",
    submitted: "4f36",
    pdu: { parameters: { "1400": ascii("x"), [ID]: id("4f36"), [STATE]: "05" } },
    reads: undelivered(null)
  },
  {
    from: SMPP_3_4,
    source: "§5.3.2.17",
    what: "only a user_message_reference",
    submitted: "4f37",
    pdu: { text: "stat:DELIVRD err:000", parameters: { [REFERENCE]: "1234" } },
    reads: { isMatched: false, status: "delivered", word: "DELIVRD", error: "000" }
  },
  {
    from: SMPP_3_4,
    source: "Appendix B and §5.2.12: a receipt that subscribers can write too",
    what: "an unmarked receipt of the recipient that says that nothing came",
    submitted: "4f38",
    pdu: { esmClass: 0, text: appendixB("4f38", "UNDELIV") },
    reads: "an unmarked receipt that is not believed"
  },
  {
    from: SMPP_3_4,
    source: "§5.2.5 (a type of number that is not known)",
    what: "an unmarked receipt of the recipient, whose number has the type 0",
    submitted: "4f49",
    pdu: { esmClass: 0, sourceTon: 0, text: appendixB("4f49", "DELIVRD") },
    reads: delivered()
  },
  {
    from: SMPP_3_4,
    source: "Appendix B and §5.2.12: a receipt that subscribers can write too",
    what: "an unmarked receipt of another number",
    submitted: "4f39",
    pdu: { esmClass: 0, source: "4915198765432", text: appendixB("4f39", "DELIVRD") },
    reads: "an unmarked receipt that is not believed"
  },
  {
    from: SMPP_3_4,
    source: "Appendix B and §5.2.12: a receipt that subscribers can write too",
    what: "an unmarked receipt where the URL takes them",
    submitted: "4f40",
    query: "unmarked_receipts=yes",
    pdu: { esmClass: 0, text: appendixB("4f40", "UNDELIV") },
    reads: undelivered()
  },
  {
    from: SMPP_3_4,
    source: "Appendix B: the text has the first characters of the message",
    what: "a message that reads like a receipt itself",
    submitted: "4f41",
    pdu: { text: `${appendixB("4f41", "UNDELIV", "069")}id:4f42 stat:DELIVRD err:000` },
    reads: undelivered("069")
  },
  {
    from: "3GPP TS 23.038",
    source: "§6.2.1: `_` is 0x11",
    what: "an id with an underscore, in the GSM alphabet",
    submitted: "ab_1",
    pdu: { text: "id:ab\u00111 stat:DELIVRD err:000" },
    reads: delivered()
  },
  {
    from: "3GPP TS 23.038",
    source: "§6.2.1: `@` is 0x00 and `$` 0x02",
    what: "an id with @ and $, in the GSM alphabet",
    submitted: "a@b$c",
    pdu: { text: "id:a\u0000b\u0002c stat:DELIVRD err:000" },
    reads: delivered()
  },
  {
    from: "3GPP TS 23.038",
    source: "§6.2.1.1: `{` is 0x1B 0x28",
    what: "a GUID in braces, in the GSM alphabet",
    submitted: "{0e999f21-81ef-4974-a414-3de98174e3c7}",
    pdu: { text: "id:\u001b(0e999f21-81ef-4974-a414-3de98174e3c7\u001b) stat:DELIVRD" },
    reads: delivered(null)
  },
  {
    from: "3GPP TS 23.038",
    source: "§4 (data_coding 0x18: class and UCS-2)",
    what: "ASCII under a class of UCS-2",
    submitted: "4f43-x",
    pdu: { dataCoding: 0x18, text: appendixB("4f43-x", "DELIVRD") },
    reads: delivered()
  }
]

const inReports: ReadonlyArray<Row> = [
  {
    from: "a carrier in India",
    source: "onlinecity/php-smpp#70, 2017",
    what: "an err of four digits, an escape in the text and parameters of a vendor",
    submitted: "117062714244798261",
    pdu: {
      text: "id:117062714244798261 sub:001 dlvrd:001 submit date:1706271624 done date:1706271624 stat:DELIVRD err:0000 text:H\u001bello",
      parameters: { [ERROR]: "030000", "1454": "00000000", "1418": "00000000" }
    },
    reads: delivered()
  },
  {
    from: "a client of php-smpp",
    source: "onlinecity/php-smpp#29, 2014",
    what: "a blank behind err:",
    submitted: "77120",
    pdu: { text: "id:77120 sub:1 dlvrd:001 submit date:1404171200 done date:1404171201 stat:UNDELIV err: 4 text:x" },
    reads: undelivered("4")
  },
  {
    from: "an operator in Russia",
    source: "funbox/smppex#46, 2018",
    what: "dates with tenths and a sign, no text",
    submitted: "rdwjwxns18krxr9936ey96ymcw",
    pdu: {
      text: "id:rdwjwxns18krxr9936ey96ymcw sub:000 dlvrd:000 submit date:180711070003912+ done date:180711070000012+ stat:UNDELIV err:000"
    },
    reads: undelivered()
  },
  {
    from: "a carrier behind Jasmin",
    source: "jookies/jasmin#423",
    what: "22 digits, of which the receipt leaves out the first zero",
    submitted: "0416216144964100002417",
    pdu: { text: appendixB("416216144964100002417", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "a carrier behind Jasmin",
    source: "jookies/jasmin#424, 2016",
    what: "23 digits with a zero in front, in both",
    submitted: "04062581461644996000241",
    pdu: { text: appendixB("04062581461644996000241", "UNDELIV") },
    reads: undelivered()
  },
  {
    from: "a carrier behind Jasmin",
    source: "jookies/jasmin#586, 2017",
    what: "64 bits in hexadecimal, and in decimal in the receipt",
    submitted: "812FC7470000001B",
    pdu: { text: appendixB("9308878062554710043", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "a carrier behind Jasmin",
    source: "jookies/jasmin#535, 2017",
    what: "32 bits in hexadecimal, and in decimal in the receipt",
    submitted: "10C8F40D",
    pdu: { text: appendixB("281605133", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "a carrier behind Jasmin",
    source: "jookies/jasmin#266, 2015",
    what: "52 bits in hexadecimal, and in decimal in the receipt",
    submitted: "38d7ebcc524ba",
    pdu: { text: appendixB("1000000402564282", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "a carrier behind Jasmin",
    source: "jookies/jasmin#1034",
    what: "decimal in both, padded with zeros in the receipt",
    submitted: "3a0f",
    pdu: { text: appendixB("00000000000014863", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "a carrier behind Jasmin",
    source: "jookies/jasmin#916, 2020",
    what: "an id with hyphens, in small letters in the receipt",
    submitted: "1101C1-C9D03D-F000",
    pdu: { text: appendixB("1101c1-c9d03d-f000", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "Jasmin, whose codec of ids writes capitals",
    source: "jookies/jasmin#643, 2017",
    what: "a UUID in capitals and without its first zero",
    submitted: "0e999f21-81ef-4974-a414-3de98174e3c7",
    pdu: { text: appendixB("E999F21-81EF-4974-A414-3DE98174E3C7", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "Jasmin, whose codec of ids writes capitals",
    source: "jookies/jasmin#418, 2016",
    what: "an id with a prefix of a part, in the other case",
    submitted: "SAR-2347039245475-1eedf843-2-1",
    pdu: { text: appendixB("SAR-2347039245475-1EEDF843-2-1", "UNDELIV") },
    reads: undelivered()
  },
  {
    from: "Clickatell behind Jasmin",
    source: "jookies/jasmin#70, 2014",
    what: "dates with seconds",
    submitted: "a29f6845555647139e5c8f3b817f2c9a",
    pdu: {
      text: "id:a29f6845555647139e5c8f3b817f2c9a sub:001 dlvrd:001 submit date:141023215253 done date:141023215259 stat:DELIVRD err:000 text:"
    },
    reads: delivered()
  },
  {
    from: "Jasmin",
    source: "jookies/jasmin#760, 2019",
    what: "no sub, no dlvrd, no text, and an error with DELIVRD",
    submitted: "fa9542be-3c16-44bb-9a8c-d277ea1851ef",
    pdu: {
      text: "id:fa9542be-3c16-44bb-9a8c-d277ea1851ef submit date:1911211739 done date:1911211741 stat:DELIVRD err:002"
    },
    reads: delivered("002")
  },
  {
    from: "a carrier in India behind Jasmin",
    source: "jookies/jasmin#447, 2016",
    what: "FAILED, and a date of zeros",
    submitted: "1216080510463401720",
    pdu: {
      text: "id:1216080510463401720 sub:001 dlvrd:001 submit date:1608051046 done date:0000000000 stat:FAILED err:002 Text:"
    },
    reads: failed("002", "FAILED")
  },
  {
    from: "Jasmin",
    source: "jookies/jasmin#753",
    what: "dates of twelve digits with the century",
    submitted: "6f2929a9-e61a-435f-9c7a-55ccd3f26a7b",
    pdu: {
      text: "id:6f2929a9-e61a-435f-9c7a-55ccd3f26a7b submit date:201906190720 done date:201906190721 stat:ACCEPTD err:006"
    },
    reads: sent("ACCEPTD", "006")
  },
  {
    from: "Jasmin",
    source: "jookies/jasmin#139, 2015",
    what: "a data_sm with only parameters",
    submitted: "7973ebea-c67b-4f12-b428-06b9c5a20eb7",
    pdu: { command: "data_sm", parameters: { [ID]: id("7973ebea-c67b-4f12-b428-06b9c5a20eb7"), [STATE]: "06" } },
    reads: sent("ACCEPTD", null)
  },
  {
    from: "a carrier behind Jasmin",
    source: "jookies/jasmin#1050",
    what: "a receipt that is not marked, about a recent message to its number",
    submitted: "9c1100-7",
    pdu: { esmClass: 0, text: appendixB("9c1100-7", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "a carrier behind Jasmin",
    source: "jookies/jasmin#885",
    what: "an intermediate notification before the receipt",
    submitted: "885001",
    pdu: { esmClass: 0x20, text: appendixB("885001", "ACCEPTD") },
    reads: sent("ACCEPTD")
  },
  {
    from: "a carrier behind Jasmin",
    source: "jookies/jasmin#663",
    what: "one receipt for a text of several parts",
    submitted: "663001",
    query: "receipts=message",
    pdu: { text: appendixB("663001", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "a carrier behind Jasmin",
    source: "jookies/jasmin#1123",
    what: "one receipt for a text of several parts, about the last",
    submitted: "1123003",
    query: "receipts=message",
    pdu: { text: appendixB("1123003", "EXPIRED") },
    reads: undelivered("000", "EXPIRED")
  },
  {
    from: "Jasmin as a server",
    source: "jookies/jasmin, tests of its SMPP server",
    what: "the state in word and parameter, dates with the century, no sub and dlvrd",
    submitted: "250803136-m",
    pdu: {
      text: "id:250803136-m submit date:202609051430 done date:202609051431 stat:ACCEPTD err:000",
      parameters: { [ID]: id("250803136-m"), [STATE]: "06" }
    },
    reads: sent("ACCEPTD")
  },
  ...(["DELIVERED", "UNDELIVERABLE", "ACCEPTED", "REJECTED"] as const).map((word): Row => ({
    from: "Jasmin before its mend",
    source: "jookies/jasmin#181, 2015",
    what: `${word}, as message_state is called`,
    submitted: "181001-a",
    pdu: { text: appendixB("181001-a", word) },
    reads:
      word === "DELIVERED"
        ? delivered("000", word)
        : word === "UNDELIVERABLE"
          ? undelivered("000", word)
          : word === "ACCEPTED"
            ? sent(word)
            : failed("000", word)
  })),
  {
    from: "an SMSC of a client of Cloudhopper",
    source: "twitter-archive/cloudhopper-smpp#105, 2015",
    what: "no sub",
    submitted: "105001",
    pdu: { text: "id:105001 dlvrd:001 submit date:1506101200 done date:1506101201 stat:DELIVRD err:000 text:" },
    reads: delivered()
  },
  {
    from: "an SMSC of a client of Cloudhopper",
    source: "twitter-archive/cloudhopper-smpp#40 and PR#42, 2013",
    what: "an err in hexadecimal",
    submitted: "42001",
    pdu: { text: appendixB("42001", "UNDELIV", "21b") },
    reads: undelivered("21b")
  },
  {
    from: "Cloudhopper as a server",
    source: "twitter-archive/cloudhopper-smpp#89, 2015",
    what: "err:null",
    submitted: "89001",
    pdu: { text: appendixB("89001", "DELIVRD", "null") },
    reads: delivered("null")
  },
  {
    from: "Cloudhopper as a server",
    source: "twitter-archive/cloudhopper-smpp, DeliveryReceiptTest.java at 0bbe117f, a receipt without a state",
    what: "BADSTAT",
    submitted: "12345678901",
    pdu: {
      text: "id:12345678901 sub:000 dlvrd:000 submit date:0000000000 done date:0000000000 stat:BADSTAT err:000 text:"
    },
    reads: unknown("BADSTAT", "000")
  },
  {
    from: "a carrier in the United Kingdom",
    source: "twitter-archive/cloudhopper-smpp, DeliveryReceiptTest.java at 0bbe117f, “real world”",
    what: "an id in hexadecimal in the parameter, in decimal in the text; signs in the text",
    submitted: "38601fa",
    pdu: {
      text: "id:0059113978 sub:001 dlvrd:001 submit date:1002101730 done date:1002101731 stat:DELIVRD err:000 text:@$#!%&/:",
      parameters: { "000E": "01", "0006": "01", [ID]: "3338363031666100", [STATE]: "02" }
    },
    reads: delivered()
  },
  {
    from: "a carrier of Cloudhopper's users",
    source: "twitter-archive/cloudhopper-smpp, DeliveryReceiptTest.java at 0bbe117f, fields out of order",
    what: "the state behind the text",
    submitted: "74e02ee1-4e2f-4a6e-a78b-4b247d756a22",
    pdu: {
      text: "sub:001 id:74e02ee1-4e2f-4a6e-a78b-4b247d756a22 err:000 dlvrd:001 done date:110206193110 submit date:110206193041 text: stat:DELIVRD"
    },
    reads: delivered()
  },
  {
    from: "a carrier of Cloudhopper's users",
    source: "twitter-archive/cloudhopper-smpp, DeliveryReceiptTest.java at 0bbe117f, no sub and dlvrd",
    what: "dates of 14 digits, and 32 hexadecimal digits",
    submitted: "2e179b310ede971b2760c72b7f026e1b",
    pdu: {
      text: "id:2E179B310EDE971B2760C72B7F026E1B submit date:20110314181534 done date:20110314181741 stat:DELIVRD err:0"
    },
    reads: delivered("0")
  },
  {
    from: "an SMSC of a client of jSMPP",
    source: "opentelecoms-org/jsmpp#62, 2017",
    what: "neither sub nor dlvrd",
    submitted: "1526758174",
    pdu: { text: "id:1526758174 submit date:1701240904 done date:1701240904 stat:DELIVRD err:000 text:hellow" },
    reads: delivered()
  },
  {
    from: "an SMSC of a client of jSMPP",
    source: "uudashr/jsmpp#67, 2023",
    what: "no sub, no dlvrd, no text, and a short code as its recipient",
    submitted: "0654354026",
    pdu: {
      destination: "12345",
      destinationTon: 3,
      text: "id:0654354026 submit date:2302101454 done date:2302101454 stat:DELIVRD err:000"
    },
    reads: delivered()
  },
  {
    from: "SMPPServerSimulator of jSMPP",
    source: "opentelecoms-org/jsmpp#56, 2016",
    what: "hexadecimal in the answer, ten decimal digits in the receipt",
    submitted: "33e95179",
    pdu: { text: appendixB("0870928761", "DELIVRD") },
    reads: delivered()
  },
  ...(["BUFFRED", "ACKED", "FAILED"] as const).map((word): Row => ({
    from: "Mblox",
    source: "opentelecoms-org/jsmpp#9, 2015",
    what: `${word}, a word of its own`,
    submitted: "9a001",
    pdu: { text: appendixB("9a001", word) },
    reads: word === "FAILED" ? failed("000", word) : sent(word)
  })),
  {
    from: "an SMSC of a client of jSMPP",
    source: "opentelecoms-org/jsmpp#214",
    what: "a parameter that is cut off at the end",
    submitted: "214001",
    pdu: { text: appendixB("214001", "DELIVRD"), rest: "04270009" },
    reads: delivered()
  },
  {
    from: "a carrier in India",
    source: "opentelecoms-org/jsmpp#71, 2017",
    what: "9 for a number on the do-not-disturb list, without a setting",
    submitted: "71001",
    pdu: { text: appendixB("71001", "9") },
    reads: unknown("9", "000")
  },
  {
    from: "a carrier in India",
    source: "opentelecoms-org/jsmpp#71, 2017",
    what: "9 as a word, with a setting",
    submitted: "71002",
    query: "states=9:undelivered,11:undelivered",
    pdu: { text: appendixB("71002", "9", "009") },
    reads: undelivered("009", "9")
  },
  {
    from: "a carrier in India",
    source: "opentelecoms-org/jsmpp#71, 2017",
    what: "11 as message_state, without a setting",
    submitted: "71003",
    pdu: { parameters: { [ID]: id("71003"), [STATE]: "0b" } },
    reads: unknown("11", null)
  },
  {
    from: "a carrier in India",
    source: "opentelecoms-org/jsmpp#71, 2017",
    what: "11 as message_state, with a setting",
    submitted: "71004",
    query: "states=9:undelivered,11:undelivered",
    pdu: { parameters: { [ID]: id("71004"), [STATE]: "0b" } },
    reads: undelivered(null, "11")
  },
  {
    from: "a carrier of a client of node-smpp",
    source: "farhadi/node-smpp#68, 2017",
    what: "ASCII under data_coding 8",
    submitted: "S21311242091636504458661711",
    pdu: {
      sourceTon: 0,
      dataCoding: 8,
      text: "id:S21311242091636504458661711 sub:001 dlvrd:001 submit date:170609163650 done date:170609163657 stat:DELIVRD err:000 text:"
    },
    reads: delivered()
  },
  {
    from: "a carrier of a client of node-smpp",
    source: "farhadi/node-smpp#77, 2021",
    what: "dlvrd:28, and a text with signs",
    submitted: "45013692",
    pdu: {
      text: "id:45013692 sub:0 dlvrd:28 submit date:1908121157 done date:1908121158 stat:UNDELIV err:21 Text:*100#"
    },
    reads: undelivered("21")
  },
  {
    from: "an SMSC on node-smpp",
    source: "farhadi/node-smpp#116, 2019",
    what: "the message itself as the text, and the id as a parameter without a state",
    submitted: "116001",
    pdu: { esmClass: 0, text: "Your code is here", parameters: { [ID]: id("116001") } },
    reads: unknown(null, null)
  },
  {
    from: "an SMSC on node-smpp",
    source: "farhadi/node-smpp#140, 2020",
    what: "`message text:` instead of an id, not marked",
    submitted: "140001",
    pdu: {
      esmClass: 0,
      text: "message text:140001 sub:001 dlvrd:0 submit date:2007281200 done date: stat:ACCEPTD err:000"
    },
    reads: "a subscriber's text"
  },
  {
    from: "an SMSC on node-smpp",
    source: "farhadi/node-smpp#199, 2021",
    what: "a national number, and an id with zeros in text and parameter",
    submitted: "29095",
    pdu: {
      source: "015123456789",
      destination: "0787654321",
      text: "id:0000029095 sub:001 dlvrd:001 submit date:211125034959 done date:211125035001 stat:DELIVRD err:000 text:",
      parameters: { [ID]: id("0000029095"), [REFERENCE]: "71a7" }
    },
    reads: delivered()
  },
  {
    from: "an SMSC of a client of node-smpp",
    source: "farhadi/node-smpp#215, 2022",
    what: "REJECTD with an error of three digits",
    submitted: "8123456789012345",
    pdu: {
      text: "id:8123456789012345 sub:001 dlvrd:000 submit date:220704105916 done date:220704105941 stat:REJECTD err:954 text:"
    },
    reads: failed("954")
  },
  {
    from: "a server on npm smpp 0.5.1",
    source: "run on 2026-11-28: findings/smpp-underscore.sh",
    what: "data_coding 1 and 0x11, by default",
    submitted: "ab_1",
    pdu: { dataCoding: 1, text: "id:ab\u00111 stat:DELIVRD" },
    reads: delivered(null)
  },
  {
    from: "a server on smppjs",
    source: "joaogervasoni/smppjs#51, 2026",
    what: "data_coding 8 with the octets of UTF-16 the other way round",
    submitted: "51001-a",
    pdu: { dataCoding: 8, alphabet: "utf-16le", text: appendixB("51001-a", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "a carrier of Vumi's users",
    source: "praekeltfoundation/vumi PR#635, 2013",
    what: "UTF-16 under data_coding 8",
    submitted: "635001-a",
    pdu: { dataCoding: 8, alphabet: "utf-16be", text: appendixB("635001-a", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "a carrier of Vumi's users",
    source: "praekeltfoundation/vumi#838, 2014",
    what: "UTF-16 though data_coding says 0",
    submitted: "838001-a",
    pdu: { alphabet: "utf-16be", text: appendixB("838001-a", "UNDELIV") },
    reads: undelivered()
  },
  {
    from: "a carrier of Vumi's users",
    source: "praekeltfoundation/vumi PR#897, 2015",
    what: "a state of six letters, and sub and dlvrd without numbers",
    submitted: "foo",
    pdu: {
      text: "id:foo sub:... dlvrd:... submit date:200101010030 done date:200101020030 stat:FAILED err:042 text:Meep"
    },
    reads: failed("042", "FAILED")
  },
  {
    from: "a carrier of Vumi's users",
    source: "praekeltfoundation/vumi PR#637, 2013",
    what: "parameters that differ from the text",
    submitted: "637001",
    pdu: { text: appendixB("637999", "ENROUTE"), parameters: { [ID]: id("637001"), [STATE]: "02" } },
    reads: delivered()
  },
  {
    from: "a carrier of a client of python-smpplib",
    source: "python-smpplib/python-smpplib PR#90, 2019",
    what: "capital hexadecimal digits, 32 of them",
    submitted: "6C7C7DE28BB3E961947700000000FE37",
    pdu: {
      text: "id:6C7C7DE28BB3E961947700000000FE37 sub:001 dlvrd:000 submit date:1907311208 done date:1907311208 stat:UNDELIV err:001 text:Ceci est un tet."
    },
    reads: undelivered("001")
  },
  {
    from: "a carrier of a client of python-smpplib",
    source: "python-smpplib/python-smpplib, tests/test_command.py",
    what: "a payload whose text: is in UTF-16, and another id in the parameter",
    submitted: "1d305b4c",
    pdu: {
      parameters: {
        "000E": "01",
        "0006": "01",
        [ID]: id("1d305b4c"),
        [STATE]: "02",
        [PAYLOAD]: `${ascii("id:0489708364 sub:001 dlvrd:001 submit date:1810151907 done date:1810151907 stat:DELIVRD err:000 text:")}041f0440`,
        "0426": "01"
      }
    },
    reads: delivered()
  },
  {
    from: "a carrier of a client of gosmpp",
    source: "linxGnu/gosmpp#124, 2023",
    what: "sub:1 dlvrd:1, and a blank in front of the text",
    submitted: "123a456b",
    pdu: {
      text: "id:123A456B sub:1 dlvrd:1 submit date:1702281424 done date:1702281424 stat:DELIVRD err:0 text: hello how"
    },
    reads: delivered("0")
  },
  {
    from: "the SMSC simulator of Melrose Labs",
    source: "linxGnu/gosmpp#124, 2023",
    what: "an id of 65 hexadecimal digits in the parameter",
    submitted: "534bce5cd49a0e96e149217386900d98646534bce5cd49a0e96e149217386900d",
    pdu: {
      parameters: {
        [ID]: id("534bce5cd49a0e96e149217386900d98646534bce5cd49a0e96e149217386900d"),
        [STATE]: "02",
        [ERROR]: "030000"
      }
    },
    reads: delivered()
  },
  {
    from: "an SMSC of Telenor's gateway",
    source: "telenordigital/sms-smpp PR#153, 2024",
    what: "an id that is hexadecimal in the text already",
    submitted: "1a2b3c4d",
    pdu: { text: appendixB("1A2B3C4D", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "ksmppd",
    source: "kneodev/ksmppd#63, 2017",
    what: "a user data header in the receipt",
    submitted: "171026125222636445993424531920",
    pdu: {
      esmClass: 0x44,
      header: "050003840101",
      text: "id:171026125222636445993424531920 sub:001 dlvrd:001 submit date:171026130350 done date:171026130355 stat:DELIVRD err:000 text:"
    },
    reads: delivered()
  },
  {
    from: "ksmppd",
    source: "kneodev/ksmppd#49",
    what: "sender and recipient that are not swapped; the sender is a name",
    submitted: "49001",
    pdu: {
      source: "Acme",
      sourceTon: 5,
      destination: "4915123456789",
      destinationTon: 1,
      text: appendixB("49001", "DELIVRD")
    },
    reads: delivered()
  },
  {
    from: "ksmppd",
    source: "kneodev/ksmppd#49, with a sender that is a number",
    what: "sender and recipient that are not swapped; the sender is a number",
    submitted: "49002",
    pdu: {
      source: "4915900000001",
      destination: "4915123456789",
      destinationTon: 1,
      text: appendixB("49002", "DELIVRD")
    },
    reads: delivered()
  },
  {
    from: "ksmppd",
    source: "kneodev/ksmppd#108",
    what: "a state without its name",
    submitted: "108001-a",
    pdu: {
      text: "id:108001-a sub:001 dlvrd:001 submit date:180903120801 done date:180903120816 DELIVRD err:000 Text:"
    },
    reads: delivered()
  },
  {
    from: "ksmppd",
    source: "kneodev/ksmppd#25 and #46, 2017",
    what: "NACK, without a setting",
    submitted: "25001",
    pdu: { text: appendixB("25001", "NACK", "045") },
    reads: unknown("NACK", "045")
  },
  {
    from: "ksmppd",
    source: "kneodev/ksmppd#25 and #46, 2017",
    what: "NACK, with a setting, and message_state 7 (UNKNOWN)",
    submitted: "46001",
    query: "states=NACK:failed",
    pdu: { text: appendixB("46001", "NACK", "045"), parameters: { [STATE]: "07" } },
    reads: failed("045", "NACK")
  },
  {
    from: "ksmppd",
    source: "kneodev/ksmppd#59",
    what: "one receipt, about the first part",
    submitted: "59001",
    query: "receipts=message",
    pdu: { text: appendixB("59001", "UNDELIV") },
    reads: undelivered()
  },
  {
    from: "ksmppd",
    source: "kneodev/ksmppd#111, 2018",
    what: "a receipt of a text that it has refused by submit_sm_resp, under an id that was never given",
    submitted: "111001",
    pdu: { text: appendixB("b7d4c0de-111", "REJECTD", "069") },
    reads: { isMatched: false, status: "failed", word: "REJECTD", error: "069" }
  },
  {
    from: "a large operator in the United Kingdom",
    source: "Kannel's mailing list devel, msg02229",
    what: "fields without names: status, dates, error, addresses",
    submitted: "2229001",
    pdu: { text: "00,0210021543,0210021500,,447887123456,10110200000000,we2345678i9o03er45ty67u" },
    reads: "a receipt that names no message"
  },
  {
    from: "an SMSC in a blog post",
    source: "e-com-net.com/article/2299106.htm, 2012",
    what: "an err that is a command_status in decimal",
    submitted: "0911897980",
    pdu: {
      text: "id:0911897980 sub:001 dlvrd:000 submit date:1201121551 done date:1201121551 stat:UNDELIV err:075 text:-PROFILE"
    },
    reads: undelivered("075")
  },
  {
    from: "an SMSC in a question",
    source: "stackoverflow.com/questions/8754853, 2012",
    what: "17 digits that begin with a date",
    submitted: "40072910491427628",
    pdu: {
      text: "id:40072910491427628 sub:001 dlvrd:001 submit date:1007291049 done date:1007291049 stat:DELIVRD err:000"
    },
    reads: delivered()
  },
  {
    from: "a GoIP gateway",
    source: "somleng/sms-gateway PR#31, smpp_delivery_receipt.test.ts",
    what: "ENROUTE with dlvrd:1, in an ordinary receipt",
    submitted: "4791967",
    pdu: {
      text: "id:4791967 sub:0 dlvrd:1 submit date:2302281329 done date:2302281329 stat:ENROUTE err:0 Text:Hello World from out"
    },
    reads: sent("ENROUTE", "0")
  },
  {
    from: "a GoIP gateway",
    source: "somleng/sms-gateway PR#31, smpp_delivery_receipt.test.ts",
    what: "an err that is a CMS error of the modem",
    submitted: "88316820",
    pdu: {
      text: "id:88316820 sub:0 dlvrd:0 submit date:2302281324 done date:2302281325 stat:UNDELIV err:500 Text:Hello World from out"
    },
    reads: undelivered("500")
  },
  {
    from: "a GoIP gateway",
    source: "somleng/sms-gateway PR#31, smpp_delivery_receipt.test.ts",
    what: "no state at all",
    submitted: "88316821",
    pdu: {
      text: "id:88316821 sub:0 dlvrd:0 submit date:2302281324 done date:2302281325 err:500 Text:Hello World from out"
    },
    reads: unknown(null, "500")
  },
  {
    from: "Kannel's opensmppbox",
    source: "somleng/sms-gateway PR#31, smpp_delivery_receipt.test.ts",
    what: "dates of two lengths",
    submitted: "5516a151-4970-45b6-b73e-95aefdb11cbf",
    pdu: {
      text: "id:5516a151-4970-45b6-b73e-95aefdb11cbf sub:001 dlvrd:001 submit date:2302231414 done date:230223194211 stat:DELIVRD err:000 text:Hello"
    },
    reads: delivered()
  },
  {
    from: "Kannel's opensmppbox",
    source: "somleng/sms-gateway PR#31, smpp_delivery_receipt.test.ts",
    what: "an err with a letter",
    submitted: "577e505a-dbd7-46ab-a04c-5a927ffb85b1",
    pdu: {
      text: "id:577e505a-dbd7-46ab-a04c-5a927ffb85b1 sub:001 dlvrd:000 submit date:2408201338 done date:240820093823 stat:REJECTD err:00B text:You"
    },
    reads: failed("00B")
  },
  {
    from: "RestComm SMSC Gateway",
    source: "RestComm/smscgateway, ParseDeliveryReceiptTest.java at 3b5d03b3",
    what: "ENROUTE with an error",
    submitted: "0512249005",
    pdu: {
      text: "id:0512249005 sub:001 dlvrd:000 submit date:1609051327 done date:1609051337 stat:ENROUTE err:054 text:xxssxx"
    },
    reads: sent("ENROUTE", "054")
  },
  {
    from: "RestComm SMSC Gateway",
    source: "RestComm/smscgateway, ParseDeliveryReceiptTest.java at 3b5d03b3",
    what: "a UUID, and seconds in one of two dates",
    submitted: "1010d937-8f43-4754-9dd8-6e987cda32fa",
    pdu: {
      text: "id:1010d937-8f43-4754-9dd8-6e987cda32fa sub:001 dlvrd:000 submit date:161008120127 done date:1610081500 stat:UNDELIV err:004 text:exampleMessage02"
    },
    reads: undelivered("004")
  },
  {
    from: "a centre in Apache Camel's tests",
    source: "apache/camel, SmppBindingTest.java",
    what: "an err without digits",
    submitted: "2",
    pdu: {
      text: "id:2 sub:001 dlvrd:001 submit date:0908312310 done date:0908312311 stat:DELIVRD err:xxx Text:Hello SMPP world!"
    },
    reads: delivered("xxx")
  }
]

const inDocuments: ReadonlyArray<Row> = [
  {
    from: "OpenMarket",
    source: "openmarket.com/docs, SMPP v4, delivery receipt examples",
    what: "submitdate and donedate as one word, a date of twelve zeros, and its own service_type",
    submitted: "0118Z-0122I-2309U-57DGB",
    pdu: {
      destination: "18882016187",
      destinationTon: 3,
      text: "id:0118Z-0122I-2309U-57DGB sub:000 dlvrd:000 submitdate:180122230957 donedate:000000000000 stat:REJECTD err:375 text:"
    },
    reads: failed("375")
  },
  {
    from: "OpenMarket",
    source: "derived from the field names in openmarket.com/docs, SMPP v4",
    what: "an empty err in front of donedate",
    submitted: "0118Z-0122I-2309U-57DGC",
    pdu: { text: "id:0118Z-0122I-2309U-57DGC err: donedate:180122230958 stat:DELIVRD" },
    reads: delivered(null)
  },
  {
    from: "Vonage",
    source: "help.nexmo.com, How to read a Nexmo SMPP delivery receipt",
    what: "16 digits with zeros, hexadecimal or decimal as the account is set",
    submitted: "bc614e",
    pdu: {
      text: "id:0000000012345678 sub:001 dlvrd:001 submit date:1601010100 done date:1601010101 stat:DELIVRD err:000 text:none"
    },
    reads: delivered()
  },
  {
    from: "Vonage",
    source: "help.nexmo.com, How to read a Nexmo SMPP delivery receipt",
    what: "an account whose receipts are in hexadecimal, and its answers in decimal",
    submitted: "12345678",
    pdu: { text: appendixB("0000000000bc614e", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "Vonage",
    source: "api.support.vonage.com, article 204015663",
    what: "FAILED",
    submitted: "2a1f0f1d",
    pdu: {
      text: "id:2a1f0f1d sub:001 dlvrd:000 submit date:2609051430 done date:2609051447 stat:FAILED err:051 text:none"
    },
    reads: failed("051", "FAILED")
  },
  {
    from: "Ozeki SMS Gateway",
    source: "ozeki-sms-gateway.com, p_5963",
    what: "sentences in front of the fields, and an empty err",
    submitted: "636445148",
    pdu: {
      text: "Delivered; To: +44251234567; At: 2022-10-03 12:07:00; Ref: 636445148; id:636445148 sub:000 dlvrd:001 submit date:2210031207 done date:2210031207 stat:DELIVRD err: text:"
    },
    reads: delivered(null)
  },
  {
    from: "LINK Mobility",
    source: "LINK Mobility, SMSC SMPP User Guide 1.5",
    what: "sub and dlvrd that are always 000",
    submitted: "e731049e9fc84e61",
    pdu: {
      text: "id:e731049e9fc84e61 sub:000 dlvrd:000 submit date:2609051430 done date:2609051431 stat:DELIVRD err:000 text:"
    },
    reads: delivered()
  },
  {
    from: "Infobip",
    source: "infobip.com/docs, SMPP specification",
    what: "ENROUTE in an ordinary receipt without text",
    submitted: "44191696",
    pdu: { text: "id:44191696 sub:001 dlvrd:000 submit date:2609051430 done date:2609051430 stat:ENROUTE err:000" },
    reads: sent("ENROUTE")
  },
  {
    from: "Clickatell",
    source: "archive.clickatell.com, PDU details",
    what: "seconds in both dates",
    submitted: "7d94e772",
    pdu: {
      text: "id:7d94e772 sub:001 dlvrd:001 submit date:260905143012 done date:260905143145 stat:DELIVRD err:000 text:"
    },
    reads: delivered()
  },
  {
    from: "CM.com",
    source: "developers.cm.com/messaging/docs/smpp",
    what: "no sub and dlvrd, and the state in word and parameter",
    submitted: "5be9f816f19992a78c8e26442f8afa50",
    pdu: {
      text: "id:5be9f816f19992a78c8e26442f8afa50 submit date:2609051430 done date:2609051433 stat:DELIVRD err:000",
      parameters: { [STATE]: "02" }
    },
    reads: delivered()
  },
  {
    from: "Telesign",
    source: "developer.telesign.com, SMPP TLVs",
    what: "message_state 9 with UNKNOWN, and an err in hexadecimal",
    submitted: "e9ca671b2497d778d771938333dc0c52",
    pdu: {
      text: "id:e9ca671b2497d778d771938333dc0c52 sub:001 dlvrd:000 submit date:260905143000 done date:260905143010 stat:UNKNOWN err:4A6 text:",
      parameters: { [ID]: id("e9ca671b2497d778d771938333dc0c52"), [STATE]: "09" }
    },
    reads: undelivered("4A6", "SKIPPED")
  },
  {
    from: "Telesign",
    source: "developer.telesign.com, SMPP TLVs",
    what: "an id only for the first part, so one receipt for the text",
    submitted: "5cb0ea53b5d61093529174ca44e23871",
    query: "receipts=message",
    pdu: { text: appendixB("5cb0ea53b5d61093529174ca44e23871", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "Sinch",
    source: "developers.sinch.com, SMPP error codes",
    what: "UNDELIVERABLE as message_state, and an error of its own list",
    submitted: "5000123",
    pdu: { text: appendixB("5000123", "UNDELIV", "401"), parameters: { [STATE]: "05" } },
    reads: undelivered("401")
  },
  {
    from: "8x8",
    source: "developer.8x8.com, SMPP delivery receipts and their error codes",
    what: "an err of one digit (1 is an absent subscriber there)",
    submitted: "8x8-3f",
    pdu: { text: appendixB("8x8-3f", "UNDELIV", "1") },
    reads: undelivered("1")
  },
  {
    from: "Karix",
    source: "ibm.com/docs, SMPP Karix delivery report",
    what: "`Text:` with a capital letter",
    submitted: "9812600000000001",
    pdu: { text: appendixB("9812600000000001", "DELIVRD", "000", " Text:Hello") },
    reads: delivered()
  },
  {
    from: "Kaleyra",
    source: "messaging.kaleyra.com, article 3000091798",
    what: "FAILED",
    submitted: "3000091798-1",
    pdu: { text: appendixB("3000091798-1", "FAILED", "012") },
    reads: failed("012", "FAILED")
  },
  {
    from: "Route Mobile",
    source: "routemobile.com, SMPP gateway manual",
    what: "FAILED, and a UUID",
    submitted: "b036c3b7-6120-4ced-bdbe-cc1d8e684958",
    pdu: { text: appendixB("b036c3b7-6120-4ced-bdbe-cc1d8e684958", "FAILED", "1032") },
    reads: failed("1032", "FAILED")
  },
  {
    from: "tyntec",
    source: "a public test table of operators' receipts, which cites tyntec's documents",
    what: "ENROUTE as the first of two receipts",
    submitted: "d91518bd27c1018d",
    pdu: { text: appendixB("d91518bd27c1018d", "ENROUTE") },
    reads: sent("ENROUTE")
  },
  {
    from: "Kast",
    source: "kast.ph, delivery receipts",
    what: "only parameters, with a network_error_code of 408",
    submitted: "514001",
    pdu: { parameters: { [ID]: id("514001"), [STATE]: "05", [ERROR]: "080198" } },
    reads: undelivered("408")
  },
  {
    from: "SMPP Center",
    source: "smppcenter.com, How to read an SMPP delivery receipt",
    what: "20 digits, more than 64 bits have",
    submitted: "64567564356765435676",
    pdu: {
      text: "id:64567564356765435676 sub:001 dlvrd:001 submit date:190608165232 done date:190608165237 stat:DELIVRD err:000 text:Hello World"
    },
    reads: delivered()
  },
  {
    from: "CardBoardFish",
    source: "cardboardfish.com, What is the format of SMPP delivery receipts",
    what: "SMPP 3.3: hexadecimal in the answer, decimal in the receipt",
    submitted: "1F4",
    pdu: { text: appendixB("0000000500", "DELIVRD") },
    reads: delivered()
  },
  {
    from: "SerwerSMS.pl",
    source: "dev.serwersms.pl, SMPP delivery reports",
    what: "no text: at the end",
    submitted: "5ba5f3cf3b",
    pdu: { text: appendixB("5ba5f3cf3b", "EXPIRED", "000", "") },
    reads: undelivered("000", "EXPIRED")
  },
  {
    from: "Adobe Campaign",
    source: "experienceleague.adobe.com, SMS connector protocol: field names in any case",
    what: "field names in capital letters",
    submitted: "1234567890",
    pdu: {
      text: "ID:1234567890 SUB:001 DLVRD:001 SUBMIT DATE:1608011415 DONE DATE:1608011417 STAT:DELIVRD ERR:000 TEXT:Hello Adobe"
    },
    reads: delivered()
  },
  {
    from: "smpp.org",
    source: "smpp.org, SMPP delivery receipt",
    what: "a marked receipt without an id",
    submitted: "smpp-org",
    pdu: { text: "sub:001 dlvrd:001 submit date:2609051430 done date:2609051431 stat:DELIVRD err:000 text:" },
    reads: "a receipt that names no message"
  }
]

const notFound = (what: string, submitted: string, pdu: ReceiptPdu, status: SmsStatus): Row => ({
  from: "a carrier of one's own",
  source: "docs/sms.md, receipts that match nothing",
  what,
  submitted,
  pdu,
  reads: { isMatched: false, status, word: status === "delivered" ? "DELIVRD" : "UNDELIV", error: "000" }
})

/** Dialects that cannot be read, which the log and the metrics show. */
const beyond: ReadonlyArray<Row> = [
  notFound("a comma in the id", "12,7", { text: appendixB("12,7", "DELIVRD") }, "delivered"),
  notFound("a blank in the id", "12 7", { text: appendixB("12 7", "UNDELIV") }, "undelivered"),
  notFound("another message's id", "aa01-x", { text: appendixB("aa02-x", "DELIVRD") }, "delivered"),
  notFound(
    "the id of a message to another number",
    "aa03-x",
    { source: "4915198765432", text: appendixB("AA03-X", "DELIVRD") },
    "delivered"
  )
]

export const rows: ReadonlyArray<Row> = [...inSpecification, ...inReports, ...inDocuments, ...beyond]
