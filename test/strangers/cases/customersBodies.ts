import { type Case, chunk, connections, halved, head, inTurn } from "../Case.ts"
import { headersOf, list, send } from "../World.ts"

/** The memory for bodies of authorized requests: large bodies, and bodies that arrive byte by byte. */
export const customersBodies: Case = {
  name: "bodies of customers",
  questions: [send, list],
  hold: (world) => {
    const begin = head("/sms", headersOf(world.stranger))
    return inTurn(
      () => connections(world, 8, () => begin + chunk(1).repeat(65_000)),
      () => connections(world, 300, () => begin + chunk(60_000)),
      () => connections(world, 160, (index) => begin + halved(60_000, index))
    )
  }
}
