/**
 * Programs of other projects that the tests talk to and are watched by.
 */
import { execFile, spawn } from "node:child_process"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { mkdir, writeFile } from "node:fs/promises"
import { type IncomingMessage, createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { freePort } from "../../../test/freePort.ts"
import { until } from "../../../test/until.ts"
import { promisify } from "node:util"

/** A message centre over Debian's libnet-smpp-perl. */
export interface Smsc {
  readonly port: number
  /** Its output, one object a line. */
  readonly printed: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly until: (condition: () => boolean) => Promise<void>
  readonly stop: () => Promise<void>
}

export const startSmsc = (): Promise<Smsc> => startPerl("smsc.pl")

/** A text of a phone: its octets, and how a message centre divides and marks them. */
export interface PhoneText {
  readonly from: string
  readonly ton: number
  readonly to: string
  /** In hexadecimal. */
  readonly octets: string
  readonly coding: number
  readonly parts: number
  readonly by: "udh8" | "udh16" | "sar"
  readonly payload: boolean
  readonly backwards: boolean
}

/** A message centre over the same, whose phones write texts to the first client that binds. */
export const startPhones = async (texts: ReadonlyArray<PhoneText>, file: string): Promise<Smsc> => {
  await writeFile(file, JSON.stringify(texts))
  return startPerl("phones.pl", file)
}

const startPerl = async (script: string, ...args: ReadonlyArray<string>): Promise<Smsc> => {
  const path = new URL(script, import.meta.url).pathname
  const child = spawn("perl", [path, ...args], { stdio: ["ignore", "pipe", "inherit"] })
  const printed: Array<Readonly<Record<string, unknown>>> = []
  const lines = createInterface(child.stdout)
  lines.on("line", (line) => printed.push(JSON.parse(line)))
  const until = async (condition: () => boolean) => {
    while (!condition()) await once(lines, "line")
  }
  await until(() => printed.length > 0)
  const stop = async () => {
    if (child.exitCode !== null) return
    child.kill()
    await once(child, "exit")
  }
  return { port: Number(printed[0]?.["port"]), printed, until, stop }
}

/** A capture of what goes over the loopback interface to and from a port. */
export interface Capture extends AsyncDisposable {
  /** Ends the capture when it has everything until now. */
  readonly stop: () => Promise<void>
  /** The fields of the packets that a display filter lets through, a row a packet, values of one field in a list. */
  readonly read: (filter: string, ...fields: ReadonlyArray<string>) => Promise<ReadonlyArray<ReadonlyArray<string>>>
}

export const startCapture = async (port: number, file: string): Promise<Capture> => {
  const child = spawn(
    "tshark",
    ["-q", "-l", "-P", "-i", "lo", "-f", `port ${port}`, "-w", file, "-T", "fields", "-e", "udp.length"],
    { stdio: ["ignore", "pipe", "ignore"] }
  )
  const seen = new Set<string>()
  createInterface(child.stdout).on("line", (line) => seen.add(line))
  // It says that it captures before it does, and hands packets on with a delay: the program's echo of a text marks the
  // beginning and the end.
  const mark = async (text: string): Promise<void> => {
    const socket = createSocket("udp4")
    await until(() => {
      if (seen.has(String(UDP_HEADER + text.length))) return true
      if (child.exitCode !== null)
        throw new Error("tshark ended before its time; it may lack the permission to capture")
      socket.send(text, port, "127.0.0.1")
      return false
    })
    socket.close()
  }
  const end = async (): Promise<void> => {
    if (child.exitCode !== null) return
    child.kill("SIGINT")
    await once(child, "exit")
  }
  await mark("begin")
  return {
    stop: async () => {
      await mark("the end")
      await end()
    },
    [Symbol.asyncDispose]: end,
    read: async (filter, ...fields) => {
      const reading = ["-r", file, "-d", `tcp.port==${port},smpp`, "-o", "smpp.decode_sms_over_smpp:GSM 7-bit"]
      const showing = ["-Y", filter, "-T", "fields", ...fields.flatMap((field) => ["-e", field])]
      const { stdout } = await promisify(execFile)("tshark", [...reading, ...showing])
      return stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.split("\t"))
    }
  }
}

const UDP_HEADER = 8

/** A text as Kannel read it. */
export interface Read {
  readonly from: string
  readonly text: string
}

/** Kannel as a client of a message centre. */
export interface Kannel extends AsyncDisposable {
  readonly texts: ReadonlyArray<Read>
}

/** @param smscPort where the message centre listens */
export const startKannel = async (smscPort: number, home: string): Promise<Kannel> => {
  await mkdir(home)
  const texts: Array<Read> = []
  const backend = createServer((request, response) => {
    texts.push(readOf(request))
    response.end()
  }).listen(0, "127.0.0.1")
  await once(backend, "listening")
  const ports = { admin: await freePort(), box: await freePort(), backend: portOf(backend.address()), smsc: smscPort }
  const file = join(home, "kannel.conf")
  await writeFile(file, kannelConfiguration(ports))
  const run = (program: string) => spawn(program, [file], { cwd: home, stdio: "ignore" })
  const children = [run("bearerbox")]
  await until(() =>
    fetch(`http://127.0.0.1:${ports.admin}/status.txt`).then(
      ({ ok }) => ok,
      () => false
    )
  )
  children.push(run("smsbox"))
  return {
    texts,
    [Symbol.asyncDispose]: async () => {
      for (const child of children.toReversed()) {
        child.kill("SIGKILL")
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
      }
      backend.close()
    }
  }
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" && address !== null ? address.port : 0

/** Kannel hands the octets on, in the charset that it names, each octet percent-encoded. */
const readOf = ({ url = "" }: IncomingMessage): Read => {
  const given = new Map(
    url
      .slice(url.indexOf("?") + 1)
      .split("&")
      .map((each) => {
        const [name = "", value = ""] = each.split("=")
        return [name, octetsOf(value)] as const
      })
  )
  const text = (name: string) => given.get(name)?.toString("latin1") ?? ""
  const octets = given.get("text") ?? Buffer.alloc(0)
  return { from: text("from"), text: new TextDecoder(text("charset")).decode(octets) }
}

const octetsOf = (escaped: string): Buffer =>
  Buffer.from(
    escaped
      .replaceAll("+", " ")
      .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1"
  )

const kannelConfiguration = (ports: Readonly<Record<"admin" | "box" | "backend" | "smsc", number>>): string => `
group = core
admin-port = ${ports.admin}
admin-password = secret
status-password = secret
smsbox-port = ${ports.box}
box-allow-ip = 127.0.0.1
dlr-storage = internal

group = smsc
smsc = smpp
host = 127.0.0.1
port = ${ports.smsc}
transceiver-mode = true
smsc-username = kannel
smsc-password = secret
system-type = ""

group = smsbox
bearerbox-host = 127.0.0.1

group = sms-service
keyword = default
catch-all = true
concatenation = true
omit-empty = true
max-messages = 0
get-url = "http://127.0.0.1:${ports.backend}/?from=%p&charset=%C&text=%b"
`
