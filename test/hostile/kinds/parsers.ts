/**
 * Parsers of what others send: none throws, whatever comes.
 */
import * as Networks from "@watchword/auth/Networks"
import * as Addresses from "../../../packages/events/src/internal/Addresses.ts"
import { parseTime } from "@watchword/pagination/Fields"
import { ListBody } from "@watchword/pagination/Page"
import { codeIn, hasCode } from "@watchword/schemas/Sms"
import * as PhoneNumber from "@watchword/schemas/PhoneNumber"
import * as Template from "../../../packages/verify/src/operator/Template.ts"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { Credentials } from "../../../packages/call/src/internal/sip/Digest.ts"
import { Frames as SipFrames } from "../../../packages/call/src/internal/sip/Frames.ts"
import { parse as parseSip } from "../../../packages/call/src/internal/sip/Message.ts"
import * as StoredDialog from "../../../packages/call/src/internal/sip/StoredDialog.ts"
import * as DeliverSm from "../../../packages/sms/src/internal/smpp/DeliverSm.ts"
import { Frames } from "../../../packages/sms/src/internal/smpp/Frames.ts"
import { canonical } from "../../../packages/sms/src/internal/smpp/MessageIds.ts"
import { decode } from "../../../packages/sms/src/internal/smpp/Pdu.ts"
import * as Receipt from "../../../packages/sms/src/internal/smpp/Receipt.ts"
import * as ReceiptStates from "../../../packages/sms/src/internal/smpp/ReceiptStates.ts"
import * as ReceiptText from "../../../packages/sms/src/internal/smpp/ReceiptText.ts"
import { body, damaged, octets, text } from "../inputs.ts"
import { kindOf, subject } from "../properties.ts"
import { deliverPdu, receiptText, sipMessage } from "../wires.ts"

const trunk = { protocol: "udp", address: "127.0.0.1", port: 5060, tls: {} } as const

const proxies = Result.getOrThrow(Networks.parse(["127.0.0.1", "10.0.0.0/8", "::1"]))

const LIST = {
  page: 1,
  rows_per_page: 20,
  sort_by: "timestamp",
  sort_direction: "ASC",
  filter: { status: ["failed"], timestamp: { gte: "2027-01-31T12:00:00Z" } }
}

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(String(bytes))
  } catch {
    return String(bytes)
  }
}

const ignore = (): void => {}

const decodeList = Schema.decodeUnknownResult(ListBody)

export const parsers = kindOf("parsers", 66, [
  subject("SMPP frames", fc.array(fc.oneof(deliverPdu, octets(60)), { maxLength: 5 }), (chunks) => {
    const frames = new Frames()
    for (const chunk of chunks) if (frames.push(Buffer.from(chunk), ignore) !== undefined) return
  }),
  subject("deliver_sm and its receipt", deliverPdu, (pdu) => {
    if (pdu.length < 16) return
    const message = DeliverSm.read(pdu)
    if (message !== undefined) Receipt.read(message)
  }),
  subject("submit_sm_resp", damaged(octets(80)), (frame) => {
    if (frame.length >= 16) decode(frame)
  }),
  subject("texts of receipts", receiptText, (given) => void ReceiptText.parse(given)),
  subject("a carrier's states", text(), (given) => void ReceiptStates.parse(given)),
  subject("ids of messages", text(), (given) => void canonical(given)),
  subject("SIP messages", sipMessage, (bytes) => {
    const message = parseSip(bytes)
    if (message?._tag !== "Response") return
    const credentials = new Credentials("client", Redacted.make("secret"))
    credentials.challenged({ ...message, status: 401 }, trunk, new Map())
    const lines = credentials.lines("INVITE", "sip:x@127.0.0.1", trunk)
    return /secret/.test(lines)
      ? "the password is in a header"
      : /[\r\n](?![A-Z\n]|$)/.test(lines)
        ? "a header is injected"
        : undefined
  }),
  subject("SIP frames", fc.array(fc.oneof(sipMessage, octets(60)), { maxLength: 4 }), (chunks) => {
    const frames = new SipFrames()
    for (const chunk of chunks) if (!frames.push(Buffer.from(chunk), ignore, ignore)) return
  }),
  subject(
    "stored dialogs",
    fc.oneof(text(200), body({ a: 1 }).map(String)),
    (given) => void StoredDialog.decode(given)
  ),
  subject("phone numbers", text(), (given) => {
    const { number } = PhoneNumber.parse(given)
    if (number === null) return
    return /^\+\d{7,15}$/.test(number) ? void PhoneNumber.countryOf(number) : `${number} is no number`
  }),
  subject("codes in texts", text(300), (given) => void [hasCode(given), codeIn(given)]),
  subject("times", text(), parseTime),
  subject("bodies of lists", body(LIST).map(parsed), (given) => void Result.isSuccess(decodeList(given))),
  subject("templates", text(120), (given) => void Template.faultOf(given)),
  subject("locales", text(), (given) => void [Template.canonical(given), Template.lookup(given)]),
  subject("networks", fc.array(text(), { maxLength: 4 }), Networks.parse),
  subject(
    "forwarded addresses",
    fc.tuple(text(), text(200)),
    ([socket, forwardedFor]) => void Networks.clientAddress(proxies, { socket, forwardedFor })
  ),
  subject("addresses", text(), (given) => void [Addresses.isPublic(given), Addresses.isAddress(given)])
])
