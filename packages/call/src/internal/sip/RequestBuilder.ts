/**
 * The INVITE and OPTIONS requests of one trunk, with the addresses and the spelling of numbers that the trunk expects.
 *
 * Source: RFC 3261 §8.1.1, §11, §19.3; RFC 3323, RFC 3325.
 */
import { USER_AGENT } from "@watchword/send/gateway"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { randomUUID } from "node:crypto"
import type { Endpoint } from "./Endpoint.ts"
import * as HeaderValue from "./HeaderValue.ts"
import { type Invite, branchOf } from "./Invite.ts"
import { METHODS, requestText } from "./Message.ts"
import { offer } from "./Offer.ts"
import type { Address, Plus, TrunkOptions } from "./Options.ts"

export class RequestBuilder {
  /** Our host and port in Via. */
  readonly sentBy: string
  private readonly trunk: string
  private readonly options: TrunkOptions
  /** Our host in SDP. */
  private readonly mediaHost: string
  /** The value of Route, "" without an outbound proxy. */
  private readonly route: string
  private readonly trunkHost: string
  private readonly domain: string
  private readonly accountUri: string
  private readonly contact: string

  /**
   * @param trunk the trunk's name
   * @param local our address, for Via
   * @param seen our address as the trunk sees it, for Contact and SDP: not the same behind NAT
   */
  constructor(trunk: string, options: TrunkOptions, local: Address, seen: Address) {
    const { domain, host, port, protocol, proxy, scheme, user } = options
    // Percent-encoded, so that no user name can end the address that contains it.
    const name = user === "" ? "watchword" : encodeURIComponent(user)
    const transport = protocol === "udp" ? "" : `;transport=${protocol}`
    this.trunk = trunk
    this.options = options
    this.sentBy = HeaderValue.hostPort(local.host, local.port)
    this.mediaHost = seen.host
    this.route = proxy === null ? "" : `<${scheme}:${HeaderValue.hostPort(proxy.host, proxy.port)};lr>`
    this.trunkHost = HeaderValue.hostPort(host, port)
    this.domain = HeaderValue.hostPort(domain ?? host, null)
    this.accountUri = `${scheme}:${name}@${this.domain}`
    this.contact = `${scheme}:${name}@${HeaderValue.hostPort(seen.host, seen.port)}${transport}`
  }

  /** The first INVITE of a call to an endpoint of the trunk. */
  invite(endpoint: Endpoint, caller: E164, callee: E164): Invite {
    const { route, sentBy, trunk } = this
    const uri = this.numberUri(callee, this.trunkHost, this.options.calleePlus ?? this.options.plus)
    const from = this.options.from === "caller" ? this.numberUri(caller, this.domain) : this.accountUri
    const callId = randomUUID()
    return {
      route: { trunk, endpoint, sentBy, proxy: route },
      uri,
      from: `<${from}>;tag=${newTag()}`,
      to: `<${uri}>`,
      branch: branchOf(callId, 1),
      callId,
      cseq: 1
    }
  }

  /** @param credentials header lines with their line breaks, or "" */
  inviteText(invite: Invite, caller: E164, credentials: string): string {
    const fields =
      `Contact: <${this.contact}>\r\n${this.identity(caller)}Allow: ${METHODS}\r\n${USER_AGENT_LINE}` +
      `Content-Type: application/sdp\r\n${credentials}`
    return requestText("INVITE", invite, fields, offer(this.mediaHost, this.options.media))
  }

  /**
   * A request outside of any call, which a trunk that is up answers.
   *
   * @param credentials gives the header lines of credentials for a URI
   */
  optionsText(endpoint: Endpoint, branch: string, cseq: number, credentials: (uri: string) => string): string {
    const { route, sentBy, trunk } = this
    const uri = `${this.options.scheme}:${this.trunkHost}`
    const options = {
      route: { trunk, endpoint, sentBy, proxy: route },
      uri,
      from: `<${this.accountUri}>;tag=${newTag()}`,
      to: `<${uri}>`,
      branch,
      callId: randomUUID(),
      cseq
    }
    const fields = `Contact: <${this.contact}>\r\nAccept: application/sdp\r\n${USER_AGENT_LINE}${credentials(uri)}`
    return requestText("OPTIONS", options, fields)
  }

  /** The header fields that name the caller to the trunk. */
  private identity(caller: E164): string {
    const { identity, privacy } = this.options
    const uri = this.numberUri(caller, this.domain)
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

  private numberUri(number: E164, host: string, plus = this.options.plus): string {
    const { phone, scheme } = this.options
    return `${scheme}:${this.spelling(number, plus)}@${host}${phone ? ";user=phone" : ""}`
  }

  private spelling(number: E164, plus: Plus): string {
    const { national } = this.options
    if (plus === false) return number.slice(1)
    if (plus === true || national === null || !number.startsWith(national.code, 1)) return number
    return national.prefix + number.slice(1 + national.code.length)
  }
}

const USER_AGENT_LINE = `User-Agent: ${USER_AGENT}\r\n`

/** The last 48 bits of a UUID are random; RFC 3261 §19.3 asks for 32. */
const newTag = (): string => randomUUID().slice(-12)
