/**
 * What requests through a trunk have in common: who we are, where we are, and how numbers are spelt. It is written
 * once and used until one of our addresses changes.
 *
 * Source: RFC 3261 §8.1.1, RFC 3323, RFC 3325.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as HeaderValue from "./HeaderValue.ts"
import { offers } from "./Offer.ts"
import type { Address, TrunkOptions } from "./Options.ts"

export class Letterhead {
  /** Host and port of our side, as a Via has them. */
  readonly sentBy: string
  /** The Route of a proxy that everything goes through, or "". */
  readonly route: string
  /** The URI of the trunk itself. */
  readonly trunk: string
  /** The URI of our account there. */
  readonly account: string
  /** The URI that we are reached at. */
  readonly contact: string
  /** An offer of media, another one each time. */
  readonly offer: () => string
  private readonly options: TrunkOptions
  private readonly place: string
  private readonly domain: string

  /**
   * @param local our address, as a Via has it
   * @param seen our address, as the trunk sees it
   */
  constructor(options: TrunkOptions, local: Address, seen: Address) {
    const { domain, host, media, port, protocol, proxy, scheme, user } = options
    // Escaped, so that no user name can end the address it stands in.
    const name = user === "" ? "watchword" : encodeURIComponent(user)
    const transport = protocol === "udp" ? "" : `;transport=${protocol}`
    this.options = options
    this.place = HeaderValue.hostPort(host, port)
    this.domain = HeaderValue.hostPort(domain ?? host, null)
    this.sentBy = HeaderValue.hostPort(local.host, local.port)
    this.route = proxy === null ? "" : `<${scheme}:${HeaderValue.hostPort(proxy.host, proxy.port)};lr>`
    this.trunk = `${scheme}:${this.place}`
    this.account = `${scheme}:${name}@${this.domain}`
    this.contact = `${scheme}:${name}@${HeaderValue.hostPort(seen.host, seen.port)}${transport}`
    this.offer = offers(seen.host, media)
  }

  /** The URI of a phone that is to be called. */
  callee(number: E164): string {
    return this.uri(number, this.place)
  }

  /** The URI of whoever calls, for From. */
  caller(number: E164): string {
    return this.options.from === "caller" ? this.uri(number, this.domain) : this.account
  }

  /** The fields that name the caller to the trunk. */
  identity(caller: E164): string {
    const { identity, privacy } = this.options
    const uri = this.uri(caller, this.domain)
    const wish = privacy === null ? "" : `Privacy: ${privacy}\r\n`
    switch (identity) {
      case "asserted":
        return `P-Asserted-Identity: <${uri}>\r\n${wish}`
      case "preferred":
        return `P-Preferred-Identity: <${uri}>\r\n${wish}`
      case "remote-party": {
        const hidden = privacy === "id" ? "full" : "off"
        return `Remote-Party-ID: <${uri}>;party=calling;screen=yes;privacy=${hidden}\r\n${wish}`
      }
      case "none":
        return wish
    }
  }

  private uri(number: E164, host: string): string {
    const { phone, plus, scheme } = this.options
    return `${scheme}:${plus ? number : number.slice(1)}@${host}${phone ? ";user=phone" : ""}`
  }
}
