/**
 * A development server as the carrier of other projects' clients: Perl's Net::SMPP, Kannel and sipp.
 */
import { execFile, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { connect } from "node:net"
import { promisify } from "node:util"
import { writeFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { freePort } from "../../../test/freePort.ts"
import { until } from "../../../test/until.ts"
import { start } from "../test/DevServer.ts"

const run = promisify(execFile)
const folder = folderForEach()

const PERL = `
use Net::SMPP;
my ($port) = @ARGV;
my $smpp = Net::SMPP->new_transceiver("127.0.0.1", port => $port, system_id => "perl", password => "x") or die "no bind";
my $answer = $smpp->submit_sm(destination_addr => "4915123456789", source_addr => "Perl", short_message => "Your code is 123456", registered_delivery => 1) or die "no answer";
die "status $answer->{status}" if $answer->{status};
print "id $answer->{message_id}\\n";
my $receipt = $smpp->read_pdu() or die "no receipt";
$smpp->deliver_sm_resp(message_id => "", seq => $receipt->{seq});
print "receipt $receipt->{short_message}\\n";
$smpp->unbind();
`

/** One SMPP bind, and the HTTP interface that a backend sends by. */
const kannel = (ports: Readonly<Record<"admin" | "box" | "http" | "smpp", number>>) => `
group = core
admin-port = ${ports.admin}
admin-password = secret
smsbox-port = ${ports.box}
box-allow-ip = 127.0.0.1
dlr-storage = internal

group = smsc
smsc = smpp
host = 127.0.0.1
port = ${ports.smpp}
transceiver-mode = true
smsc-username = kannel
smsc-password = secret
system-type = ""
source-addr-ton = 5
source-addr-npi = 0
dest-addr-ton = 1
dest-addr-npi = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${ports.http}

group = sendsms-user
username = app
password = secret
`

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false))
    socket.on("connect", () => socket.destroy())
  })

const SIPP = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="decline">
  <send retrans="500"><![CDATA[
INVITE sip:4915123456789@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:493023125123@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:4915123456789@[remote_ip]:[remote_port]>
Call-ID: [call_id]
CSeq: 1 INVITE
Contact: <sip:sipp@[local_ip]:[local_port]>
Max-Forwards: 70
Content-Length: 0

]]></send>
  <recv response="100" optional="true"/>
  <recv response="180"/>
  <recv response="603"/>
  <send><![CDATA[
ACK sip:4915123456789@[remote_ip]:[remote_port] SIP/2.0
[last_Via:]
[last_From:]
[last_To:]
Call-ID: [call_id]
CSeq: 1 ACK
Max-Forwards: 70
Content-Length: 0

]]></send>
</scenario>
`

describe("a development server", () => {
  it("takes a text of Net::SMPP, and sends it a receipt", async () => {
    const server = await start({ folder: folder.path(), flags: ["--smpp", ":0"] })
    const [, port = ""] = await until(
      () => /takes SMPP at 127\.0\.0\.1:(\d+)/.exec(server.err()) ?? [],
      ([whole]) => Boolean(whole)
    )
    const { stdout } = await run("perl", ["-e", PERL, port], { timeout: 20_000 })
    const [, id] = /^id (\S+)/.exec(stdout) ?? []
    expect(stdout).toContain(`receipt id:${id} `)
    expect(stdout).toContain("stat:DELIVRD")
    expect((await server.ask("/sandbox/inbox")).body).toMatchObject({
      messages: [{ from: "Perl", text: "Your code is 123456" }]
    })
    await server.stop()
  })

  it("takes a text of Kannel, which reports its receipt to a backend", async () => {
    const server = await start({ folder: folder.path(), flags: ["--smpp", ":0"] })
    const [, smpp = ""] = await until(
      () => /takes SMPP at 127\.0\.0\.1:(\d+)/.exec(server.err()) ?? [],
      ([whole]) => Boolean(whole)
    )
    const receipts: Array<string> = []
    const backend = createServer(({ url = "" }, response) => {
      receipts.push(url)
      response.end()
    }).listen(0, "127.0.0.1")
    await once(backend, "listening")
    const address = backend.address()
    const ports = { admin: await freePort(), box: await freePort(), http: await freePort(), smpp: Number(smpp) }
    await writeFile(folder.file("kannel.conf"), kannel(ports))
    const box = (program: string) => spawn(program, [folder.file("kannel.conf")], { stdio: "ignore" })
    const boxes = [box("bearerbox")]
    try {
      await until(() => listens(ports.box))
      boxes.push(box("smsbox"))
      await until(() => listens(ports.http))
      const query = new URLSearchParams({
        username: "app",
        password: "secret",
        from: "Kannel",
        to: "+4915123456789",
        text: "Your code is 654321",
        "dlr-mask": "3",
        "dlr-url": `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/%d`
      })
      expect((await fetch(`http://127.0.0.1:${ports.http}/cgi-bin/sendsms?${query}`)).status).toBe(202)
      await until(() => receipts.includes("/1"))
      expect((await server.ask("/sandbox/inbox")).body).toMatchObject({
        messages: [{ from: "Kannel", to: "+4915123456789", code: "654321" }]
      })
    } finally {
      for (const each of boxes.toReversed()) {
        each.kill("SIGTERM")
        await once(each, "exit")
      }
      backend.close()
      await server.stop()
    }
  })

  it("rings for sipp, and declines as its person does", async () => {
    await writeFile(folder.file("decline.xml"), SIPP)
    expect(await called("decline.xml", "decline")).toMatchObject({ hangup_cause: "CALL_REJECTED" })
  })

  it("answers sipp's own caller, who has a number in place of a name, as its person does", async () => {
    // It prints a scenario with an exit code that is not 0.
    const { stdout: scenario } = spawnSync("sipp", ["-sd", "uac"], { encoding: "utf8" })
    expect(scenario).toContain("From: sipp <sip:sipp@")
    await writeFile(folder.file("uac.xml"), scenario.replaceAll("sip:sipp@", "sip:493023125123@"))
    expect(await called("uac.xml", "answer")).toMatchObject({
      caller: "+493023125123",
      hangup_cause: "NORMAL_CLEARING"
    })
  })
})

/** Has sipp call a phone, and its person do something as soon as it rings; resolves to the call's record. */
const called = async (scenario: string, event: string): Promise<unknown> => {
  const server = await start({ folder: folder.path(), flags: ["--sip", ":0"] })
  const [, port = ""] = await until(
    () => /takes SIP at 127\.0\.0\.1:(\d+)/.exec(server.err()) ?? [],
    ([whole]) => Boolean(whole)
  )
  await server.ask(`/sandbox/phones/${encodeURIComponent("+4915123456789")}`, { mode: "manual" }, "PUT")
  const place = ["-s", "4915123456789", "-i", "127.0.0.1", `127.0.0.1:${port}`]
  const limits = ["-m", "1", "-nostdin", "-timeout", "20", "-timeout_error"]
  const sipp = run("sipp", ["-sf", folder.file(scenario), ...limits, ...place], { cwd: folder.path(), timeout: 30_000 })
  const newest = async () => {
    const { list } = (await server.ask("/call/flash/cdr", { filter: { callee: "+4915123456789" } })).body
    return Array.isArray(list) ? list[0] : undefined
  }
  const { uuid } = await until(newest)
  await until(async () => (await server.ask(`/sandbox/calls/${uuid}/events`, { event })).status === 200)
  await sipp
  const record = await newest()
  await server.stop()
  return record
}
