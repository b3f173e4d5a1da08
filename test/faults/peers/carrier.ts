/**
 * The SMS carrier. It treats a message according to the number: it accepts most messages, and its receipts come once,
 * twice, in the wrong order or before the answer.
 */
import { once } from "node:events"
import { type Answer, type Submit, smsc, receipt } from "@watchword/sandbox/smsc"
import { type Arrival, type Arrivals, codeIn, e164 } from "../Arrivals.ts"
import { randomOf, weighed } from "../seeds.ts"

/** The number of the service to which users write. */
export const OURS = "+4930901820000"

/** A text that a user has sent to the service for a verification. */
export interface Written {
  readonly verification: string
  readonly from: string
  readonly at: number
  /** When the service had acknowledged it; null until then. */
  acknowledgedAt: number | null
}

/** The client's time limit for an answer, in milliseconds. */
export const PATIENCE = 2_000

const THROTTLED = 0x58
const REFUSED = 0x0b

const FATES = [
  [50, "good"],
  [8, "twice"],
  [8, "early"],
  [6, "backwards"],
  [5, "undelivered"],
  [5, "late"],
  [4, "silent"],
  [1, "throttled"],
  [6, "refused"]
] as const

type Fate = (typeof FATES)[number][1]

export interface Carrier {
  readonly url: string
  readonly written: ReadonlyArray<Written>
  /** Brings a text of a user to the service, again and again until it is acknowledged. */
  readonly write: (text: Pick<Written, "from" | "verification"> & { readonly text: string }) => Promise<void>
  /** Applies to all numbers; null if each number has its own fate. */
  mood: Fate | null
  /** Closes the port and every connection. */
  readonly cut: () => void
  readonly mend: () => Promise<void>
  readonly close: () => Promise<void>
}

export const openCarrier = async (arrivals: Arrivals, seed: number): Promise<Carrier> => {
  /** Numbers whose first message was throttled: the next message is accepted. */
  const throttled = new Set<string>()
  const known = new Map<Submit, Arrival>()
  const written: Array<Written> = []
  let ids = 0

  const take = (submit: Submit, isTaken: boolean): Arrival => {
    const [, , part = 1] = submit.part ?? []
    const arrival = arrivals.add({
      channel: "sms",
      number: e164(submit.to),
      identity: `${submit.to} ${submit.reference ?? submit.part?.[0] ?? submit.text} ${part}`,
      delivery: null,
      part,
      code: codeIn(submit.text),
      taken: isTaken
    })
    known.set(submit, arrival)
    return arrival
  }

  /** Sends receipts one after the other; repeats each until it is acknowledged. */
  const report = (
    submit: Submit,
    id: string,
    ...stats: ReadonlyArray<readonly [stat: string, after: number]>
  ): void => {
    const arrival = known.get(submit)
    if (arrival === undefined) return
    arrival.owed += stats.length
    for (const [stat, after] of stats) {
      setTimeout(() => carrier.deliver(receipt({ ...submit, id }, stat).fields, submit), after)
    }
  }

  const submit = (message: Submit): Answer => {
    const random = randomOf(seed, message.to)
    const fate = self.mood ?? weighed(random, FATES)
    if (fate === "refused" || (fate === "throttled" && !throttled.has(message.to))) {
      if (fate === "throttled") throttled.add(message.to)
      take(message, false)
      return { status: fate === "throttled" ? THROTTLED : REFUSED }
    }
    take(message, true)
    const id = `${(++ids).toString(16).toUpperCase().padStart(8, "0")}`
    const after = random.below(40)
    const pause = 60 + random.below(400)
    switch (fate) {
      case "good":
      case "throttled":
        report(message, id, ["DELIVRD", after + pause])
        return { id, after }
      case "twice":
        report(message, id, ["DELIVRD", after + pause], ["DELIVRD", after + pause + random.below(50)])
        return { id, after }
      case "early":
        report(message, id, ["DELIVRD", 0])
        return { id, after: after + 20 }
      case "backwards":
        report(message, id, ["DELIVRD", after + pause], ["ENROUTE", after + pause + 20])
        return { id, after }
      case "undelivered":
        report(message, id, ["UNDELIV", after + pause])
        return { id, after }
      case "late":
        report(message, id, ["DELIVRD", PATIENCE + 600])
        return { id, after: PATIENCE + 300 }
      case "silent":
        report(message, id, ["DELIVRD", pause])
        return "silence"
    }
  }

  const carrier = await smsc({
    script: {
      submit,
      acknowledged: (message, status) => {
        const arrival = message === null ? undefined : known.get(message)
        if (arrival !== undefined && status === 0) arrival.told++
      }
    }
  })
  const { port } = carrier
  const self: Carrier = {
    url: carrier.url(`timeout=${PATIENCE / 1000}&receives=${encodeURIComponent(OURS)}`),
    written,
    write: async ({ from, text, verification }) => {
      const wrote: Written = { verification, from, at: Date.now(), acknowledgedAt: null }
      written.push(wrote)
      await carrier.write({ from, to: OURS, text })
      wrote.acknowledgedAt = Date.now()
    },
    mood: null,
    cut: () => {
      carrier.server.close()
      for (const { socket } of carrier.sessions) socket.destroy()
    },
    mend: async () => {
      if (carrier.server.listening) return
      carrier.server.listen(port, "127.0.0.1")
      await once(carrier.server, "listening")
    },
    close: () => carrier.stop()
  }
  return self
}
