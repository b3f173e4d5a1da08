/**
 * The end of the certificate that a peer has shown in TLS.
 */
import type { TLSSocket } from "node:tls"

/** Milliseconds since the epoch; null if the peer has shown none. */
export const certificateEnd = (socket: TLSSocket): number | null => {
  // OpenSSL's form, such as "Jan 31 12:00:00 2027 GMT"; an object without it stands for no certificate.
  const ends = Date.parse(socket.getPeerCertificate().valid_to ?? "")
  return Number.isNaN(ends) ? null : ends
}
