/**
 * Lines of a development server: one for each message, call and turn of a verification, for people or as JSON.
 */
import type { Posted } from "@watchword/events/Events"
import type { SandboxRefusal } from "@watchword/sandbox/simulator"
import type { Call, Message, PhoneEvent, Verification } from "./Feed.ts"
import { codeIn } from "./Codes.ts"

/** The content of a line. */
interface Line {
  readonly at: string
  readonly channel: string
  readonly to: string
  readonly code: string | null
  readonly verification: string | null
  readonly says: string
}

/** Writes a line for each event that brings news. */
export const printer = (isJson: boolean, write: (line: string) => void): ((event: PhoneEvent) => void) => {
  const shown = new Map<string, string>()
  return (event) => {
    const [id, line] = lineOf(event)
    if (id === null || line === null || shown.get(id) === line.says) return
    if (shown.size >= MOST_SHOWN) shown.clear()
    shown.set(id, line.says)
    write(isJson ? JSON.stringify(line) : textOf(line))
  }
}

const MOST_SHOWN = 10_000

/** The line for a refused send, which no phone knows about. */
export const refusal = (isJson: boolean, { channel, failure, isPlayed, to }: SandboxRefusal): string => {
  const says = `refused  ${failure._tag}${isPlayed ? " (you asked for it)" : `: ${failure.message}`}`
  const line = { at: new Date().toISOString(), channel, to, code: null, verification: null, says }
  return isJson ? JSON.stringify(line) : textOf(line)
}

/** Writes a line for each post of events, and after the first refused post a line that says what to do. */
export const posts = (isJson: boolean, write: (line: string) => void): ((posted: Posted) => void) => {
  let isRefused = false
  return ({ outcome, took, types, url }) => {
    const at = new Date().toISOString()
    const line = { at, posted: types, url, answer: outcome.answer, milliseconds: took }
    write(isJson ? JSON.stringify(line) : `${timeOf(at)}  --> ${types.join(", ")}  ${outcome.answer}  ${took} ms`)
    if (outcome._tag === "Taken") isRefused = false
    else if (!isRefused && !isJson) {
      isRefused = true
      write(`${timeOf(at)}  ${url} took no event: it is posted again, and the key r posts the last one once more.`)
    }
  }
}

const lineOf = (event: PhoneEvent): readonly [string | null, Line | null] => {
  switch (event.type) {
    case "message":
      return [event.message.id, ofMessage(event.message)]
    case "call":
      return [event.call.id, ofCall(event.call)]
    case "verification":
      return [event.verification.id, ofVerification(event.verification)]
    default:
      return [null, null]
  }
}

const ofMessage = ({ changed_at, channel, code, state, text, to, verification }: Message): Line => ({
  at: changed_at,
  channel,
  to,
  code: code ?? codeIn(text),
  verification,
  says: state
})

const ofCall = ({ caller, changed_at, code, hangup_cause, state, to, verification }: Call): Line => ({
  at: changed_at,
  channel: "call",
  to,
  code,
  verification,
  says: state === "ringing" ? `rings from ${caller}` : `ended, ${hangup_cause ?? "over"}`
})

const ofVerification = (verification: Verification): Line | null => {
  const { channel, id, to } = verification
  const says = saysOf(verification)
  return says === null ? null : { at: new Date().toISOString(), channel, to, code: null, verification: id, says }
}

/** The end of a verification, the last action of its user, or the actions that it waits for; null for a send. */
const saysOf = ({ by, created_at, present = [], reason, received = [], status }: Verification): string | null => {
  if (status !== "pending") {
    const how = by === undefined ? "" : ` by ${by}`
    return `${status}${how}${reason === null ? "" : ` (${reason})`}, ${secondsSince(created_at)} s after its start`
  }
  const last = received.at(-1)
  if (last !== undefined) return `${last.by}: ${last.result}`
  const forms = present.map(({ by, number }) => (number === null ? by : `${by} to ${number}`))
  return forms.length === 0 ? null : `waits for the user: ${forms.join(", ")}`
}

const secondsSince = (at: string): number => Math.round((Date.now() - Date.parse(at)) / 1000)

const textOf = ({ at, channel, code, says, to, verification }: Line): string =>
  [
    timeOf(at),
    channel.padEnd(7),
    to.padEnd(16),
    (code ?? "").padEnd(8),
    says,
    ...(verification === null ? [] : [verification])
  ].join("  ")

const timeOf = (at: string): string => new Date(at).toTimeString().slice(0, 8)
