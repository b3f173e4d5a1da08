/**
 * A simulated carrier (SMSC): takes the binds and texts of any SMPP client, and sends receipts for them.
 *
 * A text in parts (user data header, `sar_*` parameters) is one message once all of its parts are there; each part has an id
 * and a receipt of its own. It is for development and tests: any system_id binds, whatever its password.
 *
 * Source: SMPP 3.4 §4.1, §4.2, §4.4, §4.6, §4.11, §5.2.17 and Appendix B; 3GPP TS 23.040 §9.2.3.24 (concatenation).
 */
import { type Server, type Socket, createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { textOf } from "../text/Gsm7.ts"
import { Frames } from "./Frames.ts"
import * as Pdu from "./Pdu.ts"

/** A whole text that a client has submitted. */
export interface Submitted {
  readonly systemId: string
  readonly from: string
  /** In E.164 with the plus sign, where the client gave digits. */
  readonly to: string
  readonly text: string
}

/** The carrier's answer: an id of its own, or the name of a command status such as `ESME_RTHROTTLED`. */
export type Answer = { readonly id: string } | { readonly status: string }

export interface Options {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  readonly take: (message: Submitted) => Promise<Answer>
}

export interface Smsc {
  readonly port: number
  /** Sends the receipts of a message by the id that `take` answered. One that nobody asked a receipt of has none. */
  readonly receipt: (id: string, outcome: "delivered" | "undelivered") => void
  readonly close: () => Promise<void>
}

/** The parts of messages that are not whole yet, and the messages whose receipts are to come; the oldest go first. */
const MOST_KEPT = 10_000

export const listen = async ({ host, port, take }: Options): Promise<Smsc> => {
  const sessions = new Set<Session>()
  const receipts = new Map<string, ReadonlyArray<Part>>()

  const remember = (id: string, parts: ReadonlyArray<Part>): void => {
    const [oldest] = receipts.keys()
    if (receipts.size >= MOST_KEPT && oldest !== undefined) receipts.delete(oldest)
    receipts.set(id, parts)
  }

  const server = createServer((socket) => {
    const session = new Session(socket, { take, remember })
    sessions.add(session)
    socket.on("close", () => void sessions.delete(session))
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })

  return {
    port: portOf(server, port),
    receipt: (id, outcome) => {
      const parts = receipts.get(id) ?? []
      receipts.delete(id)
      for (const part of parts) {
        // Any bind of the client that receives.
        const to = [...sessions].find(({ isReceiving, systemId }) => isReceiving && systemId === part.systemId)
        if (part.wantsReceipt) to?.deliver(part, outcome)
      }
    },
    close: async () => {
      for (const { socket } of sessions) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    }
  }
}

const portOf = (server: Server, otherwise: number): number => {
  const address: AddressInfo | string | null = server.address()
  return address === null || typeof address === "string" ? otherwise : address.port
}

/** One submit_sm, which is a whole text or a part of one. */
interface Part {
  readonly id: string
  readonly systemId: string
  readonly from: string
  readonly to: string
  readonly octets: Buffer
  readonly isUcs2: boolean
  readonly wantsReceipt: boolean
  /** Which part of which message; null for a whole one. */
  readonly place: { readonly reference: string; readonly number: number; readonly total: number } | null
}

interface Carrier {
  readonly take: Options["take"]
  readonly remember: (id: string, parts: ReadonlyArray<Part>) => void
}

const RECEIVES = new Set(["bind_receiver", "bind_transceiver"])
const SENDS = new Set(["bind_transmitter", "bind_transceiver"])

let lastId = 0

class Session {
  readonly socket: Socket
  systemId = ""
  isReceiving = false
  private isSending = false
  private sequence = 0
  private readonly carrier: Carrier
  /** Parts by their message, until it is whole. */
  private readonly partial = new Map<string, Array<Part>>()

  constructor(socket: Socket, carrier: Carrier) {
    this.socket = socket
    this.carrier = carrier
    const frames = new Frames()
    socket.setNoDelay(true)
    socket.on("error", () => socket.destroy())
    socket.on("data", (chunk) => {
      if (frames.push(chunk, (frame) => this.received(frame)) !== undefined) socket.destroy()
    })
  }

  deliver({ from, id, octets, to, isUcs2 }: Part, outcome: "delivered" | "undelivered"): void {
    const [state, stat] = outcome === "delivered" ? ([2, "DELIVRD"] as const) : ([5, "UNDELIV"] as const)
    const shown = (isUcs2 ? "" : textOf(octets)).slice(0, 20)
    const at = stamp(new Date())
    const text =
      `id:${id} sub:001 dlvrd:${outcome === "delivered" ? "001" : "000"} submit date:${at} done date:${at} ` +
      `stat:${stat} err:${outcome === "delivered" ? "000" : "001"} text:${shown}`
    const values = {
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: to.replace(/^\+/, ""),
      dest_addr_ton: 5,
      destination_addr: from,
      esm_class: RECEIPT,
      short_message: Buffer.from(text, "latin1")
    }
    const parameters = [
      { tag: RECEIPTED_MESSAGE_ID, value: Buffer.from(`${id}\0`, "latin1") },
      Pdu.parameter("message_state", state)
    ]
    this.socket.write(Pdu.encode("deliver_sm", ++this.sequence, values, parameters))
  }

  private received(frame: Buffer): void {
    if (Pdu.isResponse(frame)) return
    const command = Pdu.commandOf(frame)
    const sequence = Pdu.sequenceOf(frame)
    if (command === undefined) return this.answer("generic_nack", sequence, "ESME_RINVCMDID")
    if (RECEIVES.has(command) || SENDS.has(command)) return this.bound(command, frame)
    if (command === "enquire_link") return this.answer("enquire_link_resp", sequence, "ESME_ROK")
    if (command === "unbind") {
      this.answer("unbind_resp", sequence, "ESME_ROK")
      return void this.socket.end()
    }
    if (command !== "submit_sm") return this.answer("generic_nack", sequence, "ESME_RINVCMDID")
    if (!this.isSending) return this.answer("submit_sm_resp", sequence, "ESME_RINVBNDSTS")
    this.submitted(frame).catch(() => this.answer("submit_sm_resp", sequence, "ESME_RSYSERR"))
  }

  private bound(command: Pdu.Command, frame: Buffer): void {
    const sequence = Pdu.sequenceOf(frame)
    if (this.systemId !== "") return this.answer(`${command}_resp`, sequence, "ESME_RALYBND")
    this.systemId = String(Pdu.decode(frame).fields["system_id"] ?? "") || "anonymous"
    this.isReceiving = RECEIVES.has(command)
    this.isSending = SENDS.has(command)
    this.socket.write(Pdu.encode(`${command}_resp`, sequence, { system_id: "watchword" }))
  }

  private async submitted(frame: Buffer): Promise<void> {
    const sequence = Pdu.sequenceOf(frame)
    const part = this.partOf(frame)
    if (part === null) return this.answer("submit_sm_resp", sequence, "ESME_RINVMSGLEN")
    const parts = this.wholeWith(part)
    if (parts === null) return this.taken(sequence, part.id)
    const text = parts.map(({ isUcs2, octets }) => (isUcs2 ? utf16.decode(octets) : textOf(octets))).join("")
    const answer = await this.carrier.take({ systemId: this.systemId, from: part.from, to: part.to, text })
    if ("status" in answer) return this.answer("submit_sm_resp", sequence, answer.status)
    // The receipts name the ids that the client has.
    this.carrier.remember(answer.id, parts)
    this.taken(sequence, part.id)
  }

  /** All parts of the message that a part completes, in their order; null while some are missing. */
  private wholeWith(part: Part): ReadonlyArray<Part> | null {
    if (part.place === null) return [part]
    const { number, reference, total } = part.place
    const key = `${part.from} ${part.to} ${reference}`
    const others = (this.partial.get(key) ?? []).filter(({ place }) => place?.number !== number)
    const parts = [...others, part]
    if (parts.length < total) {
      const [oldest] = this.partial.keys()
      if (this.partial.size >= MOST_KEPT && oldest !== undefined) this.partial.delete(oldest)
      this.partial.set(key, parts)
      return null
    }
    this.partial.delete(key)
    return parts.toSorted((one, other) => (one.place?.number ?? 0) - (other.place?.number ?? 0))
  }

  private partOf(frame: Buffer): Part | null {
    const { fields, isCutOff, parameters } = Pdu.decode(frame)
    if (isCutOff) return null
    const short = fields["short_message"]
    const given =
      Buffer.isBuffer(short) && short.length > 0 ? short : (parameters.get(MESSAGE_PAYLOAD) ?? Buffer.alloc(0))
    const hasHeader = (Number(fields["esm_class"]) & UDH_INDICATOR) !== 0
    const header = hasHeader ? given.subarray(1, 1 + (given[0] ?? 0)) : Buffer.alloc(0)
    const digits = String(fields["destination_addr"] ?? "")
    return {
      id: (++lastId).toString(16).toUpperCase().padStart(8, "0"),
      systemId: this.systemId,
      from: String(fields["source_addr"] ?? ""),
      to: /^\d+$/.test(digits) ? `+${digits}` : digits,
      octets: hasHeader ? given.subarray(1 + header.length) : given,
      isUcs2: Number(fields["data_coding"]) === UCS2,
      wantsReceipt: (Number(fields["registered_delivery"]) & 0x01) !== 0,
      place: placeInHeader(header) ?? placeInParameters(parameters)
    }
  }

  private taken(sequence: number, id: string): void {
    this.socket.write(Pdu.encode("submit_sm_resp", sequence, { message_id: id }))
  }

  private answer(command: Pdu.Command, sequence: number, status: string): void {
    if (!this.socket.destroyed) this.socket.write(Pdu.respond(command, sequence, Pdu.status(status)))
  }
}

const MESSAGE_PAYLOAD = Pdu.tag("message_payload")
const RECEIPTED_MESSAGE_ID = Pdu.tag("receipted_message_id")
const [REFERENCE, TOTAL, NUMBER] = ["sar_msg_ref_num", "sar_total_segments", "sar_segment_seqnum"].map(Pdu.tag)
const UDH_INDICATOR = 0x40
const UCS2 = 0x08
const RECEIPT = 0x04
const utf16 = new TextDecoder("utf-16be")

/** The place that an information element of concatenation has, with a reference of 8 or of 16 bits. */
const placeInHeader = (header: Buffer): Part["place"] => {
  for (let at = 0; at + 2 <= header.length; at += 2 + (header[at + 1] ?? 0)) {
    const element = header.subarray(at + 2, at + 2 + (header[at + 1] ?? 0))
    const [total, number] = [element.at(-2), element.at(-1)]
    const isConcatenation =
      (header[at] === 0x00 && element.length === 3) || (header[at] === 0x08 && element.length === 4)
    if (isConcatenation && total !== undefined && number !== undefined) {
      return placed(element.subarray(0, -2).toString("hex"), number, total)
    }
  }
  return null
}

const placeInParameters = (parameters: Pdu.Parameters): Part["place"] => {
  const [reference, total, number] = [REFERENCE, TOTAL, NUMBER].map((tag) =>
    tag === undefined ? undefined : parameters.get(tag)
  )
  return reference === undefined || total === undefined || number === undefined
    ? null
    : placed(reference.toString("hex"), number.at(-1) ?? 0, total.at(-1) ?? 0)
}

const placed = (reference: string, number: number, total: number): Part["place"] =>
  total > 1 && number >= 1 && number <= total ? { reference, number, total } : null

/** `YYMMDDhhmm`. */
const stamp = (at: Date): string => at.toISOString().replace(/\D/g, "").slice(2, 12)
