/**
 * The channels of a service by name, and the numbers that represent their products in databases.
 *
 * A channel's description brings its entry along, so `createWatchword` makes the registry from its list of channels;
 * programs that compose layers name one. Stores, API keys, the audit and erasure read it from the context: `codeOf` and
 * `productOf` are the only place where a store gets a product's number from, and no SQL names one.
 *
 * @example
 * ```ts
 * import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
 *
 * const registry = ChannelRegistry.make([
 *   ...ChannelRegistry.builtIn,
 *   { name: "voice", products: [{ name: "voice", number: 64, listedBy: "createdAt" }] }
 * ])
 * registry.scopes // ["call:send", …, "voice:report"]
 * registry.codeOf("voice") // 128
 * ```
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { Cdr } from "./Call.ts"
import type { Action, Channel, Product, Scope } from "./Channel.ts"
import { type Erased, personalDetails } from "./Field.ts"
import { StartVerification } from "./Verification.ts"

export interface ProductEntry {
  readonly name: Product
  /**
   * 0 to 63 for the channels that come with Watchword, 64 to 127 for all others. It is in databases: it never changes,
   * and no other product ever gets it.
   */
  readonly number: number
  /** The time by which lists are ordered, and bounded, unless asked otherwise. It never changes either. */
  readonly listedBy: "createdAt" | "statusAt"
  /** Whether it costs nothing, so that no price table has a price for it; false unless given. */
  readonly free?: boolean
  /** Whether verifications can use it; false unless given. */
  readonly carriesCodes?: boolean
  /** Whether its records have steps of their own, at times that the store finds; false unless given. */
  readonly isStepped?: boolean
  /** The personal data in its records, in addition to that of every send; none unless given. */
  readonly personal?: PersonalData
}

/**
 * The data that erasure and retention remove from a product's records, in addition to that of every send: its number,
 * its text, the content of a sandbox send, and the words of a gateway that refused it.
 */
export interface PersonalData {
  /** Whether the sender is a code, as the caller of a flash call is. */
  readonly from?: boolean
  /**
   * Details that may have a number, a text, a code or another fact of a person, each with the value that replaces it.
   */
  readonly details: Erased
  /** The detail that has a value as long as a message that was accepted is under way. */
  readonly underWay?: string
}

export interface ChannelEntry {
  readonly name: Channel
  /** What accounts buy on the channel. The product of its messages has the channel's name. */
  readonly products: ReadonlyArray<ProductEntry>
  /** What keys may be allowed on it; to send, read and report unless given. */
  readonly actions?: ReadonlyArray<Action>
}

const usualActions: ReadonlyArray<Action> = ["send", "read", "report"]

/** How many codes there are; a code is less than this. */
export const CODES = 256

export interface Service {
  readonly channels: ReadonlyArray<ChannelEntry>
  readonly products: ReadonlyArray<ProductEntry>
  /** Every scope that a key can have, in a stable order. */
  readonly scopes: ReadonlyArray<Scope>
  /**
   * A product's code in databases: twice its number, plus one if it is listed by the time of the status. So a database
   * knows from the code which of the two times counts, even for an unknown product.
   */
  readonly codeOf: (product: Product) => number
  readonly productOf: (code: number) => Product
  readonly listedBy: (product: Product) => ProductEntry["listedBy"]
  /** The channels that verifications can use. */
  readonly codeChannels: ReadonlyArray<Channel>
}

/** Throws where two products have one name or one number, or a number is out of bounds. */
export const make = (entries: ReadonlyArray<ChannelEntry>): Service => {
  const channels = entries.map(plain)
  const products = channels.flatMap((channel) => channel.products)
  const byName = new Map<Product, ProductEntry>()
  const names = new Map<number, Product>()
  for (const product of products) {
    const { name, number } = product
    if (!Number.isInteger(number) || number < 0 || number * 2 >= CODES) {
      throw new RangeError(`the product ${name} must have a number from 0 to ${CODES / 2 - 1}, but has ${number}`)
    }
    const other = byName.get(name)?.name ?? names.get(number)
    if (other !== undefined) throw new TypeError(`the products ${other} and ${name} have the same name or number`)
    byName.set(name, product)
    names.set(number, name)
  }

  const entryOf = (product: Product): ProductEntry => {
    const entry = byName.get(product)
    if (entry === undefined) throw new TypeError(`no channel of this service has a product ${product}`)
    return entry
  }

  return {
    channels,
    products,
    scopes: channels.flatMap(({ actions = usualActions, name }) => actions.map((action): Scope => `${name}:${action}`)),
    codeOf: (product) => {
      const { listedBy, number } = entryOf(product)
      return number * 2 + (listedBy === "statusAt" ? 1 : 0)
    },
    productOf: (code) => {
      const name = names.get(code >> 1)
      if (name === undefined) throw new RangeError(`no channel of this service has a product of number ${code >> 1}`)
      return name
    },
    listedBy: (product) => entryOf(product).listedBy,
    codeChannels: channels
      .filter((channel) => channel.products.some(({ carriesCodes }) => carriesCodes))
      .map(({ name }) => name)
  }
}

/** An entry as plain data, without the functions of a description: it can be sent to another thread. */
const plain = ({ actions, name, products }: ChannelEntry): ChannelEntry => ({
  name,
  products: products.map(
    ({ carriesCodes = false, free = false, isStepped = false, listedBy, name, number, personal }) => ({
      carriesCodes,
      free,
      isStepped,
      listedBy,
      name,
      number,
      ...(personal === undefined ? {} : { personal })
    })
  ),
  ...(actions === undefined ? {} : { actions })
})

export const call = {
  name: "call",
  products: [
    {
      name: "call",
      number: 0,
      listedBy: "createdAt",
      carriesCodes: true,
      personal: { from: true, details: { ...personalDetails(Cdr), dialog: null }, underWay: "dialog" }
    }
  ]
} as const satisfies ChannelEntry

export const sms = {
  name: "sms",
  products: [{ name: "sms", number: 1, listedBy: "statusAt", carriesCodes: true }]
} as const satisfies ChannelEntry

export const chatgw = {
  name: "chatgw",
  products: [
    {
      name: "chatgw",
      number: 2,
      listedBy: "createdAt",
      carriesCodes: true,
      personal: { details: { sandbox: null } }
    },
    { name: "chatgw_probe", number: 4, listedBy: "createdAt" }
  ]
} as const satisfies ChannelEntry

export const bizchat = {
  name: "bizchat",
  products: [{ name: "bizchat", number: 3, listedBy: "createdAt", carriesCodes: true }]
} as const satisfies ChannelEntry

export const verify = {
  name: "verify",
  products: [
    {
      name: "verify",
      number: 5,
      listedBy: "createdAt",
      free: true,
      isStepped: true,
      personal: { details: personalDetails(StartVerification) }
    }
  ],
  actions: ["send", "check", "read", "report"]
} as const satisfies ChannelEntry

export const sandbox = {
  name: "sandbox",
  products: [],
  actions: ["read"]
} as const satisfies ChannelEntry

export const requests = {
  name: "requests",
  products: [],
  actions: ["read"]
} as const satisfies ChannelEntry

/** The entries of the channels that come with Watchword. */
export const builtIn: ReadonlyArray<ChannelEntry> = [call, sms, chatgw, bizchat, verify, sandbox, requests]

/** The registry of a service. It has no default: a composition without one does not compile. */
export class ChannelRegistry extends Context.Service<ChannelRegistry, Service>()(
  "@watchword/schemas/ChannelRegistry"
) {}

/** The registry of some channels. Throws as `make`. */
export const layer = (entries: ReadonlyArray<ChannelEntry>): Layer.Layer<ChannelRegistry> =>
  Layer.sync(ChannelRegistry, () => make(entries))

/** The registry of the channels that come with Watchword, for programs that have no others. */
export const layerBuiltIn: Layer.Layer<ChannelRegistry> = layer(builtIn)
