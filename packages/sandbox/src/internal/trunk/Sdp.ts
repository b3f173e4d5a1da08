/**
 * The session description of a phone without media.
 *
 * Source: RFC 3261 §13.2.1 and §14.1; RFC 3264 §6; RFC 4566 §5.
 */

/**
 * Answers an offer: the first format of its first audio, inactive, and no other media. Without an offer it offers that
 * itself.
 */
export const answer = (offer: string, address: string): string => {
  const media = [...offer.matchAll(/^m=(\S+) (\d+)\S* (\S+) (\S+).*$/gm)]
  const first = media.findIndex(([, kind, port]) => kind === "audio" && port !== "0")
  const lines = media.flatMap(([, kind, , profile, format], index) =>
    index === first ? active(profile, format, offer) : [`m=${kind} 0 ${profile} ${format}`]
  )
  const family = address.includes(":") ? "IP6" : "IP4"
  return [
    "v=0",
    `o=- 1 1 IN ${family} ${address}`,
    "s=-",
    `c=IN ${family} ${address}`,
    "t=0 0",
    ...(media.length === 0 ? active() : lines),
    ""
  ].join("\r\n")
}

/** The port of the discard protocol: nothing is sent to an inactive stream. */
const DISCARD = 9

const active = (profile = "RTP/AVP", format = "0", offer = ""): ReadonlyArray<string> => {
  const [map = ""] = new RegExp(`^a=rtpmap:${format} .*$`, "m").exec(offer) ?? []
  return [`m=audio ${DISCARD} ${profile} ${format}`, ...(map === "" ? [] : [map.trim()]), "a=inactive"]
}
