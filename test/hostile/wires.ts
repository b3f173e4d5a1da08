/**
 * Hostile bytes of SMPP and SIP: valid messages with fields and octets spoilt, and octets of no form.
 */
import * as fc from "fast-check"
import * as smpp from "@watchword/sandbox/smsc"
import { damaged, octets, text } from "./inputs.ts"

const REPLACED = [
  "id:1 sub:001 dlvrd:001 submit date:2611211200 done date:2611211201 stat:DELIVRD err:000 text:",
  "id: sub: dlvrd: submit date: done date: stat: err: text:",
  "id:id:id:stat:stat:",
  "stat:DELIVRD id:ffffffffffffffffffffffffffffffff"
]

/** Texts of receipts, with other values in some places. */
export const receiptText: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(fc.constantFrom(...REPLACED), fc.nat(), text(20)).map(([receipt, at, other]) => {
    const place = at % (receipt.length + 1)
    return receipt.slice(0, place) + other + receipt.slice(place + (at % 7))
  }),
  text(160)
)

const tlv = fc
  .tuple(fc.oneof(fc.constantFrom(0x001e, 0x0204, 0x0423, 0x0424, 0x0427), fc.nat(0xffff)), octets(40))
  .map(([tag, value]) => smpp.tlv(tag, Buffer.from(value)))

const fields = fc.record(
  {
    source: text(20),
    sourceTon: fc.nat(255),
    destination: text(20),
    esmClass: fc.nat(255),
    dataCoding: fc.nat(255),
    text: fc.oneof(
      receiptText.map((each) => each.slice(0, 250)),
      octets(250).map((each) => Buffer.from(each))
    ),
    parameters: fc.array(
      fc.oneof(
        tlv,
        octets(20).map((each) => Buffer.from(each))
      ),
      { maxLength: 4 }
    )
  },
  { requiredKeys: [] }
)

/** A deliver_sm or a data_sm, damaged perhaps. */
export const deliverPdu: fc.Arbitrary<Buffer> = damaged(
  fc
    .tuple(fields, fc.boolean(), fc.nat(0x7fff_ffff))
    .map(([given, isData, sequence]) =>
      isData
        ? smpp.pdu(smpp.command.data_sm, 0, sequence, smpp.dataSm(given))
        : smpp.pdu(smpp.command.deliver_sm, 0, sequence, smpp.deliverSm(given))
    )
)

/** A PDU of any command, whose length is right, or is not. */
export const anyPdu: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 4, arbitrary: deliverPdu },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.oneof(
          fc.constantFrom(...Object.values(smpp.command).flatMap((id) => [id, smpp.resp(id)])),
          fc.nat(0xffff_ffff)
        ),
        fc.oneof(fc.constantFrom(0, 1, 3, 8, 0x58), fc.nat(0xffff_ffff)),
        fc.oneof(fc.nat(20), fc.nat(0x7fff_ffff)),
        octets(60)
      )
      .map(([id, status, sequence, body]) => smpp.pdu(id, status, sequence, Buffer.from(body)))
  },
  { weight: 1, arbitrary: octets().map((each) => Buffer.from(each)) }
)

const START = [
  "SIP/2.0 100 Trying",
  "SIP/2.0 180 Ringing",
  "SIP/2.0 183 Progress",
  "SIP/2.0 200 OK",
  "SIP/2.0 401 Unauthorized",
  "SIP/2.0 407 Proxy",
  "SIP/2.0 486 Busy",
  "SIP/2.0 503 Unavailable",
  "SIP/2.0 -1 X",
  "SIP/2.0 99999 X",
  "INVITE sip:a@127.0.0.1 SIP/2.0",
  "BYE sip:a@127.0.0.1 SIP/2.0",
  "OPTIONS sip:a@127.0.0.1 SIP/2.0",
  "CANCEL sip:a@127.0.0.1 SIP/2.0",
  "ACK sip: SIP/2.0",
  "\0 sip:a SIP/2.0"
]

const LINES = [
  "Via: SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bKx;rport",
  "Via: SIP/2.0/UDP [::1]:99999;branch=",
  "v: SIP / 2.0 / UDP a,b,c",
  "From: <sip:a@a.example>;tag=1",
  'From: "\\"" <sip:@>;tag=',
  "To: <sip:b@b.example>;tag=2",
  "t: sip:;;;;",
  "Call-ID: id@a",
  "CSeq: 7 INVITE",
  "CSeq: 99999999999999999999 \0",
  "Contact: <sip:b@127.0.0.1:5061;lr>",
  "Contact: *",
  "Record-Route: <sip:127.0.0.1;lr>,<sip:>",
  'WWW-Authenticate: Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256',
  'WWW-Authenticate: Digest realm="r\\", nonce=n, qop="auth-int,,", algorithm=MD5-sess',
  'Proxy-Authenticate: Digest realm="", nonce="\\"\\r\\nX: 1"',
  "Content-Length: 0",
  "Content-Length: -1",
  "Content-Length: 99999999999",
  "Retry-After: 1e9",
  "Require: 100rel",
  "RSeq: 1",
  "Content-Type: application/sdp",
  " folded",
  ": no name",
  "x"
]

/** A SIP message of known lines, in any order, some spoilt. */
export const sipMessage: fc.Arbitrary<Buffer> = damaged(
  fc
    .tuple(
      fc.constantFrom(...START),
      fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...LINES) }, { weight: 1, arbitrary: text(60) }), {
        maxLength: 14
      }),
      fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 1, arbitrary: text(100) })
    )
    .map(([start, lines, body]) => Buffer.from(`${[start, ...lines].join("\r\n")}\r\n\r\n${body}`, "latin1"))
)
