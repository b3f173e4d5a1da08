/**
 * Programs of other projects that the tests talk to and are watched by.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { realTime, until } from "../../../test/until.ts"
import { promisify } from "node:util"

const run = promisify(execFile)

/** A UDP port that is free, and most likely stays so for a moment. */
export const freePort = async (): Promise<number> => {
  const socket = createSocket("udp4")
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  const { port } = socket.address()
  socket.close()
  await once(socket, "close")
  return port
}

/** Waits until a UDP port of 127.0.0.1 is bound, by /proc. */
const listening = async (port: number, program: Program): Promise<void> => {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")} `
  await until(
    () => {
      program.check()
      return readFile("/proc/net/udp", "utf8")
    },
    (sockets) => sockets.includes(address)
  )
}

export interface Program {
  /** Its output so far. */
  readonly printed: () => string
  readonly until: (pattern: RegExp) => Promise<void>
  /** Throws its output if it has ended or could not be started. */
  readonly check: () => void
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
}

export const start = (command: string, args: ReadonlyArray<string>): Program => {
  const child: ChildProcess = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] })
  let printed = ""
  child.stdout?.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr?.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", (error) => {
      printed += error.message
      resolve(null)
    })
    child.once("exit", resolve)
  })
  let isOver = false
  void ended.then(() => (isOver = true))
  const check = (): void => {
    if (isOver) throw new Error(`${command} ended before its time: ${printed.slice(-2000)}`)
  }
  return {
    printed: () => printed,
    until: async (pattern) => {
      await until(
        () => {
          if (!pattern.test(printed)) check()
          return printed
        },
        (text) => pattern.test(text)
      )
    },
    check,
    ended,
    stop: async (signal = "SIGTERM") => {
      if (!isOver) child.kill(signal)
      await ended
    }
  }
}

/** sipp as a trunk that takes some calls and ends; its exit code is 0 when all of them went as the scenario says. */
export const startSipp = async (folder: string, scenario: string, calls = 1): Promise<Program & { port: number }> => {
  const port = await freePort()
  const name = join(folder, `scenario-${port}.xml`)
  await writeFile(name, scenario)
  const program = start("sipp", [
    "-sf",
    name,
    "-i",
    "127.0.0.1",
    "-p",
    String(port),
    "-m",
    String(calls),
    "-nostdin",
    "-timeout",
    "20",
    "-trace_err",
    "-error_file",
    join(folder, `errors-${port}.log`)
  ])
  await listening(port, program)
  return { ...program, port }
}

export interface Kamailio extends Program {
  readonly port: number
  readonly tlsPort: number
  readonly certificate: string
}

/** Kamailio as a trunk that asks for a password and passes calls on to these addresses, all at once. */
export const startKamailio = (folder: string, phones: ReadonlyArray<string>): Promise<Kamailio> => {
  const branches = phones.map((phone, index) =>
    index === 0 ? `$ru = "sip:phone@${phone}";` : `append_branch("sip:phone@${phone}");`
  )
  return kamailio(folder, [
    'if (!pv_proxy_authenticate("trunk", "secret", "0")) { proxy_challenge("trunk", "1"); exit; }',
    "consume_credentials();",
    'if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }',
    'if ($fU == "+4930000000000") { sl_send_reply("403", "Caller id not allowed"); exit; }',
    "record_route();",
    ...branches
  ])
}

/** Kamailio as a trunk that brings every call to an address, such as `sip:127.0.0.1:5060;transport=tcp`. */
export const startInboundKamailio = (folder: string, to: string): Promise<Kamailio> =>
  kamailio(folder, [
    'if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }',
    "record_route();",
    `$du = "${to}";`
  ])

/** @param route statements of its configuration, before the statement that passes a request on */
const kamailio = async (folder: string, route: ReadonlyArray<string>): Promise<Kamailio> => {
  const [port, tlsPort] = [await freePort(), await freePort()]
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "cert.pem")]
  await run("openssl", [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "1",
    "-subj",
    "/CN=127.0.0.1",
    "-addext",
    "subjectAltName=IP:127.0.0.1",
    "-keyout",
    key,
    "-out",
    certificate
  ])
  const tls = `[server:default]\nmethod = TLSv1.2+\nprivate_key = ${key}\ncertificate = ${certificate}\n`
  await writeFile(join(folder, "tls.cfg"), tls)
  await writeFile(
    join(folder, "kamailio.cfg"),
    `#!KAMAILIO
debug=2
log_stderror=yes
fork=yes
children=2
tcp_children=2
enable_tls=yes
server_header="Server: Kamailio"
listen=udp:127.0.0.1:${port}
listen=tcp:127.0.0.1:${port}
listen=tls:127.0.0.1:${tlsPort}
mpath="/usr/lib/x86_64-linux-gnu/kamailio/modules/"
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "maxfwd.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "auth.so"
loadmodule "xlog.so"
loadmodule "sanity.so"
loadmodule "corex.so"
loadmodule "tls.so"
modparam("tls", "config", "${join(folder, "tls.cfg")}")
modparam("auth", "nonce_expire", 300)
request_route {
  if (!sanity_check("17895", "7")) { xlog("L_ERR", "INSANE $rm\\n"); exit; }
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (is_method("CANCEL")) { if (t_check_trans()) { t_relay(); } else { sl_send_reply("481", "Unknown"); } exit; }
  if (has_totag()) { if (loose_route()) { t_relay(); } else if (is_method("ACK")) { if (t_check_trans()) t_relay(); } else { sl_send_reply("404", "Not here"); } exit; }
  if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
  ${route.join("\n  ")}
  t_relay();
}
`
  )
  const program = start("kamailio", [
    "-f",
    join(folder, "kamailio.cfg"),
    "-DD",
    "-E",
    "-m",
    "64",
    "-M",
    "8",
    "-P",
    join(folder, "kamailio.pid"),
    "-Y",
    folder
  ])
  await answersOptions(port, program)
  return { ...program, port, tlsPort, certificate }
}

/** Asks a SIP server whether it is there until it answers. */
const answersOptions = async (port: number, program: Program): Promise<void> => {
  const socket = createSocket("udp4")
  const answered = once(socket, "message").then(() => true)
  const lines = [
    `OPTIONS sip:127.0.0.1:${port} SIP/2.0`,
    "Via: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKup;rport",
    "From: <sip:up@127.0.0.1>;tag=up",
    "To: <sip:up@127.0.0.1>",
    "Call-ID: up",
    "CSeq: 1 OPTIONS",
    "Max-Forwards: 70",
    "Content-Length: 0",
    "",
    ""
  ]
  do {
    program.check()
    if (/ERROR|CRITICAL/.test(program.printed())) throw new Error(program.printed().slice(-3000))
    socket.send(lines.join("\r\n"), port, "127.0.0.1")
  } while (!(await Promise.race([answered, realTime(50, "an answer").then(() => false)])))
  socket.close()
}

/** baresip as a telephone without sound that rings until the caller hangs up. */
export const startBaresip = async (folder: string): Promise<Program & { port: number }> => {
  const { home, port } = await settingsOfBaresip(folder, "phone")
  const program = start("baresip", ["-f", home, "-s"])
  await program.until(/ready/)
  return { ...program, port }
}

export const settingsOfBaresip = async (folder: string, user: string) => {
  const port = await freePort()
  const home = join(folder, `baresip-${port}`)
  await mkdir(home)
  await writeFile(
    join(home, "config"),
    [
      `sip_listen 127.0.0.1:${port}`,
      "module_path /usr/lib/baresip/modules",
      "module g711.so",
      "module_app account.so",
      "module_app menu.so",
      "audio_player nothing,nothing",
      "audio_source nothing,nothing",
      "audio_alert nothing,nothing",
      ""
    ].join("\n")
  )
  await writeFile(join(home, "accounts"), `<sip:${user}@127.0.0.1>;regint=0\n`)
  await writeFile(join(home, "contacts"), "")
  return { home, port }
}

/** A capture of what goes over the loopback interface to and from some ports. */
export interface Capture {
  /** Ends the capture when it has everything until now. */
  readonly stop: () => Promise<void>
  /** The fields of the packets that a display filter lets through, a line a packet. */
  readonly read: (filter: string, ...fields: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>
}

export const startCapture = async (ports: ReadonlyArray<number>, file: string): Promise<Capture> => {
  const [port = 0] = ports
  const filter = ports.map((port) => `port ${port}`).join(" or ")
  const program = start("tshark", [
    "-q",
    "-l",
    "-P",
    "-i",
    "lo",
    "-f",
    filter,
    "-w",
    file,
    "-T",
    "fields",
    "-e",
    "udp.length"
  ])
  // It says that it captures before it does, and hands packets on with a delay: the program's echo of a text marks the
  // beginning and the end.
  const mark = async (text: string): Promise<void> => {
    const socket = createSocket("udp4")
    const line = new RegExp(`^${8 + text.length}$`, "m")
    await until(() => {
      program.check()
      const isShown = line.test(program.printed())
      if (!isShown) socket.send(text, port, "127.0.0.1")
      return isShown
    })
    socket.close()
  }
  await mark("\r\n\r\n")
  return {
    stop: async () => {
      await mark("\r\n\r\n\r\n")
      await program.stop("SIGINT")
    },
    read: async (filter, ...fields) => {
      const decoding = ports.flatMap((port) => ["-d", `udp.port==${port},sip`, "-d", `tcp.port==${port},sip`])
      const showing = ["-Y", filter, "-T", "fields", ...fields.flatMap((field) => ["-e", field])]
      const { stdout } = await run("tshark", ["-r", file, ...decoding, ...showing], { maxBuffer: 64 * 1024 * 1024 })
      return stdout.split("\n").filter((line) => line !== "")
    }
  }
}
