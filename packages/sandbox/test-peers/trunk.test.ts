/**
 * The trunk as the carrier of other projects' callers: sipp, with its own scenario and with ours, and baresip.
 */
import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { promisify } from "node:util"
import { type Trunk, type TrunkCall, trunk } from "@watchword/sandbox/trunk"
import { afterEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import * as scenarios from "./scenarios.ts"

const run = promisify(execFile)
const folder = folderForEach()

const CALLEE = "+4915123456789"
const CALLER = "+493023125123"
const TRANSPORTS = { udp: "u1", tcp: "t1", tls: "l1" } as const

let phones: Trunk
afterEach(() => phones.stop())

/** Runs sipp, which fails unless each of its calls goes as the scenario says. */
const sipp = (scenario: ReadonlyArray<string>, calls = 1) => {
  const from = ["-i", "127.0.0.1", "-t", TRANSPORTS[phones.protocol], "-m", String(calls)]
  const limit = ["-nostdin", "-timeout", "20", "-timeout_error"]
  const args = [...scenario, "-s", CALLEE, ...from, ...limit, `127.0.0.1:${phones.port}`]
  return run("sipp", args, { cwd: folder.path(), timeout: 30_000 })
}

const written = async (scenario: string): Promise<ReadonlyArray<string>> => {
  await writeFile(folder.file("scenario.xml"), scenario)
  return ["-sf", folder.file("scenario.xml")]
}

const answers = (call: TrunkCall): void => {
  call.respond(100)
  call.ring()
  call.accept()
}

const numbersOf = () => phones.calls.map(({ from, to }) => ({ from, to }))

describe.each(["udp", "tcp"] as const)("a trunk over %s", (protocol) => {
  it("is called by sipp's own caller, who is answered and hangs up", async () => {
    phones = await trunk({ protocol, script: { invite: answers } })
    await sipp(["-sn", "uac"], 5)
    expect(phones.calls.map(({ isOver, to }) => [to, isOver])).toEqual(Array.from({ length: 5 }, () => [CALLEE, true]))
  })

  it("is called under a number, and is busy", async () => {
    const invite = (call: TrunkCall): void => {
      call.respond(100)
      call.respond(call.to === CALLEE && call.from === CALLER ? 486 : 603)
    }
    phones = await trunk({ protocol, script: { invite } })
    await sipp(await written(scenarios.busy), 3)
    await phones.until(() => phones.calls.every(({ acks }) => acks.length > 0))
    expect(numbersOf()).toEqual(Array.from({ length: 3 }, () => ({ from: CALLER, to: CALLEE })))
  })

  it("rings until the caller gives up", async () => {
    const canceled: Array<string> = []
    phones = await trunk({ protocol, script: { canceled: (call) => canceled.push(call.to) } })
    await sipp(await written(scenarios.givesUp), 3)
    expect(canceled).toEqual([CALLEE, CALLEE, CALLEE])
    expect(phones.calls.map(({ finalStatus }) => finalStatus)).toEqual([487, 487, 487])
  })

  it("hangs up on a caller whom it answered", async () => {
    phones = await trunk({ protocol, script: { invite: answers } })
    const called = sipp(await written(scenarios.isHungUp))
    await phones.until(() => phones.calls[0] !== undefined && phones.calls[0].acks.length > 0)
    phones.calls[0]?.hangUp()
    await called
    await phones.until(() => phones.methods.at(-1) === 200)
    expect(phones.methods).toEqual(["INVITE", "ACK", 200])
  })
})

/** Has baresip call, and end after some seconds; resolves to its output. */
const baresip = async (seconds: number): Promise<string> => {
  const home = folder.file("baresip")
  await mkdir(home)
  const config = [
    "sip_listen 127.0.0.1:0",
    "module_path /usr/lib/baresip/modules",
    "module g711.so",
    "module_app account.so",
    "module_app menu.so",
    "audio_player nothing,nothing",
    "audio_source nothing,nothing",
    "audio_alert nothing,nothing",
    ""
  ]
  const domain = `127.0.0.1:${phones.port}`
  await writeFile(`${home}/config`, config.join("\n"))
  await writeFile(`${home}/accounts`, `<sip:${CALLER}@${domain}>;regint=0\n`)
  await writeFile(`${home}/contacts`, "")
  const args = ["-f", home, "-t", String(seconds), "-e", `/dial sip:${CALLEE}@${domain}`]
  const { stderr, stdout } = await run("baresip", args, { timeout: 40_000 })
  return stdout + stderr
}

describe("a trunk that baresip calls", () => {
  it("answers, and hangs up", async () => {
    phones = await trunk({ script: { invite: answers } })
    const called = baresip(3)
    await phones.until(() => phones.calls[0] !== undefined && phones.calls[0].acks.length > 0)
    phones.calls[0]?.hangUp()
    const printed = await called
    expect(printed).toMatch(/180 Ringing[^]*Call established[^]*session closed/)
    expect(numbersOf()).toEqual([{ from: CALLER, to: CALLEE }])
    expect(phones.methods).toEqual(["INVITE", "ACK", 200])
  })

  it("is busy", async () => {
    phones = await trunk({ script: { invite: (call) => call.respond(486) } })
    expect(await baresip(2)).toContain("session closed: 486 Busy Here")
    expect(phones.methods).toEqual(["INVITE", "ACK"])
  })

  it("rings until baresip gives up", async () => {
    const canceled: Array<string> = []
    phones = await trunk({ script: { canceled: (call) => canceled.push(call.to) } })
    expect(await baresip(2)).toContain("180 Ringing")
    expect(canceled).toEqual([CALLEE])
    expect(phones.methods).toEqual(["INVITE", "CANCEL", "ACK"])
  })
})
