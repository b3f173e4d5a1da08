/**
 * The media that a call offers, because a trunk wants an offer. None is ever sent, and whatever is sent to us goes
 * to the discard port.
 *
 * Source: RFC 8866, RFC 3264 §5, RFC 863.
 */
import { isIPv6 } from "node:net"

// Only the session id of another offer of this process must not be the same.
let session = 1

export const offer = (host: string, direction: "sendrecv" | "inactive"): string => {
  const address = `IN IP${isIPv6(host) ? "6" : "4"} ${host}`
  return [
    "v=0",
    `o=- ${session++} 1 ${address}`,
    "s=-",
    `c=${address}`,
    "t=0 0",
    "m=audio 9 RTP/AVP 8 0 101",
    "a=rtpmap:8 PCMA/8000",
    "a=rtpmap:0 PCMU/8000",
    "a=rtpmap:101 telephone-event/8000",
    `a=${direction}`,
    ""
  ].join("\r\n")
}
