/**
 * Ends calls that an earlier process left ringing. A CANCEL needs the fields of its INVITE only, not the process that
 * sent it.
 *
 * Source: RFC 3261 §9.1.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { Cause, Ended } from "../../CallGateway.ts"
import type { Receive } from "./Endpoint.ts"
import * as HeaderValue from "./HeaderValue.ts"
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
  readonly receive: Receive
  /** Milliseconds since the epoch. */
  readonly wallClock: () => number
  /** Called once for each call. */
  readonly ended: (event: Ended) => void
}

interface LeftCall {
  readonly delivery: DeliveryId
  readonly dialog: string
}

/** Starts to end calls by their stored dialogs. Sockets that it opens for them stay open until the scope closes. */
export const make = (owner: Owner): ((calls: ReadonlyArray<LeftCall>) => Effect.Effect<void, never, Scope>) => {
  const transports = new Map<string, Transport.Transport>()

  /** The transport that an INVITE was sent by: its final response is sent to that address. */
  const transportOf = Effect.fnUntraced(function* ({ protocol, sentBy }: StoredDialog.StoredInvite, from: Address) {
    const { transport } = owner.stack
    if (protocol !== "udp" || from.port === transport.local.port) return transport
    const known = transports.get(sentBy)
    if (known !== undefined) return known
    // The port may be in use by another process.
    const opened = yield* Effect.orElseSucceed(Transport.open(from, owner.receive), () => transport)
    transports.set(sentBy, opened)
    return opened
  })

  const legOf = Effect.fnUntraced(function* (stored: StoredDialog.StoredInvite) {
    const trunk = owner.trunks.find(({ name }) => name === stored.trunk) ?? owner.trunks[0]
    const from = addressOf(stored)
    if (trunk === undefined || from === null) return []
    const transport = yield* transportOf(stored, from)
    return [{ stored, trunk, stack: { ...owner.stack, transport } }]
  })

  return Effect.fnUntraced(function* (calls) {
    for (const { delivery, dialog } of calls) {
      const legs = yield* Effect.forEach(StoredDialog.decode(dialog), legOf)
      endLegs(owner, delivery, legs.flat())
    }
  })
}

interface LeftLeg {
  readonly stored: StoredDialog.StoredInvite
  readonly trunk: Trunk
  readonly stack: LegStack
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
  for (const { stack, stored, trunk } of legs) {
    const invite = inviteOf(stored, trunk)
    new Leg(stack, trunk, invite, "", listener).resume(
      stored.dialog === null ? null : { invite, ...stored.dialog }
    )
  }
}

const inviteOf = (stored: StoredDialog.StoredInvite, { name, options }: Trunk): Invite => {
  const { protocol, address, port, sentBy, uri, from, proxy, callId, cseq } = stored
  const endpoint = { protocol, address, port, tls: options.tls }
  const route = { trunk: name, endpoint, sentBy, proxy }
  return { route, uri, from, to: `<${uri}>`, branch: branchOf(callId, cseq), callId, cseq }
}

interface Address {
  readonly host: string
  readonly port: number
}

/** The address that an INVITE was sent from. */
const addressOf = ({ sentBy }: StoredDialog.StoredInvite): Address | null => {
  const address = HeaderValue.sentBy(`SIP/2.0/UDP ${sentBy}`)
  return address === undefined || address.port === null ? null : { host: address.host, port: address.port }
}
