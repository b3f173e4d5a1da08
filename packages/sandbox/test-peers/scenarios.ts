/**
 * Scenarios for sipp as a caller. Each ends with exit code 0 if all goes as it says.
 */
const scenario = (name: string, ...steps: ReadonlyArray<string>): string =>
  `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="${name}">\n${steps.join("\n")}\n</scenario>\n`

const CALLEE = "sip:[service]@[remote_ip]:[remote_port]"

const request = (method: string, to: string, ...headers: ReadonlyArray<string>): string =>
  [
    `${method} ${CALLEE} SIP/2.0`,
    ...headers,
    "From: <sip:+493023125123@[local_ip]:[local_port]>;tag=[call_number]",
    `To: <${CALLEE}>${to}`,
    "Call-ID: [call_id]",
    `CSeq: 1 ${method}`,
    "Contact: <sip:sipp@[local_ip]:[local_port]>",
    "Max-Forwards: 70",
    "Content-Length: 0",
    "",
    ""
  ].join("\n")

const VIA = "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]"

const send = (text: string, retransmits = true): string =>
  `<send${retransmits ? ' retrans="200"' : ""}><![CDATA[\n${text}]]></send>`

const invite = send(request("INVITE", "", VIA))
// Of a final status other than 2xx: it belongs to the INVITE, and has its branch.
const ack = send(request("ACK", "[peer_tag_param]", "[last_Via:]"), false)
const ringing = '<recv response="100"/>\n<recv response="180"/>'

export const busy = scenario("busy", invite, '<recv response="100"/>', '<recv response="486"/>', ack)

export const givesUp = scenario(
  "gives up",
  invite,
  ringing,
  send(request("CANCEL", "", "[last_Via:]")),
  '<recv response="200"/>',
  '<recv response="487"/>',
  ack
)

/** Talks until the other side hangs up. */
export const isHungUp = scenario(
  "is hung up",
  invite,
  ringing,
  '<recv response="200"/>',
  send(request("ACK", "[peer_tag_param]", VIA), false),
  '<recv request="BYE"/>',
  `<send><![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

]]></send>`
)
