/**
 * The media that a call offers, because a trunk wants an offer. None is ever sent, and whatever is sent to us goes
 * to the discard port.
 *
 * Source: RFC 8866, RFC 3264 §5, RFC 863.
 */
import { isIPv6 } from "node:net"

// Only the session id of another offer of this process must not be the same.
let session = 1

/** Offers of a host, each with a session of its own. */
export const offers = (host: string, direction: "sendrecv" | "inactive"): (() => string) => {
  const address = `IN IP${isIPv6(host) ? "6" : "4"} ${host}`
  const rest = [
    `c=${address}`,
    "t=0 0",
    "m=audio 9 RTP/AVP 8 0 101",
    "a=rtpmap:8 PCMA/8000",
    "a=rtpmap:0 PCMU/8000",
    "a=rtpmap:101 telephone-event/8000",
    `a=${direction}`,
    ""
  ].join("\r\n")
  return () => `v=0\r\no=- ${session++} 1 ${address}\r\ns=-\r\n${rest}`
}
