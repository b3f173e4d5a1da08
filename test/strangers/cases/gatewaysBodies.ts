import { type Case, chunk, connections, halved, head, inTurn } from "../Case.ts"
import { telegramEvent, whatsAppEvent } from "../World.ts"

/** The memory for events of gateways, which are authenticated once they are read. */
export const gatewaysBodies: Case = {
  name: "bodies of gateways' events",
  questions: [whatsAppEvent, telegramEvent],
  hold: (world) => {
    const whatsApp = head("/bizchat/events", { "x-hub-signature-256": "sha256=00" })
    const telegram = head("/chatgw/events", { "x-request-timestamp": "1", "x-request-signature": "00" })
    // Made once, so that a stranger who opens connections again has little to do.
    const large = Buffer.from(whatsApp + chunk(1_000_000))
    const inPieces = Buffer.from(whatsApp + chunk(1).repeat(520_000))
    return inTurn(
      () => connections(world, 1, () => inPieces),
      () => connections(world, 100, () => large),
      () => connections(world, 200, () => telegram + chunk(65_000)),
      () => connections(world, 80, (index) => whatsApp + halved(1_000_000, index)),
      () => connections(world, 80, (index) => telegram + halved(65_000, index))
    )
  }
}
