import { execFile } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { type AddressInfo, type Server, createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Redacted from "effect/Redacted"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { afterEach, describe, expect, it } from "vitest"
import { selfSigned } from "../../../test/certificate.ts"
import { folderForEach } from "../../../test/folder.ts"
import { mailer } from "../src/Mail.ts"

const folder = folderForEach()

const closing = new Set<() => Promise<unknown>>()
afterEach(async () => {
  for (const close of closing) await close()
  closing.clear()
})

/** A mail server on this machine, and the mails that it took. */
const mailServer = async (options: SMTPServerOptions = {}, host = "127.0.0.1") => {
  const mails: Array<string> = []
  const server = new SMTPServer({
    authOptional: true,
    onAuth: ({ password, username }, _session, done) =>
      username === "ops" && password === "p@ss" ? done(null, { user: username }) : done(new Error("wrong")),
    onData: (stream, _session, done) => {
      let text = ""
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()))
      stream.on("end", () => {
        mails.push(text)
        done()
      })
    },
    ...options
  })
  server.on("error", () => {})
  closing.add(() => new Promise<void>((resolve) => server.close(() => resolve())))
  server.listen(0, host)
  await once(server.server, "listening")
  return { mails, port: portOf(server.server) }
}

const portOf = (server: Pick<Server, "address">): number => {
  const address: AddressInfo | string | null = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const mail = {
  to: ["anna@example.com", "ben@example.com"],
  subject: "Watchword: ä",
  text: "Since noon.\n",
  id: "alm_1_raised_1"
}

const send = (url: string, within?: number) =>
  mailer(
    { from: "Watchword <otp@example.com>", server: Redacted.make(url) },
    within === undefined ? {} : { within, inAll: within }
  )(mail)

/** Sends from a process that trusts a certificate. */
const sentBy = async (url: string, cert: string): Promise<string> => {
  const extra = folder.file("trusted.pem")
  await writeFile(extra, cert)
  const env = { PATH: process.env["PATH"], NODE_EXTRA_CA_CERTS: extra }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL("sendMail.ts", import.meta.url)), url],
    { env }
  )
  return stdout.trim()
}

describe("a mail server", () => {
  it("gets a mail to all, under an id that is the same each time", async () => {
    const { mails, port } = await mailServer({ disabledCommands: ["STARTTLS"] })
    await send(`smtp://127.0.0.1:${port}`)
    expect(mails[0]).toMatch(/^From: Watchword <otp@example\.com>\r?$/m)
    expect(mails[0]).toMatch(/^To: anna@example\.com, ben@example\.com\r?$/m)
    expect(mails[0]).toMatch(/^Message-ID: <alm_1_raised_1@example\.com>\r?$/m)
    expect(mails[0]).toContain("Since noon.")
  })

  it("is given its user, and a wrong password is an error without it", async () => {
    const { mails, port } = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      disabledCommands: ["STARTTLS"]
    })
    await send(`smtp://ops:p%40ss@127.0.0.1:${port}`)
    expect(mails).toHaveLength(1)
    await expect(send(`smtp://ops:secret@127.0.0.1:${port}`)).rejects.toMatchObject({ code: "EAUTH" })
  })

  it("gets mail and password behind STARTTLS, by a certificate that the process trusts", async () => {
    const certificate = selfSigned()
    const secured: Array<boolean> = []
    const { mails, port } = await mailServer({
      ...certificate,
      authOptional: false,
      onAuth: ({ password, username }, { secure }, done) => {
        secured.push(secure)
        if (password === "p@ss") done(null, { user: username })
        else done(new Error("wrong"))
      }
    })
    const url = `smtp://ops:p%40ss@127.0.0.1:${port}`
    expect(await sentBy(url, certificate.cert)).toBe("sent")
    expect([mails.length, secured]).toEqual([1, [true]])
    expect(await sentBy(url, selfSigned().cert)).toMatch(/^(?:ESOCKET|ETLS)$/)
    expect([mails.length, secured]).toEqual([1, [true]])
  })

  it("on another machine that offers no STARTTLS gets no password", async () => {
    let asked = 0
    const { port } = await mailServer(
      {
        authOptional: false,
        allowInsecureAuth: true,
        disabledCommands: ["STARTTLS"],
        onAuth: (_auth, _session, done) => {
          asked += 1
          done(null, { user: "ops" })
        }
      },
      "::"
    )
    // Loopback in a spelling that is not taken for this machine.
    await expect(send(`smtp://ops:p%40ss@[::ffff:127.0.0.1]:${port}`)).rejects.toMatchObject({ code: "ETLS" })
    expect(asked).toBe(0)
  })

  it("that says nothing is given up", async () => {
    const silent = createServer(() => {})
    closing.add(async () => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    const sockets = new Set<{ readonly destroy: () => void }>()
    silent.on("connection", (socket) => sockets.add(socket))
    silent.listen(0, "127.0.0.1")
    await once(silent, "listening")
    await expect(send(`smtp://127.0.0.1:${portOf(silent)}`, 100)).rejects.toThrow()
  })
})
