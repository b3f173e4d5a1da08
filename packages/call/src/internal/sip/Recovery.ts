/**
 * Ends calls that an earlier process left ringing. A CANCEL needs the fields of its INVITE only, not the process that
 * sent it.
 *
 * Source: RFC 3261 §9.1.
 */
import { hostAndPort } from "@watchword/schemas/ConnectionUrl"
import type { DeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as RcMap from "effect/RcMap"
import * as Scope from "effect/Scope"
import type { Cause, Ended } from "../../CallGateway.ts"
import type { Address } from "./Options.ts"
import { type Invite, branchOf } from "./Invite.ts"
import { Leg, type LegListener, type LegStack } from "./Leg.ts"
import { causeWith } from "./Status.ts"
import * as StoredDialog from "./StoredDialog.ts"
import * as Transport from "./Transport.ts"
import type { Trunk } from "./Trunk.ts"

/** The parts of the gateway that recovery uses. */
export interface Owner {
  readonly stack: LegStack
  readonly trunks: ReadonlyArray<Trunk>
  readonly listener: Transport.Listener
  /** Runs an effect from outside of any fiber. */
  readonly fork: (effect: Effect.Effect<void>) => void
  /** Milliseconds since the epoch by the system's clock, as the earlier process has stored its times. */
  readonly wallClock: () => number
  /** Called once for each call. */
  readonly ended: (event: Ended) => void
}

interface LeftCall {
  readonly delivery: DeliveryId
  readonly dialog: string
}

/**
 * Starts to end calls by their stored dialogs. A socket that is opened for them is closed some time after the last one.
 */
export const make = Effect.fnUntraced(function* (
  owner: Owner
): Effect.fn.Return<(calls: ReadonlyArray<LeftCall>) => Effect.Effect<void>, never, Scope.Scope> {
  const { stack } = owner
  const { transport: own, values } = stack
  const transports = yield* RcMap.make({
    lookup: (from: Address) => Transport.open(from, { ...owner.listener, streams: null }),
    // A final response whose ACK was lost comes again meanwhile. Then the address is free for the process that had it.
    idleTimeToLive: values.t4
  })

  /** The transport that an INVITE was sent by, since its final response is sent to that address. */
  const transportAt = (from: Address, { protocol }: StoredDialog.StoredInvite) =>
    protocol !== "udp" || from.port === own.local.port
      ? Effect.succeed(own)
      : // The port may be in use by another process.
        Effect.orElseSucceed(RcMap.get(transports, from), () => own)

  const legOf = Effect.fnUntraced(function* (stored: StoredDialog.StoredInvite) {
    const trunk = owner.trunks.find(({ name }) => name === stored.trunk) ?? owner.trunks[0]
    const from = addressOf(stored)
    if (trunk === undefined || from === null) return []
    const use = yield* Scope.make()
    const transport = yield* Scope.provide(transportAt(from, stored), use)
    const over = () => owner.fork(Scope.close(use, Exit.void))
    return [{ stored, trunk, stack: { ...stack, transport }, over }]
  })

  return Effect.fnUntraced(function* (calls) {
    for (const { delivery, dialog } of calls) {
      const legs = yield* Effect.forEach(StoredDialog.decode(dialog), legOf)
      endLegs(owner, delivery, legs.flat())
    }
  })
})

/** The address that an INVITE was sent from. */
const addressOf = ({ sentBy }: StoredDialog.StoredInvite): Address | null => {
  const address = hostAndPort(sentBy)
  return address === null || address.port === null ? null : { host: address.host, port: address.port }
}

interface LeftLeg {
  readonly stored: StoredDialog.StoredInvite
  readonly trunk: Trunk
  readonly stack: LegStack
  /** Called when the leg is over. */
  readonly over: () => void
}

/** Ends the legs of one call, and publishes the call's end when all of them are over. */
const endLegs = ({ ended, wallClock }: Owner, delivery: DeliveryId, legs: ReadonlyArray<LeftLeg>): void => {
  let open = legs.length
  let answeredAt: number | null = null
  let cause: Cause = { hangupCause: "NORMAL_UNSPECIFIED", sipStatus: null, q850: null }
  const end = (): void => ended({ _tag: "Ended", delivery, cause, answeredAt, endedAt: wallClock() })
  const listener: LegListener = {
    provisional: () => {},
    answered: () => {
      answeredAt ??= wallClock()
    },
    over: (_leg, how) => {
      if (answeredAt !== null) cause = { hangupCause: "NORMAL_CLEARING", sipStatus: 200, q850: null }
      else if (how._tag === "Rejected") cause = causeWith("ORIGINATOR_CANCEL", how.response)
      else if (how._tag === "TimedOut" && how.isCancelled) cause = causeWith("ORIGINATOR_CANCEL", null)
      open--
      if (open === 0) end()
    }
  }
  if (legs.length === 0) end()
  for (const { over, stack, stored, trunk } of legs) {
    const invite = inviteOf(stored, trunk)
    const ofLeg: LegListener = {
      ...listener,
      over: (leg, how) => {
        over()
        listener.over(leg, how)
      }
    }
    new Leg(stack, trunk, invite, "", ofLeg).resume(stored.dialog === null ? null : { invite, ...stored.dialog })
  }
}

const inviteOf = (stored: StoredDialog.StoredInvite, { name, options }: Trunk): Invite => {
  const { protocol, address, port, sentBy, uri, from, proxy, callId, cseq } = stored
  const endpoint = { protocol, address, port, tls: options.tls }
  const route = { trunk: name, endpoint, sentBy, proxy }
  return { route, uri, from, to: `<${uri}>`, branch: branchOf(callId, cseq), callId, cseq }
}
