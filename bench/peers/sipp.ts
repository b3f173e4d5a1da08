/**
 * sipp as the caller of the same calls: INVITE with an offer, 180, CANCEL, 200 and 487, ACK.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SERVER_CORE, canPin } from "../support/processes.ts"

/** The version of sipp that is installed, or null. */
export const sippVersion = (): string | null => {
  const { error, stdout } = spawnSync("sipp", ["-v"], { encoding: "utf8" })
  if (error !== undefined) return null
  return /SIPp v?([\d.]+)/.exec(stdout)?.[1] ?? "of some version"
}

/** Faster than any trunk answers, so that the number of calls at once is what limits sipp. */
const RATE = 20_000
/** As large as the gateway's: the system's own drops datagrams at a hundred calls at once. */
const BUFFER = ["-buff_size", String(4 * 1024 * 1024)]

/**
 * Has sipp place calls on the core of the server, so many at once; answers what each took.
 *
 * @param folder where it may write
 */
export const callWithSipp = (
  folder: string,
  port: number,
  calls: number,
  atOnce: number
): { readonly perSecond: number; readonly cpu: number } => {
  const scenario = join(folder, "caller.xml")
  const times = join(folder, "times")
  writeFileSync(scenario, SCENARIO)
  const numbers = ["-m", String(calls), "-r", String(RATE), "-l", String(atOnce)]
  const args = ["sipp", "-sf", scenario, "-i", "127.0.0.1", ...numbers, ...BUFFER, "-nostdin", `127.0.0.1:${port}`]
  const pinned = canPin ? ["taskset", "-c", String(SERVER_CORE), ...args] : args
  const timed = `TIMEFORMAT='%R %U %S'; { time "$@" >/dev/null 2>&1; } 2>${times}`
  const { status } = spawnSync("bash", ["-c", timed, "-", ...pinned])
  if (status !== 0) throw new Error(`sipp ended with ${status}`)
  const [seconds = 0, user = 0, system = 0] = readFileSync(times, "utf8").trim().split(" ").map(Number)
  return { perSecond: calls / seconds, cpu: ((user + system) / calls) * 1e6 }
}

const SCENARIO = `<?xml version="1.0" encoding="ISO-8859-1"?>
<scenario name="caller">
<send retrans="500"><![CDATA[
INVITE sip:+4915123456789@[remote_ip]:[remote_port];user=phone SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch];rport
Max-Forwards: 70
From: <sip:+4930901820123@[remote_ip];user=phone>;tag=[call_number]
To: <sip:+4915123456789@[remote_ip]:[remote_port];user=phone>
Call-ID: [call_id]
CSeq: 1 INVITE
Contact: <sip:sipp@[local_ip]:[local_port]>
P-Asserted-Identity: <sip:+4930901820123@[remote_ip];user=phone>
Content-Type: application/sdp
Content-Length: [len]

v=0
o=- 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [local_ip]
t=0 0
m=audio 9 RTP/AVP 8 0 101
a=rtpmap:8 PCMA/8000
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
a=sendrecv
]]></send>
<recv response="180"/>
<send retrans="500"><![CDATA[
CANCEL sip:+4915123456789@[remote_ip]:[remote_port];user=phone SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch-1];rport
Max-Forwards: 70
From: <sip:+4930901820123@[remote_ip];user=phone>;tag=[call_number]
To: <sip:+4915123456789@[remote_ip]:[remote_port];user=phone>
Call-ID: [call_id]
CSeq: 1 CANCEL
Content-Length: 0

]]></send>
<recv response="200"/>
<recv response="487"/>
<send><![CDATA[
ACK sip:+4915123456789@[remote_ip]:[remote_port];user=phone SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch-1];rport
Max-Forwards: 70
From: <sip:+4930901820123@[remote_ip];user=phone>;tag=[call_number]
[last_To:]
Call-ID: [call_id]
CSeq: 1 ACK
Content-Length: 0

]]></send>
</scenario>
`
