/**
 * Random histories of verifications, played in a world; after each step the invariants are checked.
 *
 * A history is a list of steps carried out one after the other, each with one or several actions at once. Fast-check
 * shrinks a failing history to its shortest form.
 */
import { holds, same } from "@watchword/store/checks"
import type { StepChannel, Verification } from "@watchword/client"
import * as fc from "fast-check"
import { audit } from "./audit.ts"
import { type Outcome, outcomeOf } from "./cases.ts"
import type { Place } from "./life.ts"
import type { Channel, Fate, Message } from "./network.ts"
import { step } from "./settings.ts"
import { type Process, type World } from "./world.ts"
import type { Delivery } from "@watchword/store/Delivery"

const LIMITS = { max_sends: 4, max_checks: 3, ttl: 300 }
const CODE_LENGTH = 6
const WORKFLOW = [step("chatgw"), step("sms", 60), step("call", 30)]
const PURPOSES = ["login", "order"] as const

type Act =
  | { readonly _tag: "Start"; readonly purpose: (typeof PURPOSES)[number] }
  | { readonly _tag: "Guess"; readonly which: number; readonly right: boolean }
  | { readonly _tag: "Next"; readonly which: number; readonly channel: StepChannel | null }
  | { readonly _tag: "Cancel"; readonly which: number }
  | { readonly _tag: "Report"; readonly which: number; readonly status: "approved" | "failed" }
  | { readonly _tag: "Receipt"; readonly which: number; readonly good: boolean }
  | { readonly _tag: "Read"; readonly which: number }
  | { readonly _tag: "Maintain" }
  | { readonly _tag: "Elapse"; readonly seconds: number }
  | { readonly _tag: "Fate"; readonly channel: Channel; readonly fate: Fate }
  | { readonly _tag: "Kill"; readonly step: number; readonly place: Place }

/** An act, and the process that carries it out. */
type Step = readonly [process: 0 | 1, act: Act]

const which = fc.nat(5)

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant("Start" as const), purpose: fc.constantFrom(...PURPOSES) }) },
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant("Guess" as const), which, right: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: fc.constant("Next" as const),
      which,
      channel: fc.constantFrom("chatgw" as const, "sms" as const, "call" as const, null)
    })
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Cancel" as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Report" as const),
      which,
      status: fc.constantFrom("approved" as const, "failed" as const)
    })
  },
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant("Receipt" as const), which, good: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Read" as const), which }) },
  { weight: 5, arbitrary: fc.constant({ _tag: "Maintain" as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: fc.constant("Elapse" as const),
      seconds: fc.constantFrom(1, 10, 20, 31, 61, 130, 300)
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: fc.constant("Fate" as const),
      channel: fc.constantFrom("sms" as const, "chatgw" as const, "call" as const),
      fate: fc.constantFrom("refused" as const, "unanswered" as const, "lost" as const)
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("Kill" as const),
      step: fc.integer({ min: 1, max: 6 }),
      place: fc.constantFrom("before" as const, "after" as const)
    })
  }
)

export const history: fc.Arbitrary<ReadonlyArray<ReadonlyArray<Step>>> = fc.array(
  fc.array(fc.tuple(fc.constantFrom(0 as const, 1 as const), act), { minLength: 1, maxLength: 4 }),
  { maxLength: 15 }
)

/** The model of a verification: the facts that its client has learned. */
interface Known {
  readonly id: string
  /** Guesses that were compared with the code. */
  compared: number
  approvals: number
  /** Its state when it was first seen to have ended. */
  ended: Verification | null
}

/** Plays a history. Fails if an invariant is violated. */
export const play = async (world: World, steps: ReadonlyArray<ReadonlyArray<Step>>): Promise<void> => {
  const { account, network } = world
  const known = new Map<string, Known>()
  /** Receipts whose process died before answering: their gateways repeat them. */
  const unanswered: Array<readonly [message: Message, good: boolean]> = []
  const fates: { readonly [C in Channel]: Array<Fate> } = { sms: [], chatgw: [], call: [] }
  network.fateOf = async (channel) => fates[channel].shift() ?? "taken"
  const processes: [Process, Process] = [await world.process(), await world.process()]

  const see = (id: string): void => {
    if (!known.has(id)) known.set(id, { id, compared: 0, approvals: 0, ended: null })
  }

  const pick = (which: number): Known | undefined => [...known.values()][which % Math.max(1, known.size)]

  const guess = async (
    { service, unlessDead }: Process,
    { id }: Known,
    { right, which }: Extract<Act, { readonly _tag: "Guess" }>
  ): Promise<void> => {
    const code = await codeOf(id, which)
    if (code === null) return
    const guessed = right ? code : code.replace(/^./, (digit) => String((Number(digit) + 1) % 10))
    const outcome = await outcomeOf(unlessDead(service.verify.check(account, id, { code: guessed })))
    const verification = known.get(id)
    if (!("answer" in outcome) || outcome.answer === null || verification === undefined) return
    const { checks_left: left, status, valid } = outcome.answer
    if (valid) verification.approvals++
    // A guess at a verification that has ended is also answered, but not compared with the code.
    if (valid || status === "pending" || left === 0) verification.compared++
    if (right) holds("the right code is valid while the verification is pending", valid || status !== "pending")
    else holds("a wrong code is not valid", !valid)
  }

  /** A right code of a verification: a message's code, or the last digits of a number that has called. */
  const codeOf = async (id: string, which: number): Promise<string | null> => {
    const { attempts } = await living().service.verify.get(account, id)
    const ids = attempts.map((attempt) => attempt.delivery_id)
    const sent = network.messages.filter(({ delivery }) => ids.includes(delivery))
    return sent[which % Math.max(1, sent.length)]?.code.slice(-CODE_LENGTH) ?? null
  }

  const living = (): Process => {
    const process = processes.find(({ life }) => !life.isDead())
    if (process === undefined) throw new Error("no process lives")
    return process
  }

  const about = async <A>(
    process: Process,
    which: number,
    use: (id: string) => Promise<A>
  ): Promise<Outcome<A | null> | null> => {
    const verification = pick(which)
    return verification === undefined ? null : outcomeOf(process.unlessDead(use(verification.id)))
  }

  const take = async (process: Process, act: Act): Promise<void> => {
    const { life, service, unlessDead } = process
    switch (act._tag) {
      case "Start": {
        const body = { to: world.number, purpose: act.purpose, workflow: WORKFLOW, ...LIMITS }
        const started = await outcomeOf(unlessDead(service.verify.start(account, body)))
        if ("answer" in started && started.answer !== null) see(started.answer.id)
        return
      }
      case "Guess": {
        const verification = pick(act.which)
        return verification === undefined ? undefined : guess(process, verification, act)
      }
      case "Next":
        await about(process, act.which, (id) =>
          service.verify.next(account, id, act.channel === null ? {} : { channel: act.channel })
        )
        return
      case "Cancel":
        await about(process, act.which, (id) => service.verify.cancel(account, id))
        return
      case "Report":
        await about(process, act.which, (id) => service.verify.report(account, id, { status: act.status }))
        return
      case "Receipt": {
        const message = network.taken()[act.which % Math.max(1, network.taken().length)]
        if (message === undefined) return
        await outcomeOf(unlessDead(world.receipt(message, act.good, process)))
        if (life.isDead()) unanswered.push([message, act.good])
        return
      }
      case "Read": {
        const message = network.messages.filter(({ channel }) => channel === "chatgw")[act.which]
        if (message !== undefined && !message.isRevoked) message.isRead = true
        return
      }
      case "Maintain":
        await outcomeOf(unlessDead(process.maintain()))
        return
      case "Elapse":
        return world.elapse(act.seconds)
      case "Fate":
        fates[act.channel].push(act.fate)
        return
      case "Kill":
        life.dieAt(act.step, act.place)
    }
  }

  const buryDead = async (): Promise<void> => {
    for (const [index, { life }] of processes.entries()) {
      life.spare()
      if (life.isDead()) processes[index === 0 ? 0 : 1] = await world.process()
    }
  }

  const verify = async (): Promise<void> => {
    const pending = new Map<string, number>()
    for (const { details, id } of await world.deliveries("verify")) {
      const wireId = `vrf_${id}`
      see(wireId)
      const verification = await living().service.verify.get(account, wireId)
      const model = known.get(wireId)
      if (model === undefined) continue
      require(model, verification)
      const purpose = String(details["purpose"])
      if (verification.status === "pending") pending.set(purpose, (pending.get(purpose) ?? 0) + 1)
    }
    for (const [purpose, count] of pending) same(`pending verifications for ${purpose}`, count, 1)
    await audit(world)
  }

  const require = (model: Known, verification: Verification): void => {
    const { attempts, checks_left: checksLeft, sends_left: sendsLeft, status } = verification
    holds("guesses within the budget", model.compared <= LIMITS.max_checks - checksLeft)
    holds("a budget of guesses that is not below zero", checksLeft >= 0 && sendsLeft >= 0)
    const ids = attempts.map(({ delivery_id: id }) => id)
    const sent = network.messages.filter(({ delivery, fate }) => ids.includes(delivery) && fate !== "refused").length
    holds(`${sent} sends with ${sendsLeft} left`, sent <= LIMITS.max_sends - sendsLeft)
    holds("at most one approval", model.approvals <= 1)
    holds("an approval is final", model.approvals === 0 || status === "approved")
    const opening = attempts.filter((attempt) => attempt.status === "opening").length
    holds(`at most one step is open, found ${opening}`, opening <= 1)
    const known = ids.filter((id) => id !== null)
    same("the ids of sends", new Set(known).size, known.length)
    if (model.ended !== null) {
      same("the status after the end", status, model.ended.status)
      same("the sends after the end", attempts.length, model.ended.attempts.length)
      same("the guesses after the end", checksLeft, model.ended.checks_left)
    } else if (status !== "pending") {
      model.ended = verification
    }
  }

  for (const together of steps) {
    await Promise.all(together.map(([process, act]) => take(processes[process], act)))
    await buryDead()
    await verify()
  }
  for (const [message, good] of unanswered) await world.receipt(message, good)
  // Everything that is still open ends.
  for (const seconds of [61, 61, 121, 300, 24 * 3600]) {
    await world.elapse(seconds)
    await living().maintain()
    await buryDead()
  }
  await verify()
  for (const { ended, id } of known.values()) {
    holds("every verification has ended", ended !== null)
    await requireAttempts(world, await living().service.verify.get(account, id))
  }
}

/** Requires that an ended verification describes its sends as their records do. */
const requireAttempts = async ({ deliveries }: World, { attempts, status }: Verification): Promise<void> => {
  for (const { channel, delivery_id: id, price, reason, status: outcome } of attempts) {
    const found = id === null ? undefined : (await deliveries(channel)).find((delivery) => delivery.id === id)
    const about = `a send by ${channel} that is ${outcome} of a verification that is ${status}, and ${found?.phase}`
    if (found === undefined) {
      holds(`${about}: nothing was sent`, reason !== null)
      continue
    }
    const isFree = found.phase === "rejected" || found.phase === "refunded"
    const ownPrice = isFree ? 0 : found.price / 1_000_000
    // The rest is the price of its probe.
    holds(`${about}: its price is ${price}`, price === ownPrice || (channel === "chatgw" && price >= ownPrice))
    holds(`${about}: its outcome`, OUTCOMES[found.phase].includes(outcome))
    const said = SAID[found.status.name]
    if (channel === "call" || found.phase === "rejected" || said === undefined) continue
    same(`${about}: the outcome that its record says`, outcome, said)
  }
}

/** Outcomes of sends, by the last status of an accepted message. */
const SAID: Readonly<Record<string, string>> = {
  delivered: "delivered",
  read: "delivered",
  undelivered: "undelivered",
  failed: "undelivered",
  expired: "undelivered",
  revoked: "revoked"
}

/** The possible outcomes of sends, by the phase of their records. */
const OUTCOMES: Readonly<Record<Delivery["phase"], ReadonlyArray<string>>> = {
  pending: [],
  unknown: ["unknown"],
  accepted: ["accepted", "delivered", "undelivered", "revoked"],
  rejected: ["undelivered", "unknown"],
  refunded: ["undelivered", "revoked"]
}
