/**
 * What sipp does as a trunk: scenarios in its own language.
 *
 * Source: https://sipp.readthedocs.io/en/v3.6.1/scenarios/
 */

/** A response to the INVITE. Whatever came last, Via, From and Call-ID are the INVITE's. */
const respond = (status: string, { tag = "sipp", headers = "", lost = 0, again = false } = {}): string => {
  const attributes = `${lost === 0 ? "" : ` lost="${lost}"`}${again ? ' retrans="50"' : ""}`
  const to = status.startsWith("100") ? "[last_To:]" : `[last_To:];tag=${tag}`
  return `<send${attributes}><![CDATA[
SIP/2.0 ${status}
[last_Via:]
[last_From:]
${to}
[last_Call-ID:]
CSeq: 1 INVITE
Contact: <sip:sipp@[local_ip]:[local_port]>
${headers === "" ? "" : `${headers}\n`}Content-Length: 0

]]></send>`
}

/** A response to what came last. */
const ok = (lost = 0): string => `<send${lost === 0 ? "" : ` lost="${lost}"`}><![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

]]></send>`

const receive = (request: string, lost = 0): string =>
  `<recv request="${request}"${lost === 0 ? "" : ` lost="${lost}"`}/>`

const scenario = (...steps: ReadonlyArray<string>): string =>
  `<?xml version="1.0" encoding="ISO-8859-1"?>\n<scenario name="trunk">\n${steps.join("\n")}\n</scenario>\n`

const invited = [receive("INVITE"), respond("100 Trying")]
const hungUpOn = [receive("ACK"), receive("BYE"), ok()]
const cancelled = [receive("CANCEL"), ok(), respond("487 Request Terminated", { again: true }), receive("ACK")]

export const rings = scenario(...invited, respond("180 Ringing"), ...cancelled)

export const rejects = (status: string, headers = ""): string =>
  scenario(...invited, respond(status, { headers, again: true }), receive("ACK"))

export const answersAfterASecond = scenario(
  ...invited,
  respond("180 Ringing"),
  '<pause milliseconds="1000"/>',
  respond("200 OK", { again: true }),
  ...hungUpOn
)

export const answersWhileCancelled = scenario(
  ...invited,
  respond("180 Ringing"),
  receive("CANCEL"),
  ok(),
  respond("200 OK", { again: true }),
  ...hungUpOn
)

/** The headers of the INVITE, for use after later messages. */
const remembered = `<recv request="INVITE"><action>
<ereg regexp=".*" search_in="hdr" header="Via:" assign_to="via"/>
<ereg regexp=".*" search_in="hdr" header="To:" assign_to="to"/>
</action></recv>`

export const forks = scenario(
  remembered,
  respond("180 Ringing", { tag: "one" }),
  respond("180 Ringing", { tag: "two" }),
  respond("200 OK", { tag: "one" }),
  ...hungUpOn,
  respond("200 OK", { tag: "two" }).replace("[last_Via:]", "Via:[$via]").replace("[last_To:]", "To:[$to]"),
  ...hungUpOn
)

export const triesAndSaysNoMore = scenario(...invited, ...cancelled)

export const saysNothing = scenario(receive("INVITE"), '<pause milliseconds="1500"/>')

/** Every fifth packet is lost, both ways. */
export const ringsWithLoss = scenario(
  receive("INVITE", 20),
  respond("180 Ringing", { lost: 20 }),
  receive("CANCEL", 20),
  ok(20),
  respond("487 Request Terminated", { lost: 20, again: true }),
  receive("ACK", 20)
)

const request = (
  method: string,
  from: string,
  headers: ReadonlyArray<string>,
  to = "",
  branch = "[branch]"
) => `<![CDATA[
      ${method} sip:[service]@[remote_ip]:[remote_port] SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=${branch};rport
      From: <sip:${from}@[local_ip]:[local_port]>;tag=[pid]c[call_number]
      To: <sip:[service]@[remote_ip]:[remote_port]>${to}
      Call-ID: [call_id]
      CSeq: 1 ${method}
      Contact: <sip:${from}@[local_ip]:[local_port];transport=[transport]>
      Max-Forwards: 70
${headers.map((line) => `      ${line}\n`).join("")}      Content-Length: 0

    ]]>`

/** A caller who waits to be refused as busy, and hears nothing else. */
export const calls = (from: string, headers: ReadonlyArray<string> = []): string => `<?xml version="1.0"?>
<scenario name="calls">
  <send retrans="500">${request("INVITE", from, headers)}</send>
  <recv response="100" optional="true"/>
  <recv response="486"/>
  <!-- The branch of the message three steps before. -->
  <send>${request("ACK", from, [], "[peer_tag_param]", "[branch-3]")}</send>
  <timewait milliseconds="300"/>
</scenario>`
