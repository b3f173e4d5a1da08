/**
 * The rules of accounts for which none are set, in a service for which none are set: a loop in a client sends no phone twenty
 * texts.
 *
 * They hold for live verifications. Sends that a client makes itself are its own, and the sandbox costs nothing.
 */
import type { Rules } from "./Rules.ts"

export const DefaultRules: Rules = {
  for: "verifications",
  action: "deny",
  numbers: {
    deny_types: ["premium_rate", "shared_cost"],
    // Satellite phones, international networks, personal numbers of no country: the dearest there are.
    deny_prefixes: ["+870", "+878", "+881", "+882", "+883"]
  },
  limits: [
    { name: "number", by: ["to"], rates: ["1/30s", "5/1h", "10/1d"] },
    { name: "ip", by: ["client_ip"], rates: ["20/1h"] }
  ]
}

/** Rules that guard nothing. */
export const none: Rules = {}

export const isNone = (rules: Rules): boolean => Object.keys(rules).length === 0
