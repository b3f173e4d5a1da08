/**
 * Reads PDUs, by means of its own: a fault of a client's codec is then no fault of its peer's too.
 *
 * Source: SMPP 3.4 §3.2, §4 and §5.3.
 */
import { RESPONSE, command as commands } from "../../smsc/wire.ts"

/** A PDU under the protocol's own names. */
export interface Pdu {
  /** For example `submit_sm` or `submit_sm_resp`; "unknown" where the protocol has no such command. */
  readonly command: string
  readonly command_id: number
  readonly command_status: number
  readonly sequence_number: number
  /** The mandatory fields that are known: of binds, texts and what refers to a text. */
  readonly fields: Fields
  /** The optional parameters by their tags. */
  readonly parameters: ReadonlyMap<number, Buffer>
  /** Whether its mandatory fields end before they should. */
  readonly isCutOff: boolean
  /** As it came. */
  readonly frame: Buffer
}

export type Fields = Readonly<Record<string, string | number | Buffer>>

const names = new Map<number, string>(Object.entries(commands).map(([name, id]) => [id, name]))

/** Names begin with the type of the field: a C-Octet String, one octet, or octets under their length. */
const LAYOUTS: Readonly<Record<string, string>> = {
  bind: "s:system_id s:password s:system_type i:interface_version i:addr_ton i:addr_npi s:address_range",
  submit_sm:
    "s:service_type i:source_addr_ton i:source_addr_npi s:source_addr i:dest_addr_ton i:dest_addr_npi s:destination_addr " +
    "i:esm_class i:protocol_id i:priority_flag s:schedule_delivery_time s:validity_period i:registered_delivery " +
    "i:replace_if_present_flag i:data_coding i:sm_default_msg_id b:short_message",
  deliver_sm_resp: "s:message_id"
}

const HEADER = 16

export const read = (frame: Buffer): Pdu => {
  const id = frame.readUInt32BE(4)
  const command = names.get(id) ?? (isResponse(id) ? `${names.get(id - RESPONSE) ?? "unknown"}_resp` : "unknown")
  const layout = LAYOUTS[command.startsWith("bind_") && !isResponse(id) ? "bind" : command] ?? ""
  return {
    command,
    command_id: id,
    command_status: frame.readUInt32BE(8),
    sequence_number: frame.readUInt32BE(12),
    ...bodyOf(frame, layout),
    frame
  }
}

const isResponse = (id: number): boolean => id >= RESPONSE

const bodyOf = (frame: Buffer, layout: string): Pick<Pdu, "fields" | "parameters" | "isCutOff"> => {
  const fields: Record<string, string | number | Buffer> = {}
  let at = HEADER
  for (const [type, name] of layout.split(" ").map((field) => field.split(":"))) {
    if (name === undefined) break
    const end = endOf(frame, at, type)
    if (end > frame.length) return { fields, parameters: new Map(), isCutOff: true }
    if (type === "i") fields[name] = frame.readUInt8(at)
    if (type === "s") fields[name] = frame.toString("latin1", at, end - 1)
    if (type === "b") fields[name] = frame.subarray(at + 1, end)
    at = end
  }
  return { fields, parameters: layout === "" ? new Map() : parametersOf(frame, at), isCutOff: false }
}

/** Where a field ends; after the frame for a truncated field. */
const endOf = (frame: Buffer, at: number, type = ""): number => {
  if (at >= frame.length) return Infinity
  if (type === "i") return at + 1
  if (type === "b") return at + 1 + frame.readUInt8(at)
  const nul = frame.indexOf(0, at)
  return nul === -1 ? Infinity : nul + 1
}

const parametersOf = (frame: Buffer, start: number): ReadonlyMap<number, Buffer> => {
  const parameters = new Map<number, Buffer>()
  for (let at = start; at + 4 <= frame.length;) {
    const end = at + 4 + frame.readUInt16BE(at + 2)
    if (end > frame.length) break
    parameters.set(frame.readUInt16BE(at), frame.subarray(at + 4, end))
    at = end
  }
  return parameters
}
