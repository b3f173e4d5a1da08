/**
 * What requests through a trunk have in common: who we are, where we are, and how numbers are spelt. It is written
 * once and used until one of our addresses changes.
 *
 * Source: RFC 3261 §8.1.1, RFC 3323, RFC 3325.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as HeaderValue from "./HeaderValue.ts"
import type { Target } from "./Hop.ts"
import { offers } from "./Offer.ts"
import type { Address, TrunkOptions } from "./Options.ts"
import { type Way, inOnePiece, way } from "./Way.ts"

export const METHODS = "INVITE, ACK, CANCEL, BYE, OPTIONS"
export const USER_AGENT = "User-Agent: Watchword\r\n"
const CAPABILITIES = `Allow: ${METHODS}\r\n${USER_AGENT}Content-Type: application/sdp\r\n`

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
  private readonly name: string
  private readonly domain: string
  private readonly beforeNumber: string
  private readonly afterCallee: string
  private readonly afterCaller: string
  /** The way to the place that was tried last. */
  private latestWay: Way | null = null
  /** The caller that was spelt last: often there is one for all calls. */
  private latest: { readonly caller: E164; readonly from: string; readonly introduction: string } | null = null

  /**
   * @param trunk the trunk's name
   * @param local our address, as a Via has it
   * @param seen our address, as the trunk sees it
   */
  constructor(trunk: string, options: TrunkOptions, local: Address, seen: Address) {
    const { domain, host, media, phone, port, protocol, proxy, scheme, user } = options
    // Escaped, so that no user name can end the address it stands in.
    const name = user === "" ? "watchword" : encodeURIComponent(user)
    const transport = protocol === "udp" ? "" : `;transport=${protocol}`
    const more = phone ? ";user=phone" : ""
    const place = HeaderValue.hostPort(host, port)
    this.name = trunk
    this.options = options
    this.domain = HeaderValue.hostPort(domain ?? host, null)
    this.sentBy = HeaderValue.hostPort(local.host, local.port)
    this.route = proxy === null ? "" : `<${scheme}:${HeaderValue.hostPort(proxy.host, proxy.port)};lr>`
    this.beforeNumber = `${scheme}:`
    this.afterCallee = inOnePiece("@", place, more)
    this.afterCaller = inOnePiece("@", this.domain, more)
    this.trunk = `${scheme}:${place}`
    this.account = `${scheme}:${name}@${this.domain}`
    this.contact = `${scheme}:${name}@${HeaderValue.hostPort(seen.host, seen.port)}${transport}`
    this.offer = offers(seen.host, media)
  }

  /** The way to a place of the trunk. */
  way(target: Target): Way {
    if (this.latestWay?.target !== target) this.latestWay = way(this.name, target, this.sentBy, this.route)
    return this.latestWay
  }

  /** The URI of a phone that is to be called. */
  callee(number: E164): string {
    return this.uri(number, this.afterCallee)
  }

  /** The From of whoever calls, up to the tag. */
  from(caller: E164): string {
    return this.of(caller).from
  }

  /** What an INVITE says about us and the caller. */
  introduction(caller: E164): string {
    return this.of(caller).introduction
  }

  private of(caller: E164): { readonly from: string; readonly introduction: string } {
    if (this.latest?.caller !== caller) {
      const uri = this.options.from === "caller" ? this.uri(caller, this.afterCaller) : this.account
      const contact = `Contact: <${this.contact}>\r\n`
      this.latest = {
        caller,
        from: inOnePiece("<", uri, ">;tag="),
        introduction: inOnePiece(contact, this.identity(caller), CAPABILITIES)
      }
    }
    return this.latest
  }

  /** The fields that name the caller to the trunk. */
  private identity(caller: E164): string {
    const { identity, privacy } = this.options
    const uri = this.uri(caller, this.afterCaller)
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

  private uri(number: E164, after: string): string {
    return `${this.beforeNumber}${this.options.plus ? number : number.slice(1)}${after}`
  }
}
