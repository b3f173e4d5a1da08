/**
 * Settings of an account whose sends are measured.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Operate } from "../peers/systems.ts"

/** Applies the settings with operators' commands before the server starts. */
export type Condition = (operate: Operate, account: string, folder: string) => void

/** Rules under which each send counts. */
const rules =
  (limits: ReadonlyArray<object>): Condition =>
  (operate, account, folder) => {
    const file = join(folder, "rules.json")
    writeFileSync(file, JSON.stringify({ action: "deny", limits }))
    operate("guard", "set", account, file)
  }

const pair = { name: "pair", by: ["to", "account"], rates: ["1000000/30s", "5000000/1h"] }
const number = { name: "number", by: ["to"], rates: ["5000000/1h", "10000000/1d"] }
const spend = { name: "spend", by: ["account"], money: "900000000/1d" }
const prefix = { name: "prefix", by: ["to_prefix"], rates: ["100000000/1h"] }
const country = { name: "country", by: ["country"], rates: ["100000000/1h"] }

/** Limits that never stop a send. */
export const threeLimits = rules([pair, number, spend])

export const fiveLimits = rules([pair, number, prefix, country, spend])

/** Five limits of which one binds: a number takes no more than five texts an hour. */
export const bindingLimits = rules([pair, { ...number, rates: ["5/1h", "10000000/1d"] }, prefix, country, spend])

/** No rules, not even the default rules for verifications. */
export const noRules: Condition = (operate, account) => operate("guard", "set", account, "none")

/** An endpoint that receives every change. */
export const endpoint =
  (port: number, path = ""): Condition =>
  (operate, account) =>
    operate("webhook", "add", "--account", account, "--url", `http://127.0.0.1:${port}/${path}`)

/** Settings of two carriers at one URL, and of a route that chooses between them. */
export const twoCarriers =
  (choose: "order" | "best") =>
  (url: string, folder: string): Readonly<Record<string, string>> => {
    const file = join(folder, "carriers.json")
    const names = ["acme", "bell"]
    const carriers = Object.fromEntries(names.map((name) => [name, { sms: url, cost: { "*": 0.05 } }]))
    const routes = [{ channel: "sms", to: "*", via: names, choose }]
    writeFileSync(file, JSON.stringify({ carriers, routes }), { mode: 0o600 })
    return { CARRIERS: file, SMPP_URL: "" }
  }
