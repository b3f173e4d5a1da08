/**
 * The trunk of calls. Most phones ring until the caller hangs up; others are busy, decline, answer or are not there.
 */
import { type TrunkCall, trunk as startTrunk } from "@watchword/sandbox/trunk"
import { header } from "@watchword/sandbox/trunk"
import { type Arrivals, e164 } from "../Arrivals.ts"
import { randomOf, weighed } from "../seeds.ts"

const FATES = [
  [60, "rings"],
  [6, "slow"],
  [6, "declines"],
  [6, "answers"],
  [6, "busy"],
  [5, "absent"],
  [4, "congested"]
] as const

export interface Trunk {
  readonly url: string
  /** How many of a hundred datagrams are lost, either way. */
  loss: number
  readonly close: () => Promise<void>
}

export const openTrunk = async (arrivals: Arrivals, seed: number): Promise<Trunk> => {
  const losses = randomOf(seed, "losses")

  const ring = (call: TrunkCall, respond: () => void): void => {
    const caller = /sips?:\+?(\d+)@/.exec(header(call.invite, "from"))?.[1] ?? ""
    arrivals.add({
      channel: "call",
      number: e164(call.callee),
      identity: header(call.invite, "call-id"),
      delivery: null,
      part: 1,
      code: caller.slice(-8),
      taken: true
    })
    respond()
  }

  const invite = (call: TrunkCall): void => {
    const random = randomOf(seed, call.callee)
    call.respond(100)
    const ringing = (): void => ring(call, () => call.respond(180))
    switch (weighed(random, FATES)) {
      case "rings":
        return ringing()
      case "slow":
        return void setTimeout(() => call.finalStatus === 0 && ringing(), 200 + random.below(1_000))
      case "declines":
        ringing()
        return void setTimeout(() => call.finalStatus === 0 && call.respond(603), 100 + random.below(500))
      case "answers":
        ringing()
        return void setTimeout(() => call.finalStatus === 0 && call.accept(), 100 + random.below(500))
      case "busy":
        return call.respond(486)
      case "absent":
        return call.respond(404)
      case "congested":
        return call.respond(503)
    }
  }

  const trunk = await startTrunk({ script: { invite, loses: () => self.loss > 0 && losses.below(100) < self.loss } })
  const self: Trunk = { url: trunk.url("keepalive=2"), loss: 0, close: () => trunk.stop() }
  return self
}
