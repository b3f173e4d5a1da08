/**
 * Programs of other projects that the tests talk to and are watched by.
 */
import { execFile, spawn } from "node:child_process"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { createInterface } from "node:readline"
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

export const startSmsc = async (): Promise<Smsc> => {
  const child = spawn("perl", [new URL("smsc.pl", import.meta.url).pathname], { stdio: ["ignore", "pipe", "inherit"] })
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
