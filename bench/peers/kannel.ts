/**
 * Kannel, the gateway that sends to the same carrier, with its defaults.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../../test/freePort.ts"
import { SERVER_CORE, end, pidOf, startOn } from "../support/processes.ts"
import { type Surroundings, type System, TEXT, TO } from "./systems.ts"

/** The version of the installed Kannel, or null. */
export const kannelVersion = (): string | null => {
  const { error, stdout } = spawnSync("bearerbox", ["--version"], { encoding: "utf8" })
  if (error !== undefined) return null
  return /version [`'"]?([\d.]+)/i.exec(stdout)?.[1] ?? "of some version"
}

/** Kannel with its queue in memory, which is its default, and the same window as the other servers. */
export const startKannel = async ({ folder, receiptPort, smscPort }: Surroundings): Promise<System> => {
  const home = join(folder, "kannel")
  mkdirSync(home)
  const [admin, smsbox, port] = [await freePort(), await freePort(), await freePort()]
  const file = join(home, "kannel.conf")
  writeFileSync(file, kannelConfiguration({ admin, home, port, smsbox, smscPort }))
  const run = (program: string) =>
    startOn(SERVER_CORE, program, [file], { cwd: home, stdio: ["ignore", "ignore", "ignore"] })
  const bearer = run("bearerbox")
  await listening(smsbox)
  const sms = run("smsbox")
  await listening(port)
  await sleep(2_000)
  const receipts = encodeURIComponent(`http://127.0.0.1:${receiptPort}/kannel`)
  const query =
    `username=bench&password=secret&from=Watchword&to=%2B${TO}&text=${encodeURIComponent(TEXT)}` +
    `&dlr-mask=3&dlr-url=${receipts}`
  return {
    name: `Kannel ${kannelVersion()}`,
    systemId: "kannel",
    port,
    pids: [pidOf(bearer), pidOf(sms)],
    request: `GET /cgi-bin/sendsms?${query} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
    status: 202,
    records: null,
    database: null,
    stop: async () => {
      await end(sms)
      await end(bearer)
    }
  }
}

const kannelConfiguration = ({
  admin,
  home,
  port,
  smsbox,
  smscPort
}: Readonly<Record<"admin" | "port" | "smsbox" | "smscPort", number>> & { readonly home: string }): string => `
group = core
admin-port = ${admin}
admin-password = secret
smsbox-port = ${smsbox}
box-allow-ip = 127.0.0.1
log-file = "${home}/bearerbox.log"
log-level = 3
dlr-storage = internal

group = smsc
smsc = smpp
smsc-id = bench
host = 127.0.0.1
port = ${smscPort}
transceiver-mode = true
smsc-username = kannel
smsc-password = secret
system-type = ""
source-addr-ton = 5
source-addr-npi = 0
dest-addr-ton = 1
dest-addr-npi = 1
max-pending-submits = 100
enquire-link-interval = 15

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${port}
log-file = "${home}/smsbox.log"
log-level = 3

group = sendsms-user
username = bench
password = secret
max-messages = 10
`

/** Waits for up to ten seconds until a server listens on the port. */
const listening = async (port: number): Promise<void> => {
  for (let tries = 0; tries < 200; tries++) {
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true))
      socket.on("error", () => resolve(false))
      socket.on("close", () => resolve(false))
      socket.on("connect", () => socket.destroy())
    })
    if (isUp) return
    await sleep(50)
  }
  throw new Error(`nothing came to listen on port ${port}`)
}
