/**
 * What carriers answer over SMPP, and what becomes of the text and of the link.
 *
 * Public documents and reports are named by their address; providers' tables were read in November 2026.
 */

/** The client's answer: its error and the field that it names, or that the text was accepted. */
export type Told =
  | "accepted"
  | "400 to"
  | "400 from"
  | "400 text"
  | "400 tlvs"
  | "400"
  | "480"
  | "503"
  /** Nothing yet: the text leaves again, by this link or another. */
  | "again"

export interface Row {
  /** Who sends it. */
  readonly from: string
  readonly source: string
  readonly status: number
  /** The option `errors` of the link, where the carrier needs one. */
  readonly errors?: string
  readonly told: Told
  /** Whether the session is over, and the link bound again. */
  readonly rebinds?: true
  /** A part of the warning; left out where the trunk sends no such part. */
  readonly warned?: RegExp
}

const SMPP = "SMPP 3.4 §5.1.3"
const SMPP5 = "SMPP 5.0 §4.7.6"
const HOLLATAGS = "docs.hollatags.com/smpp/smpp-response-error-codes"
const INFOBIP = "dev.infobip.com/smpp-specification/command-status-and-gsm-error-codes"
const OPENMARKET = "openmarket.com/docs/Content/apis/v4smpp/mt-response-codes.htm"
const SMPP_IO = "smpp.io/cmd-response-table"

/** Answers to a submit_sm. */
export const rows: ReadonlyArray<Row> = [
  // The standard, a row for each reading.
  { from: "the standard", source: `${SMPP} ESME_ROK`, status: 0x00, told: "accepted" },
  { from: "the standard", source: `${SMPP} ESME_RINVMSGLEN`, status: 0x01, told: "400 text" },
  { from: "the standard", source: `${SMPP} ESME_RINVCMDLEN`, status: 0x02, told: "503", warned: /tlv_HEX/ },
  { from: "the standard", source: `${SMPP} ESME_RINVCMDID`, status: 0x03, told: "503", warned: /the options/ },
  { from: "the standard", source: `${SMPP} ESME_RINVBNDSTS`, status: 0x04, told: "again", rebinds: true },
  { from: "the standard", source: `${SMPP} ESME_RALYBND`, status: 0x05, told: "503", warned: /the account/ },
  { from: "the standard", source: `${SMPP} ESME_RINVPRTFLG`, status: 0x06, told: "503", warned: /the options/ },
  { from: "the standard", source: `${SMPP} ESME_RINVREGDLVFLG`, status: 0x07, told: "503", warned: /the options/ },
  { from: "the standard", source: `${SMPP} ESME_RSYSERR`, status: 0x08, told: "480" },
  { from: "the standard", source: `${SMPP} ESME_RINVSRCADR`, status: 0x0a, told: "400 from" },
  { from: "the standard", source: `${SMPP} ESME_RINVDSTADR`, status: 0x0b, told: "400 to" },
  { from: "the standard", source: `${SMPP} ESME_RBINDFAIL`, status: 0x0d, told: "again", rebinds: true },
  { from: "the standard", source: `${SMPP} ESME_RINVPASWD`, status: 0x0e, told: "again", rebinds: true },
  { from: "the standard", source: `${SMPP} ESME_RINVSYSID`, status: 0x0f, told: "again", rebinds: true },
  { from: "the standard", source: `${SMPP} ESME_RMSGQFUL`, status: 0x14, told: "again" },
  { from: "the standard", source: `${SMPP} ESME_RINVSERTYP`, status: 0x15, told: "503", warned: /service_type/ },
  { from: "the standard", source: `${SMPP} ESME_RINVESMCLASS`, status: 0x43, told: "503", warned: /the options/ },
  { from: "the standard", source: `${SMPP} ESME_RSUBMITFAIL`, status: 0x45, told: "480" },
  { from: "the standard", source: `${SMPP} ESME_RINVSRCTON`, status: 0x48, told: "503", warned: /source_ton/ },
  { from: "the standard", source: `${SMPP} ESME_RINVSRCNPI`, status: 0x49, told: "503", warned: /name_npi/ },
  {
    from: "the standard",
    source: `${SMPP} ESME_RINVDSTTON`,
    status: 0x50,
    told: "503",
    warned: /dest_ton and national/
  },
  { from: "the standard", source: `${SMPP} ESME_RINVDSTNPI`, status: 0x51, told: "503", warned: /dest_npi/ },
  { from: "the standard", source: `${SMPP} ESME_RINVSYSTYP`, status: 0x53, told: "503", warned: /system_type/ },
  { from: "the standard", source: `${SMPP} ESME_RINVREPFLAG`, status: 0x54, told: "503", warned: /the options/ },
  { from: "the standard", source: `${SMPP} ESME_RTHROTTLED`, status: 0x58, told: "again" },
  { from: "the standard", source: `${SMPP} ESME_RINVSCHED`, status: 0x61, told: "503", warned: /the options/ },
  { from: "the standard", source: `${SMPP} ESME_RINVEXPIRY`, status: 0x62, told: "503", warned: /validity/ },
  { from: "the standard", source: `${SMPP} ESME_RINVDFTMSGID`, status: 0x63, told: "503", warned: /the options/ },
  { from: "the standard", source: `${SMPP} ESME_RX_T_APPN`, status: 0x64, told: "480" },
  { from: "the standard", source: `${SMPP} ESME_RX_P_APPN`, status: 0x65, told: "400" },
  { from: "the standard", source: `${SMPP} ESME_RX_R_APPN`, status: 0x66, told: "400" },
  { from: "the standard", source: `${SMPP} ESME_RINVOPTPARSTREAM`, status: 0xc0, told: "503", warned: /tlv_HEX/ },
  { from: "the standard", source: `${SMPP} ESME_ROPTPARNOTALLWD`, status: 0xc1, told: "503", warned: /tlv_HEX/ },
  { from: "the standard", source: `${SMPP} ESME_RINVPARLEN`, status: 0xc2, told: "503", warned: /tlv_HEX/ },
  { from: "the standard", source: `${SMPP} ESME_RMISSINGOPTPARAM`, status: 0xc3, told: "503", warned: /tlv_HEX/ },
  { from: "the standard", source: `${SMPP} ESME_RINVOPTPARAMVAL`, status: 0xc4, told: "503", warned: /tlv_HEX/ },
  { from: "the standard", source: `${SMPP} ESME_RUNKNOWNERR`, status: 0xff, told: "480" },
  {
    from: "the standard, version 5",
    source: `${SMPP5} ESME_RSERTYPUNAUTH`,
    status: 0x100,
    told: "503",
    warned: /service_type/
  },
  {
    from: "the standard, version 5",
    source: `${SMPP5} ESME_RPROHIBITED`,
    status: 0x101,
    told: "503",
    warned: /the account/
  },
  { from: "the standard, version 5", source: `${SMPP5} ESME_RSERTYPUNAVAIL`, status: 0x102, told: "480" },
  {
    from: "the standard, version 5",
    source: `${SMPP5} ESME_RSERTYPDENIED`,
    status: 0x103,
    told: "503",
    warned: /service_type/
  },
  { from: "the standard, version 5", source: `${SMPP5} ESME_RINVDCS`, status: 0x104, told: "400 text" },
  { from: "the standard, version 5", source: `${SMPP5} ESME_RINVSRCADDRSUBUNIT`, status: 0x105, told: "400 from" },
  { from: "the standard, version 5", source: `${SMPP5} ESME_RINVDSTADDRSUBUNIT`, status: 0x106, told: "400 to" },

  // Carriers' own, without the option: the text may be tried again by the client, and the status is noted.
  { from: "a carrier", source: "python-smpplib/python-smpplib#127", status: 1375, told: "480", warned: /errors=/ },
  { from: "a carrier", source: "jookies/jasmin#563", status: 34, told: "480", warned: /errors=/ },
  {
    from: "OnePoint Global",
    source: "OnePointGlobal/OnePoint-Global-SMS-Services#4",
    status: 1032,
    told: "480",
    warned: /errors=/
  },
  { from: "KSMPPD", source: "kneodev/ksmppd#46", status: 0x36, told: "480", warned: /errors=/ },
  {
    from: "SerwerSMS",
    source: "dev.serwersms.pl/en/smpp-api/error-codes",
    status: 0x40b,
    told: "480",
    warned: /errors=/
  },

  // The same with the option.
  {
    from: "a carrier, of accounts that have expired",
    source: "opentelecoms-org/jsmpp#153",
    status: 0x5a,
    errors: "0x5a:account",
    told: "503",
    warned: /the account/
  },
  {
    from: "a carrier, of senders with a plus sign",
    source: "opentelecoms-org/jsmpp#172",
    status: 0x94,
    errors: "0x94:sender",
    told: "400 from"
  },
  { from: "Infobip, network not covered", source: INFOBIP, status: 34, errors: "34:recipient", told: "400 to" },
  {
    from: "Infobip, no balance",
    source: INFOBIP,
    status: 0xff,
    errors: "255:account",
    told: "503",
    warned: /the account/
  },
  { from: "Infobip, duplicate message id", source: INFOBIP, status: 0x0c, told: "480" },
  {
    from: "Infobip, channel disabled",
    source: INFOBIP,
    status: 0x4a1,
    errors: "0x4a1:account",
    told: "503",
    warned: /the account/
  },
  {
    from: "Infobip, length of an optional parameter",
    source: INFOBIP,
    status: 0x9f,
    errors: "0x9f:settings",
    told: "503",
    warned: /the options/
  },
  { from: "Hollatags, no route", source: HOLLATAGS, status: 0x400, errors: "0x400:recipient", told: "400 to" },
  {
    from: "Hollatags, out of credit",
    source: HOLLATAGS,
    status: 0x401,
    errors: "0x00000401:account",
    told: "503",
    warned: /the account/
  },
  { from: "Hollatags, bad data", source: HOLLATAGS, status: 0x404, errors: "1028:message", told: "400" },
  {
    from: "Hollatags, on the do-not-disturb list, or a restricted sender",
    source: HOLLATAGS,
    status: 0x40a,
    errors: "0x40A:recipient",
    told: "400 to"
  },
  {
    from: "Hollatags, length of the payload",
    source: HOLLATAGS,
    status: 0x430,
    errors: "0x430:text",
    told: "400 text"
  },
  { from: "Hollatags, spam filter", source: HOLLATAGS, status: 0x432, errors: "0X432:text", told: "400 text" },
  {
    from: "Hollatags, data_coding and text differ",
    source: HOLLATAGS,
    status: 0x433,
    errors: "0x433:settings",
    told: "503",
    warned: /the options/
  },
  {
    from: "Hollatags, on the do-not-disturb list",
    source: HOLLATAGS,
    status: 0x45,
    errors: "ESME_RSUBMITFAIL:recipient",
    told: "400 to"
  },
  { from: "Hollatags, internal error", source: HOLLATAGS, status: 0x4ff, errors: "0x4ff:temporary", told: "480" },
  {
    from: "a provider of prepaid accounts, out of credit",
    source: "whistlemedia.net/error-code/smsc-error-code-8.html",
    status: 0x400,
    errors: "1024:account",
    told: "503",
    warned: /the account/
  },
  {
    from: "YCloud, number that is not valid",
    source: "docs.ycloud.com/docs/sms-smpp",
    status: 0x04,
    errors: "4:recipient",
    told: "400 to"
  },
  {
    from: "YCloud, too many connections",
    source: "docs.ycloud.com/docs/sms-smpp",
    status: 0x06,
    errors: "6:temporary",
    told: "480"
  },
  {
    from: "smpp.io, type of number of a recipient, counted in decimal",
    source: SMPP_IO,
    status: 0x4a,
    errors: "0x4a:settings",
    told: "503",
    warned: /the options/
  },
  {
    from: "smpp.io, quota",
    source: SMPP_IO,
    status: 0x67,
    errors: "ESME_RQUERYFAIL:account",
    told: "503",
    warned: /the account/
  },
  {
    from: "smpp.io, service type",
    source: SMPP_IO,
    status: 0x16,
    errors: "22:settings",
    told: "503",
    warned: /the options/
  },
  {
    from: "a carrier that throttles by a status of its own",
    source: "jookies/jasmin#60",
    status: 0x408,
    errors: "0x408:throttled",
    told: "again"
  },

  // Products and reports whose reading is the standard's.
  {
    from: "Jasmin before its operator, a second of several parts",
    source: "jookies/jasmin#925",
    status: 0x58,
    told: "again"
  },
  {
    from: "Jasmin behind an operator that asks for a minute",
    source: "jookies/jasmin#425",
    status: 0x58,
    told: "again"
  },
  { from: "Jasmin, retried by its sender", source: "jookies/jasmin#796", status: 0x58, told: "again" },
  { from: "KSMPPD, parts of a long text", source: "kneodev/ksmppd#6", status: 0x58, told: "again" },
  { from: "KSMPPD, a rate for each user", source: "kneodev/ksmppd#126", status: 0x58, told: "again" },
  { from: "Vumi's operators", source: "praekeltfoundation/vumi#384", status: 0x58, told: "again" },
  {
    from: "Vumi's operators, who throttle by a full queue",
    source: "praekeltfoundation/vumi#636",
    status: 0x14,
    told: "again"
  },
  {
    from: "Ozeki's list",
    source: "ozeki-sms-gateway.com/p_8769-esme-rmsgqful-smpp-error-code",
    status: 0x14,
    told: "again"
  },
  { from: "KSMPPD, no route, or its bearer is down", source: "kneodev/ksmppd#107", status: 0x08, told: "480" },
  { from: "an Indian carrier's account of transactions", source: "farhadi/node-smpp#159", status: 0x45, told: "480" },
  { from: "a carrier, without more words", source: "farhadi/node-smpp#60", status: 0x45, told: "480" },
  { from: "Vumi's operators", source: "praekeltfoundation/vumi#392", status: 0x45, told: "480" },
  {
    from: "a carrier behind Jasmin that knows no such sender",
    source: "jookies/jasmin#1078",
    status: 0x0a,
    told: "400 from"
  },
  { from: "a carrier that gives an id with its refusal", source: "funbox/smppex#6", status: 0x0b, told: "400 to" },
  {
    from: "a carrier that knows no submit_sm of this account",
    source: "farhadi/node-smpp#223",
    status: 0x03,
    told: "503",
    warned: /the options/
  },
  {
    from: "a carrier that has lost the bind after half an hour",
    source: "farhadi/node-smpp#106",
    status: 0x04,
    told: "again",
    rebinds: true
  },
  {
    from: "a carrier that has lost the bind",
    source: "AdhamAwadhi/JamaaSMPP#31",
    status: 0x04,
    told: "again",
    rebinds: true
  },
  {
    from: "Nepal's Ncell, of binds by another number",
    source: "python-smpplib/python-smpplib#254",
    status: 0x62,
    told: "503",
    warned: /validity/
  },
  {
    from: "OpenMarket, type of number of the sender",
    source: OPENMARKET,
    status: 0x48,
    told: "503",
    warned: /source_ton/
  },
  {
    from: "OpenMarket, numbering plan of the sender",
    source: OPENMARKET,
    status: 0x49,
    told: "503",
    warned: /name_npi/
  },
  {
    from: "OpenMarket, type of number of the recipient",
    source: OPENMARKET,
    status: 0x50,
    told: "503",
    warned: /dest_ton/
  },
  {
    from: "OpenMarket, numbering plan of the recipient",
    source: OPENMARKET,
    status: 0x51,
    told: "503",
    warned: /dest_npi/
  }
]

/** What becomes of the link after an answer to a bind. */
export interface BindRow {
  readonly from: string
  readonly source: string
  readonly status: number
  /**
   * A generic_nack instead of the bind's own answer; with sequence 0, as a carrier that cannot read the header has it.
   */
  readonly nack?: "same sequence" | "sequence 0"
  readonly link: "up" | "down, soon again" | "down, every 5 s" | "down, slowly, an error"
}

/** Answers to a bind. */
export const binds: ReadonlyArray<BindRow> = [
  { from: "the standard", source: `${SMPP} ESME_ROK`, status: 0x00, link: "up" },
  { from: "the standard, a second session", source: `${SMPP} ESME_RALYBND`, status: 0x05, link: "down, every 5 s" },
  {
    from: "a carrier that holds a lost session",
    source: "opentelecoms-org/jsmpp#180",
    status: 0x05,
    link: "down, every 5 s"
  },
  {
    from: "a carrier that holds a lost session",
    source: "farhadi/node-smpp#250",
    status: 0x05,
    link: "down, every 5 s"
  },
  {
    from: "operators who hold a lost session until their enquire_link fails",
    source: "praekeltfoundation/vumi#624",
    status: 0x05,
    link: "down, every 5 s"
  },
  {
    from: "YCloud, too many connections",
    source: "docs.ycloud.com/docs/sms-smpp",
    status: 0x05,
    link: "down, every 5 s"
  },
  { from: "the standard", source: `${SMPP} ESME_RSYSERR`, status: 0x08, link: "down, soon again" },
  { from: "an operator whose SMSC had a fault", source: "jookies/jasmin#809", status: 0x08, link: "down, soon again" },
  {
    from: "a carrier without more words",
    source: "python-smpplib/python-smpplib#85",
    status: 0x08,
    link: "down, soon again"
  },
  { from: "the standard", source: `${SMPP} ESME_RMSGQFUL`, status: 0x14, link: "down, soon again" },
  { from: "the standard", source: `${SMPP} ESME_RTHROTTLED`, status: 0x58, link: "down, soon again" },
  { from: "the standard", source: `${SMPP} ESME_RX_T_APPN`, status: 0x64, link: "down, soon again" },
  { from: "the standard", source: `${SMPP} ESME_RINVBNDSTS`, status: 0x04, link: "down, slowly, an error" },
  { from: "the standard", source: `${SMPP} ESME_RBINDFAIL`, status: 0x0d, link: "down, slowly, an error" },
  {
    from: "a carrier that asks for a system_type",
    source: "onlinecity/php-smpp#38",
    status: 0x0d,
    link: "down, slowly, an error"
  },
  { from: "Nexmo", source: "python-smpplib/python-smpplib#54", status: 0x0d, link: "down, slowly, an error" },
  { from: "the standard", source: `${SMPP} ESME_RINVPASWD`, status: 0x0e, link: "down, slowly, an error" },
  { from: "the standard", source: `${SMPP} ESME_RINVSYSID`, status: 0x0f, link: "down, slowly, an error" },
  {
    from: "a carrier that wants version 3.4",
    source: "farhadi/node-smpp#239",
    status: 0x0f,
    link: "down, slowly, an error"
  },
  {
    from: "YCloud, wrong system_id or password",
    source: "docs.ycloud.com/docs/sms-smpp",
    status: 0x03,
    link: "down, slowly, an error"
  },
  { from: "the standard", source: `${SMPP} ESME_RINVSYSTYP`, status: 0x53, link: "down, slowly, an error" },
  {
    from: "the standard, an unknown error",
    source: `${SMPP} ESME_RUNKNOWNERR`,
    status: 0xff,
    link: "down, slowly, an error"
  },
  {
    from: "a carrier, a status of its own",
    source: `${SMPP} (0x0400 to 0x04FF)`,
    status: 0x410,
    link: "down, slowly, an error"
  },
  {
    from: "the standard, an unknown command",
    source: "SMPP 3.4 §4.3",
    status: 0x03,
    nack: "same sequence",
    link: "down, slowly, an error"
  },
  {
    from: "the standard, a nack without a status",
    source: "SMPP 3.4 §4.3.1",
    status: 0x00,
    nack: "same sequence",
    link: "down, slowly, an error"
  },
  {
    from: "a carrier behind Jasmin",
    source: "jookies/jasmin#1059",
    status: 0x04,
    nack: "sequence 0",
    link: "down, slowly, an error"
  }
]

/** What becomes of the link after an answer to an enquire_link, or after a nack that answers nothing. */
export interface ProbeRow {
  readonly from: string
  readonly source: string
  readonly status: number
  /** A generic_nack instead of enquire_link_resp, or one of its own accord. */
  readonly nack?: "same sequence" | "sequence 0" | "unasked"
  readonly link: "up" | "bound again"
}

/** Answers to an enquire_link. */
export const probes: ReadonlyArray<ProbeRow> = [
  { from: "the standard", source: "SMPP 3.4 §4.11.2", status: 0x00, link: "up" },
  {
    from: "a carrier that has forgotten the bind",
    source: `${SMPP} ESME_RINVBNDSTS`,
    status: 0x04,
    link: "bound again"
  },
  {
    from: "a carrier that has forgotten the account",
    source: `${SMPP} ESME_RINVSYSID`,
    status: 0x0f,
    link: "bound again"
  },
  {
    from: "a carrier that has forgotten the password",
    source: `${SMPP} ESME_RINVPASWD`,
    status: 0x0e,
    link: "bound again"
  },
  { from: "a carrier that has ended the session", source: `${SMPP} ESME_RBINDFAIL`, status: 0x0d, link: "bound again" },
  { from: "a carrier that is busy", source: `${SMPP} ESME_RSYSERR`, status: 0x08, link: "up" },
  { from: "a carrier that throttles everything", source: `${SMPP} ESME_RTHROTTLED`, status: 0x58, link: "up" },
  { from: "a carrier, a status of its own", source: `${SMPP} (0x0400 to 0x04FF)`, status: 0x410, link: "up" },
  {
    from: "a carrier that knows no enquire_link",
    source: "SMPP 3.4 §4.3",
    status: 0x03,
    nack: "same sequence",
    link: "up"
  },
  {
    from: "a carrier that has forgotten the bind",
    source: "SMPP 3.4 §4.3",
    status: 0x04,
    nack: "same sequence",
    link: "bound again"
  },
  {
    from: "a carrier that cannot read the header",
    source: "SMPP 3.4 §4.3.1",
    status: 0x02,
    nack: "sequence 0",
    link: "up"
  },
  {
    from: "a carrier that has forgotten the bind, with sequence 0",
    source: "SMPP 3.4 §4.3.1",
    status: 0x04,
    nack: "sequence 0",
    link: "bound again"
  },
  {
    from: "a carrier that nacks a request it did not name",
    source: "praekeltfoundation/vumi#404",
    status: 0x01,
    nack: "unasked",
    link: "up"
  },
  {
    from: "a carrier that has forgotten the bind, unasked",
    source: "SMPP 3.4 §4.3",
    status: 0x04,
    nack: "unasked",
    link: "bound again"
  }
]
