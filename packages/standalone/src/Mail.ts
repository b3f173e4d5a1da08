/**
 * Alarms by e-mail, through a mail server that speaks SMTP.
 */
import type { Mail } from "@watchword/operator/jobs"
import * as Redacted from "effect/Redacted"
import type { Email } from "./settings/AlarmSettings.ts"

/** How long the server may take to accept a connection, to greet, and to answer a command, in milliseconds. */
const WITHIN = 10_000

/** How long a mail may take in all: a server that answers slowly is given up. */
const IN_ALL = 18_000

/** Sends a mail, on a connection of its own. Its module is loaded with the first. */
export const mailer =
  ({ from, server }: Omit<Email, "to">, { inAll = IN_ALL, within = WITHIN } = {}) =>
  async ({ id, subject, text, to }: Mail): Promise<void> => {
    const { createTransport } = await import("nodemailer")
    const url = new URL(Redacted.value(server))
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
    const secure = url.protocol === "smtps:"
    const hasUser = url.username !== ""
    const transport = createTransport({
      host,
      port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
      secure,
      // A password crosses no network in clear.
      requireTLS: hasUser && !isThisMachine(host),
      ...(hasUser ? { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } } : {}),
      connectionTimeout: within,
      greetingTimeout: within,
      socketTimeout: within,
      dnsTimeout: within
    })
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new SlowServer()), inAll)
    try {
      const messageId = `<${id}@${new URL(`http://${from.replace(/^.*@([^>]*)>?$/, "$1")}`).hostname}>`
      await Promise.race([
        transport.sendMail({
          from,
          to: [...to],
          subject,
          text,
          messageId,
          disableFileAccess: true,
          disableUrlAccess: true
        }),
        late.promise
      ])
    } finally {
      clearTimeout(timer)
      transport.close()
    }
  }

class SlowServer extends Error {
  readonly code = "timeout"
}

const isThisMachine = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
