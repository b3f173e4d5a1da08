/**
 * The SDP offer of an INVITE. Trunks require one, but no media is ever sent, and the port for incoming media is the
 * discard port.
 *
 * Source: RFC 8866, RFC 3264 §5, RFC 863.
 */
import { isIPv6 } from "node:net"

/** Counts sessions: RFC 8866 §5.2 wants no two of a host and user to have the same id. */
let session = 0

/** An offer of a session of its own, at this address. */
export const offer = (host: string, direction: "sendrecv" | "inactive"): string => {
  const address = `IN IP${isIPv6(host) ? "6" : "4"} ${host}`
  return (
    `v=0\r\no=- ${++session} 1 ${address}\r\ns=-\r\nc=${address}\r\nt=0 0\r\nm=audio 9 RTP/AVP 8 0 101\r\n` +
    "a=rtpmap:8 PCMA/8000\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\n" +
    `a=${direction}\r\n`
  )
}
