/**
 * The carrier for tests as a process of its own, for tests that kill and restart the client.
 *
 *     node packages/sms/test/smpp/carrier-process.ts [--port 2775] [--answer-delay MS] [--status 0]
 *       [--silent] [--receipt-delay MS] [--receipt-status DELIVRD|none] [--ids decimal|hex|crossed]
 *
 * Prints one JSON object a line: `listening`, `bind`, `submit` (before it is answered), `receipt` (with the status it
 * was acknowledged with, null when the connection closed before) and `close`. A receipt that is not acknowledged comes
 * again. With crossed ids answers are hexadecimal and receipts decimal. SIGTERM ends it.
 */
import { parseArgs } from "node:util"
import { smsc, receipt } from "@watchword/sandbox/smsc"

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    "answer-delay": { type: "string", default: "0" },
    status: { type: "string", default: "0" },
    silent: { type: "boolean", default: false },
    "receipt-delay": { type: "string", default: "0" },
    "receipt-status": { type: "string", default: "DELIVRD" },
    ids: { type: "string", default: "decimal" }
  }
})

const print = (event: string, fields: Readonly<Record<string, unknown>>): void => {
  process.stdout.write(`${JSON.stringify({ event, at: Date.now(), ...fields })}\n`)
}

// Ids continue from where an earlier run can have been, and are the same length in both bases of any run.
let nextId = Date.now() * 1000
const makeId = (): string => (++nextId).toString(values.ids === "decimal" ? 10 : 16)

const carrier = await smsc({
  script: {
    bind: (bind) => {
      print("bind", { system_id: bind.fields["system_id"], command: bind.command })
      return 0
    },
    submit: (submit) => {
      const id = makeId()
      const { to, from, text, part, reference } = submit
      print("submit", { id, to, from, text, part, reference })
      if (values.silent) return "silence"
      return { id, status: Number(values.status), after: Number(values["answer-delay"]) }
    },
    acknowledged: (submit, status) => print("receipt", { id: submit?.id, status }),
    receipt: (submit) => {
      if (values["receipt-status"] === "none") return null
      const id = values.ids === "crossed" ? BigInt(`0x${submit.id}`).toString() : submit.id
      return receipt({ ...submit, id }, values["receipt-status"], Number(values["receipt-delay"]))
    }
  },
  port: Number(values.port)
})
carrier.server.on("connection", (socket) => socket.once("close", () => print("close", {})))
print("listening", { port: carrier.port, url: carrier.url() })

process.on("SIGTERM", () => void carrier.stop())
