/**
 * The account of the day: a shop with money, a caller pool, a webhook, prices, and rules against attacks.
 */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Shop } from "./Customers.ts"
import type { Environment, Service } from "./Service.ts"

const PRICES = {
  sms: { "*": 0.05, "234": 0.2 },
  call: { "*": 0.02 },
  chatgw: { "*": 0.01 },
  chatgw_probe: { "*": 0.01 },
  bizchat: { "*": 0.04 }
}

/**
 * The rules of docs/attacks.md for a small service, without the list of countries, which would stop the attack at once,
 * and with a higher floor for countries: if an hour passes in seconds, more users have received a code but not entered
 * it yet.
 */
const GUARDS = {
  action: "deny",
  numbers: { deny_types: ["premium_rate", "shared_cost", "voicemail", "pager", "uan"] },
  limits: [
    { name: "pair", by: ["to", "client_ip"], rates: ["1/30s", "5/1h"] },
    { name: "number", by: ["to"], rates: ["5/1h", "10/1d"] },
    { name: "ip", by: ["client_ip"], rates: ["20/1h"] },
    { name: "prefix", by: ["to_prefix"], rates: ["100/1h"] },
    { name: "spend", by: ["account"], money: "2000/1d" }
  ],
  pumping: {
    country: { floor: 60, share: 0.2, window: "1d" },
    prefix: { floor: 5, share: 0.3, window: "1h" },
    block: "12h"
  }
}

/** Writes the files for `PRICES` and `GUARDS`, and returns the settings that name them. */
export const writeRules = async (folder: string): Promise<Environment> => {
  const [prices, guards] = [join(folder, "prices.json"), join(folder, "guards.json")]
  await writeFile(prices, JSON.stringify(PRICES))
  await writeFile(guards, JSON.stringify(GUARDS))
  return { PRICES: prices, GUARDS: guards }
}

/** Creates the account, as an operator would. */
export const openShop = async (operator: Service["operator"], webhookUrl: string): Promise<Shop> => {
  const { account_id } = await operator(
    "account",
    "create",
    "--name",
    "Shop",
    "--balance",
    "5000",
    "--caller",
    "+4930901820123",
    "--sms-sender",
    "Shop"
  )
  const account = String(account_id)
  await operator("account", "callers", account, "+493023125000-+493023126999")
  await operator("webhook", "add", "--account", account, "--url", webhookUrl, "--events", "delivery.updated")
  const { key } = await operator("key", "create", "--account", account)
  return { account, key: String(key) }
}
