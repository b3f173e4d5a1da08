/**
 * Processes that are killed in the middle of a verification, and others that continue.
 */
import { holds, same } from "@watchword/store/checks"
import { type WorldCase, check, get, outcomeOf, start } from "./cases.ts"
import type { Place } from "./life.ts"
import type { Message } from "./network.ts"
import { step } from "./settings.ts"
import type { Process, World } from "./world.ts"

const WORKFLOW = [step("sms"), step("chatgw"), step("sms")]
const BUDGET = { max_sends: 4, max_checks: 3 }
const DAY = 24 * 3600

const PLACES: ReadonlyArray<Place> = ["before", "after"]

/** The messages from now on. */
const messagesFrom = ({ network: { messages } }: World) => {
  const before = messages.length
  return () => messages.slice(before)
}

const requireBudgets = (messages: ReadonlyArray<Message>): void => {
  holds(`at most ${BUDGET.max_sends} messages, found ${messages.length}`, messages.length <= BUDGET.max_sends)
  same("codes", new Set(messages.map(({ code }) => code)).size, Math.min(1, messages.length))
}

/** Runs a check with a process that dies at its first step, at its second one, and so on until it lives through all. */
const atEachDeath = async (world: World, run: (dying: Process, purpose: string) => Promise<void>): Promise<void> => {
  for (let step = 1, hasDied = true; hasDied; step++) {
    for (const place of PLACES) {
      const dying = await world.process()
      dying.life.dieAt(step, place)
      await run(dying, `${place}-${step}`)
      hasDied = dying.life.isDead()
      dying.life.die()
    }
  }
  await settle(world)
}

/** Lets everything end that is still open, by a process that lives. */
const settle = async (world: World): Promise<void> => {
  const last = await world.process()
  for (const seconds of [61, 61, 121, 600, DAY]) {
    await world.elapse(seconds)
    await last.maintain()
  }
}

export const deaths: ReadonlyArray<WorldCase> = [
  {
    name: "a process that dies in a start leaves a verification that others go on with",
    check: (world) =>
      atEachDeath(world, async (dying, purpose) => {
        const next = await world.process()
        const messages = messagesFrom(world)
        const started = dying.unlessDead(start(world, dying, { ...BUDGET, workflow: WORKFLOW, purpose }))
        await outcomeOf(started)
        await world.elapse(61)
        await next.maintain()
        const again = await outcomeOf(start(world, next, { ...BUDGET, workflow: WORKFLOW, purpose }))
        requireBudgets(messages())
        const [message] = messages()
        holds(`a code was sent after a death ${purpose}: ${JSON.stringify(again)}`, message !== undefined)
        const checked = await next.service.verify.check(
          world.account,
          { to: world.number, purpose },
          { code: message.code }
        )
        holds(`the code is right after a death ${purpose}`, checked.valid)
      }),
    options: { credit: 100 }
  },
  {
    name: "a process that dies in a step that is due leaves it to others",
    check: (world) =>
      atEachDeath(world, async (dying, purpose) => {
        const next = await world.process()
        const messages = messagesFrom(world)
        const { id } = await start(world, next, { ...BUDGET, workflow: WORKFLOW, purpose })
        await world.elapse(20)
        await outcomeOf(dying.unlessDead(dying.maintain()))
        await world.elapse(61)
        await next.maintain()
        await world.elapse(61)
        await next.maintain()
        requireBudgets(messages())
        const { attempts, step } = await get(world, next, id)
        holds(`the plan went on after a death ${purpose}: step ${step}`, step >= 2 && attempts.length >= 2)
        holds(`it opens each step once`, new Set(attempts.map((each) => each.delivery_id)).size === attempts.length)
        await next.service.verify.cancel(world.account, id)
      }),
    options: { credit: 100 }
  },
  {
    name: "a process that dies in a check approves once, or leaves the budget as it is",
    check: (world) =>
      atEachDeath(world, async (dying, purpose) => {
        const next = await world.process()
        const messages = messagesFrom(world)
        const { id } = await start(world, next, { ...BUDGET, workflow: WORKFLOW, purpose })
        const code = messages()[0]?.code ?? ""
        await outcomeOf(dying.unlessDead(check(world, dying, code, id)))
        const checked = await outcomeOf(check(world, next, code, id))
        const { checks_left: left, status } = await get(world, next, id)
        same(`the status after a death ${purpose}`, status, "approved")
        holds(`guesses that are left after a death ${purpose}: ${left}`, left >= 1 && left <= 2)
        if ("answer" in checked) same("the guess", checked.answer.valid, true)
        else same("the guess", checked.code, "CONFLICT")
      }),
    options: { credit: 100 }
  },
  {
    name: "a receipt that reached a process which died counts all the same",
    check: async (world) => {
      for (const good of [true, false]) {
        const [dying, next] = [await world.process(), await world.process()]
        const messages = messagesFrom(world)
        const { id } = await start(world, next, { ...BUDGET, workflow: WORKFLOW, purpose: `receipt-${good}` })
        const [message] = messages()
        holds("a message", message !== undefined)
        dying.life.dieAt(1, "after")
        await outcomeOf(dying.unlessDead(world.receipt(message, good, dying)))
        await world.elapse(20)
        await next.maintain()
        const { attempts, step } = await get(world, next, id)
        same(`the step after a ${good ? "good" : "bad"} receipt`, step, good ? 1 : 2)
        same("messages", messages().length, attempts.length)
        await next.service.verify.cancel(world.account, id)
      }
    }
  }
]
