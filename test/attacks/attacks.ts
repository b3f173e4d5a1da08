/**
 * The attacks seen in the field, each as an attacker's requests mixed with requests of ordinary users.
 */
import { DefaultRules } from "@watchword/guards/Rules"
import type { GuardRules } from "watchword"
import type { World } from "./service.ts"
import { until } from "../until.ts"

export interface Attack {
  readonly name: string
  readonly rules: GuardRules
  readonly play: (world: World) => Promise<void>
}

/** The rules of docs/attacks.md without its list of countries, which would stop most of these attacks at once. */
const rules: GuardRules = {
  action: "deny",
  limits: [
    { name: "pair", by: ["to", "client_ip"], rates: ["1/30s", "5/1h"] },
    { name: "number", by: ["to"], rates: ["5/1h", "10/1d"] },
    { name: "ip", by: ["client_ip"], rates: ["20/1h"] },
    { name: "prefix", by: ["to_prefix"], rates: ["100/1h"] },
    { name: "spend", by: ["account"], money: "200/1d" }
  ],
  pumping: {
    country: { floor: 20, share: 0.2, window: "1d" },
    prefix: { floor: 5, share: 0.3, window: "1h" },
    block: "12h"
  }
}

const text = "Your code is 123456"
const VICTIM = "+4915123456789"
const USERS = 30

const padded = (index: number, digits: number): string => String(index).padStart(digits, "0")

/** One of a thousand addresses. */
const address = (index: number): string => `198.18.${Math.floor(index / 250)}.${index % 250}`

/** A user who receives a code and enters it, which the shop reports. One user in six lives in Nigeria. */
const user = async ({ send, users, ask }: World, index: number): Promise<void> => {
  const to = index % 6 === 5 ? `+234706${padded(index * 37_199, 7)}` : `+49160${padded(index * 137_911, 8)}`
  const sent = await send(users, "/sms", { to, text, client_ip: `203.0.113.${index}` })
  if (sent !== null) await ask("/sms/webhook", { id: sent["messageId"], status: "delivered" })
}

/** Sends the attacker's requests, with the users' requests spread among them. */
const among = async (world: World, count: number, request: (index: number) => Promise<unknown>): Promise<void> => {
  const every = Math.max(1, Math.floor(count / USERS))
  let users = 0
  for (let index = 0; index < count; index++) {
    if (index % every === 0 && users < USERS) await user(world, users++)
    await request(index)
  }
}

const pumping = (name: string, to: (index: number) => string, ip: (index: number) => string): Attack => ({
  name,
  rules,
  play: (world) =>
    among(world, 1_000, (index) => world.send(world.attacker, "/sms", { to: to(index), text, client_ip: ip(index) }))
})

/** Verifications under the default rules, among users of whom nine in ten enter their code. */
const starting = (name: string, to: (index: number) => string, ip: (index: number) => string): Attack => ({
  name,
  rules: DefaultRules,
  play: async (world) => {
    const { ask, attacker, send, users } = world
    const start = (side: typeof users, to: string, client_ip: string) =>
      send(side, "/verifications", { to, client_ip, workflow: [{ channel: "sms", timeout: 60 }] })
    for (let index = 0; index < 1_000; index++) {
      if (index % 33 === 0) {
        const number = `+49160${padded(index * 99_911, 8)}`
        const started = await start(users, number, `203.0.113.${index / 33}`)
        if (started !== null && index % 330 > 0) {
          await ask(`/verifications/${String(started["id"])}/report`, { status: "approved" })
        }
      }
      await start(attacker, to(index), ip(index))
    }
  }
})

const sameBlock = (index: number): string => `+23480312${padded(index, 5)}`

/** The four channels that reach the victim. */
const ways = [
  { path: "/sms", body: { to: VICTIM, text } },
  { path: "/bizchat/otp", body: { to: VICTIM, text } },
  { path: "/chatgw", body: { to: VICTIM, code: "123456" } },
  { path: "/call/flash", body: { callee: VICTIM } }
] as const

const flooding: Attack = {
  name: "one victim flooded on all channels, from 200 addresses",
  rules,
  play: (world) =>
    among(world, 200, (index) => {
      const { body, path } = ways[index % ways.length] ?? ways[0]
      return world.send(world.attacker, path, { ...body, client_ip: address(index) })
    })
}

const hammering: Attack = {
  name: "a resend button hammered 100 times",
  rules,
  play: (world) =>
    among(world, 100, () => world.send(world.attacker, "/sms", { to: VICTIM, text, client_ip: address(0) }))
}

const usingUp: Attack = {
  name: "a victim's limit used up by another, who then logs in",
  rules,
  play: async (world) => {
    await among(world, 50, (index) =>
      world.send(world.attacker, "/sms", { to: VICTIM, text, client_ip: address(index) })
    )
    await world.send(world.users, "/sms", { to: VICTIM, text, client_ip: "203.0.113.200", trusted: true })
  }
}

const guessing: Attack = {
  name: "five checks each at 100 verifications of one number",
  rules,
  play: (world) =>
    among(world, 100, async (index) => {
      const started = await world.send(world.attacker, "/verifications", {
        to: VICTIM,
        workflow: [{ channel: "sms", timeout: 60 }],
        client_ip: address(index)
      })
      if (started === null) return
      const guess = { verification_id: started["id"], code: "000000" }
      for (let guesses = 0; guesses < 5; guesses++) await world.ask("/verifications/check", guess)
      await world.ask(`/verifications/${String(started["id"])}/cancel`, {})
    })
}

const WINDOW = 6_000

const edge: Attack = {
  name: "a burst on both sides of a window's edge, 10 every 6 s",
  rules: { action: "deny", limits: [{ name: "ip", by: ["client_ip"], rates: ["10/6s"] }] },
  play: async (world) => {
    const burst = () =>
      Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          world.send(world.attacker, "/sms", { to: `+4917${padded(index, 8)}`, text, client_ip: address(0) })
        )
      )
    await until(Date.now, (now) => now % WINDOW > WINDOW - 400)
    await burst()
    await until(Date.now, (now) => now % WINDOW < WINDOW - 400)
    await burst()
  }
}

const anyPrefix = (index: number): string => `+234803${padded(index * 9_973, 7)}`
const rotated = (index: number): string => `2001:db8:7:${index.toString(16)}::1`

export const attacks: ReadonlyArray<Attack> = [
  pumping("1000 numbers of one expensive prefix, from one address", sameBlock, () => address(0)),
  pumping("the same from 1000 addresses", sameBlock, address),
  pumping("1000 numbers of many prefixes, from a rotated /48 of IPv6", anyPrefix, rotated),
  flooding,
  hammering,
  usingUp,
  guessing,
  edge,
  starting("by default: 1000 verifications of one prefix, from 1000 addresses", sameBlock, address),
  starting("by default: 1000 verifications of many prefixes, from a rotated /48 of IPv6", anyPrefix, rotated)
]
