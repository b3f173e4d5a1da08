import { type Case, connections, inTurn } from "../Case.ts"
import { MOST_CONNECTIONS, list, send, whatsAppEvent } from "../World.ts"

/**
 * The connections that the server accepts: silent, with half a request head, or kept open after an answer.
 */
export const strangersConnections: Case = {
  name: "connections",
  questions: [send, list, whatsAppEvent],
  hold: (world) =>
    inTurn(
      () => connections(world, MOST_CONNECTIONS / 2, () => ""),
      () => connections(world, MOST_CONNECTIONS / 2, () => "POST /v1/sms HTTP/1.1\r\nhost: x\r\n"),
      () => connections(world, MOST_CONNECTIONS / 2, () => "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
    )
}
