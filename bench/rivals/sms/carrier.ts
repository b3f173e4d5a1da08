/**
 * One SMPP connection that stays bound: a window of messages waiting for an answer, and receipts that are acknowledged
 * after they are stored.
 */
import { PDU, Session } from "smpp"
import type { Outcome, Receipt } from "./store.ts"
import type { Encoded } from "./text.ts"

const WINDOW = 100
const ANSWER_LIMIT = 8_000
const WAIT_LIMIT = 10_000
const ENQUIRE_EVERY = 15_000
const LONGEST_PAUSE = 30_000

export interface Options {
  readonly host: string
  readonly port: number
  readonly systemId: string
  readonly password: string
}

type Answer =
  | { readonly is: "accepted"; readonly ref: string }
  | { readonly is: "rejected" }
  | { readonly is: "unknown" }

interface Submission {
  readonly pdu: PDU
  readonly settle: (answer: Answer) => void
  /** The deadline, first for being written and then for being answered. */
  until: number
}

const receiptStatus: Readonly<Record<string, Receipt["status"]>> = {
  DELIVRD: "delivered",
  UNDELIV: "undelivered",
  EXPIRED: "undelivered",
  DELETED: "undelivered",
  REJECTD: "failed"
}

export const connectCarrier = (options: Options, stored: (receipt: Receipt) => Promise<void>) => {
  const queue: Array<Submission> = []
  const window = new Set<Submission>()
  let session: Session | null = null
  let pause = 500

  const connect = (): void => {
    const current = new Session(options)
    let enquiring: NodeJS.Timeout | undefined
    let isCorked = false
    let answeredAt = Date.now()

    /** Collects everything written in one turn of the event loop into one chunk. */
    const write = (pdu: PDU, answered?: (answer: PDU) => void): void => {
      if (!isCorked) {
        isCorked = true
        current.socket.cork()
        setImmediate(() => {
          isCorked = false
          current.socket.uncork()
        })
      }
      current.send(pdu, answered)
    }
    writePdu = write

    current.on("connect", () => {
      current.socket.setNoDelay(true)
      const { password, systemId: system_id } = options
      write(new PDU("bind_transceiver", { system_id, password, interface_version: 0x34 }), (answer) => {
        if (answer.command_status !== 0) return current.destroy()
        session = current
        pause = 500
        pump()
      })
      enquiring = setInterval(() => {
        if (Date.now() - answeredAt > 2 * ENQUIRE_EVERY) return current.destroy()
        write(new PDU("enquire_link"), () => (answeredAt = Date.now()))
      }, ENQUIRE_EVERY)
    })
    // After an error a session receives nothing more.
    current.on("error", () => current.destroy())
    current.on("close", () => {
      clearInterval(enquiring)
      session = null
      for (const { settle } of window) settle({ is: "unknown" })
      window.clear()
      setTimeout(connect, pause * (0.5 + Math.random()))
      pause = Math.min(2 * pause, LONGEST_PAUSE)
    })
    current.on("enquire_link", (pdu: PDU) => write(pdu.response()))
    current.on("unbind", (pdu: PDU) => write(pdu.response()))
    current.on("deliver_sm", (pdu: PDU) => {
      const receipt = receiptIn(pdu)
      if (receipt === undefined) return write(pdu.response())
      stored(receipt).then(
        () => write(pdu.response()),
        () => write(pdu.response({ command_status: 0x64 }))
      )
    })
  }
  let writePdu: (pdu: PDU, answered?: (answer: PDU) => void) => void = () => {}

  const hasRoom = (): boolean => session !== null && window.size < WINDOW

  const pump = (): void => {
    while (hasRoom()) {
      const submission = queue.shift()
      if (submission === undefined) return
      submission.until = Date.now() + ANSWER_LIMIT
      window.add(submission)
      writePdu(submission.pdu, (answer) => {
        window.delete(submission)
        const accepted = answer.command === "submit_sm_resp" && answer.command_status === 0
        submission.settle(accepted ? { is: "accepted", ref: String(answer["message_id"]) } : { is: "rejected" })
        pump()
      })
    }
  }

  const expire = (): void => {
    const now = Date.now()
    for (const submission of window) {
      if (submission.until > now) break
      window.delete(submission)
      submission.settle({ is: "unknown" })
    }
    while (queue[0] !== undefined && queue[0].until < now) queue.shift()?.settle({ is: "rejected" })
    pump()
  }
  setInterval(expire, 500)
  connect()

  const submitPart = (pdu: PDU): Promise<Answer> =>
    new Promise((settle) => {
      queue.push({ pdu, settle, until: Date.now() + WAIT_LIMIT })
      pump()
    })

  /** Sends all parts, and resolves when the carrier has answered each of them. */
  const send = async (to: string, from: string, { dataCoding, parts }: Encoded): Promise<Outcome> => {
    const digits = /^\+?([0-9]+)$/.exec(from)?.[1]
    const answers = await Promise.all(
      parts.map((short_message) =>
        submitPart(
          new PDU("submit_sm", {
            source_addr_ton: digits === undefined ? 5 : 1,
            source_addr_npi: digits === undefined ? 0 : 1,
            source_addr: digits ?? from,
            dest_addr_ton: 1,
            dest_addr_npi: 1,
            destination_addr: to.slice(1),
            esm_class: parts.length > 1 ? 0x40 : 0,
            registered_delivery: 1,
            data_coding: dataCoding,
            short_message
          })
        )
      )
    )
    if (answers.some(({ is }) => is === "rejected")) return { is: "rejected" }
    const refs = answers.flatMap((answer) => (answer.is === "accepted" ? [answer.ref] : []))
    return refs.length === parts.length ? { is: "accepted", refs } : { is: "unknown" }
  }

  return { send }
}

const receiptIn = (pdu: PDU): Receipt | undefined => {
  if ((Number(pdu["esm_class"]) & 0x3c) !== 0x04) return undefined
  const text = textOf(pdu["short_message"])
  const ref = /\bid:(\S+)/.exec(text)?.[1]
  const word = /\bstat:(\S+)/.exec(text)?.[1] ?? ""
  return ref === undefined ? undefined : { ref, status: receiptStatus[word] ?? "sent", carrierStatus: word }
}

const textOf = (body: unknown): string => {
  const message = typeof body === "object" && body !== null && "message" in body ? body.message : body
  return Buffer.isBuffer(message) ? message.toString("latin1") : String(message)
}
