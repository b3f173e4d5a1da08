/**
 * Facts about a send by which guards decide and count.
 */
import type { Mode } from "@watchword/schemas/Channel"
import type { AccountId, KeyId } from "@watchword/schemas/Ids"
import { networkOf, parse } from "@watchword/schemas/IpAddress"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Use } from "@watchword/send/SendGuard"
import { type Key, LIMIT_KEY } from "../Rules.ts"
import * as Countries from "./Countries.ts"

export interface Facts {
  readonly account: AccountId
  /** Sends of the sandbox are counted apart from live ones. */
  readonly mode: Mode
  /** Null for calls from inside the process. */
  readonly key: KeyId | null
  readonly to: E164
  readonly clientIp: string | null
  readonly clientRef: string | null
  /** The client's own values, by their names. */
  readonly limitKeys: Readonly<Record<string, string>>
  readonly trusted: boolean
  /** Whether the client has made the code itself: perhaps only the client knows whether it was entered. */
  readonly ownCode: boolean
  /** 1 for a send that a user asked for, 0 for a send that follows from it, such as the next step of a verification. */
  readonly requests: 0 | 1
  readonly price: MicroEuros
  readonly use: Use
}

/**
 * The value by which a send is counted; null if the send lacks it, so that limits by it do not apply.
 *
 * @param to the number by which it is counted
 */
export const valueOf = (facts: Facts, key: Key, to: string = facts.to): string | null => {
  switch (key) {
    case "to":
      return to
    case "client_ip":
      return clientOf(facts.clientIp)
    case "client_ref":
      return facts.clientRef
    case "to_prefix":
      return prefixOf(to)
    case "country":
      return Countries.placeOf(facts.to)
    case "account":
      return facts.account
    case "key":
      return facts.key
    default:
      return limitKeyOf(facts, key.slice(LIMIT_KEY.length))
  }
}

const limitKeyOf = ({ limitKeys }: Facts, name: string): string | null =>
  Object.hasOwn(limitKeys, name) ? (limitKeys[name] ?? null) : null

/** A number without its last four digits: numbers that are bought together share it. */
const prefixOf = (to: string): string => to.slice(0, -4)

const clientOf = (ip: string | null): string | null => {
  const address = ip === null ? null : parse(ip)
  return address === null ? null : networkOf(address)
}
