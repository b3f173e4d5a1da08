/**
 * Compares a world's money with the messages that its gateways saw.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { audit as auditOfRows } from "@watchword/operator/Audit"
import { holds, same } from "@watchword/store/checks"
import type { Delivery } from "@watchword/store/Delivery"
import { Snapshots } from "@watchword/store/Snapshots"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Message, isTaken } from "./network.ts"
import type { World } from "./world.ts"

const PRODUCTS = ["sms", "chatgw", "chatgw_probe", "call"] as const

/** Whether the answer that accepted a message reached a process that could store it. */
const isHeard = ({ by, fate }: Message): boolean => fate === "taken" && !by.isDead()

const FINAL_ENTRIES: Readonly<Record<Delivery["phase"], ReadonlyArray<string>>> = {
  pending: ["hold"],
  unknown: ["hold"],
  accepted: ["hold settle"],
  rejected: ["hold release"],
  refunded: ["hold release", "hold settle refund"]
}

/**
 * Requires that each step was opened once and handed to a gateway at most once, that every charged message was accepted
 * by a gateway, that every message whose acceptance was heard is charged unless refunded, and that the balance is the
 * sum of it all.
 */
export const audit = async (world: World): Promise<void> => {
  const { account, credit, network, run, snapshots, store } = world
  if (snapshots !== null) {
    const { violations } = await run(
      auditOfRows.pipe(Effect.provideService(Snapshots, snapshots), Effect.provide(ChannelRegistry.layerBuiltIn))
    )
    same("what breaks a rule", violations, [])
  }
  const entries = await run(store.entries({ account, after: null, limit: 100_000 }))
  const deliveries = (await Promise.all(PRODUCTS.map(world.deliveries))).flat()
  const ids = network.messages.map(({ delivery }) => delivery)
  same("deliveries that were handed over twice", ids.length - new Set(ids).size, 0)
  const steps = deliveries.flatMap(({ details: { attempt, verification } }) =>
    verification === undefined ? [] : [`${verification} ${attempt}`]
  )
  same("steps that were opened twice", steps.length - new Set(steps).size, 0)
  let available = credit
  for (const delivery of deliveries) {
    const { channel, id, phase, price } = delivery
    const kinds = entries.filter((entry) => entry.delivery === id).map(({ kind }) => kind)
    const about = `${channel} that is ${phase}`
    holds(`the entries of ${about}: ${kinds.join(" ")}`, price === 0 || FINAL_ENTRIES[phase].includes(kinds.join(" ")))
    if (phase !== "rejected" && phase !== "refunded") available -= price
    if (channel === "chatgw_probe") continue
    const message = network.messages.find((each) => each.delivery === id)
    if (phase === "accepted") holds(`${about} was taken by a gateway`, message !== undefined && isTaken(message))
    if (phase === "rejected") holds(`${about} was not heard to be taken`, message === undefined || !isHeard(message))
    if (phase === "refunded") holds(`${about} was taken back`, message?.isRevoked === true)
  }
  const known = new Set(deliveries.map(({ id }) => id))
  holds(
    `a record of every message, ${known.size} of ${ids.length}`,
    ids.every((id) => known.has(id))
  )
  const { balance } = Option.getOrThrow(await run(store.account(account)))
  same("the available balance", balance.available, available)
  holds("a balance that is not below zero", available >= 0)
}
