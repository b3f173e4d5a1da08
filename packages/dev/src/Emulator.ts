/**
 * A running Android emulator, through its console: the sandbox's texts and calls arrive on its phone, so that an app's
 * SMS Retriever and its reading of flash calls can be tried without a carrier.
 *
 * Source: developer.android.com, "Send Emulator console commands" (`auth`, `sms send`, `gsm call`, `gsm cancel`).
 */
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { homedir } from "node:os"
import { join } from "node:path"

export interface Emulator {
  readonly text: (from: string, text: string) => Promise<void>
  readonly ring: (caller: string) => Promise<void>
  readonly hangUp: (caller: string) => Promise<void>
}

export interface Options {
  readonly host: string
  /** 5554 for the first emulator of a machine. */
  readonly port: number
  readonly token: string
}

/** The file in which Android's tools keep the token of the console. */
export const tokenFile = (home = homedir()): string => join(home, ".emulator_console_auth_token")

/** Throws an error with a sentence if there is no such file. */
export const readToken = (file: string): string => {
  try {
    return readFileSync(file, "utf8").trim()
  } catch (cause) {
    throw new Error(`--emulator: there is no token of the emulator's console in ${file}; start an emulator once.`, {
      cause
    })
  }
}

/** Milliseconds that the console may take. */
const PATIENCE = 5_000

export const make = (options: Options): Emulator => {
  // One after the other: texts arrive in their order.
  let last: Promise<unknown> = Promise.resolve()
  const queued = (command: string): Promise<void> => {
    const done = last.then(() => run(options, command))
    last = done.catch(() => {})
    return done
  }
  return {
    text: (from, text) => queued(`sms send ${digits(from)} ${oneLine(text)}`),
    ring: (caller) => queued(`gsm call ${digits(caller)}`),
    hangUp: (caller) => queued(`gsm cancel ${digits(caller)}`)
  }
}

/** The console accepts only digits as a sender; a name is replaced with the emulator's own number. */
const digits = (sender: string): string => (/^\+?\d+$/.test(sender) ? sender.replace("+", "") : "15555215554")

/** A command is one line, in which the console reads \n as a line break. */
const oneLine = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll(/\r?\n/g, "\\n")

/** Runs one command: the console greets, takes the token, and answers OK or KO for each line. */
const run = ({ host, port, token }: Options, command: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port })
    const lines = [`auth ${token}`, command]
    let rest = ""
    let answered = 0
    const fail = (message: string) => {
      socket.destroy()
      reject(new Error(`--emulator: ${message}`))
    }
    socket.setTimeout(PATIENCE, () => fail(`the console at ${host}:${port} does not answer`))
    socket.on("error", () => fail(`no emulator answers at ${host}:${port}`))
    socket.on("data", (chunk) => {
      rest += chunk.toString("utf8")
      for (let end = rest.indexOf("\n"); end !== -1; end = rest.indexOf("\n")) {
        const line = rest.slice(0, end).trim()
        rest = rest.slice(end + 1)
        if (line.startsWith("KO")) return fail(line.replace(/^KO:?\s*/, "the console says: "))
        if (line !== "OK") continue
        const next = lines[answered++]
        if (next === undefined) {
          socket.end("quit\r\n")
          return resolve()
        }
        socket.write(`${next}\r\n`)
      }
    })
  })
