/**
 * Users who act first: texts, calls and other requests that meet at once, and processes that die on the way.
 */
import { holds, same } from "@watchword/store/checks"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Received, Result } from "@watchword/send/channel/Receiving"
import type { Verification } from "@watchword/client"
import { type WorldCase, get, outcomeOf, start } from "./cases.ts"
import { OURS } from "./forms.ts"
import type { Place } from "./life.ts"
import { step } from "./settings.ts"
import type { Process, World } from "./world.ts"

const OTHER = E164.make("+4915100000000")

const waiting = (by: ReadonlyArray<"sms" | "call">, more: object = {}) => ({
  workflow: [{ channel: "receive", by, timeout: 60, ...more }, step("sms")]
})

/** A text of a verification's number, as its user was asked to send it. */
const textOf = (world: World, { present = [] }: Verification, from = E164.make(world.number)): Received => ({
  _tag: "Wrote",
  by: "sms",
  mode: "live",
  account: null,
  from,
  assurance: "network",
  text: present.find(({ by }) => by === "sms")?.text ?? ""
})

const callOf = (world: World): Received => ({
  _tag: "Called",
  by: "call",
  mode: "live",
  account: null,
  from: E164.make(world.number),
  assurance: "network",
  to: OURS
})

const countOf = (results: ReadonlyArray<Result>, result: Result): number =>
  results.filter((each) => each === result).length

const resultsOf = (verification: Verification): string =>
  (verification.received ?? []).map(({ result }) => result).join()

const two = async (world: World): Promise<readonly [Process, Process]> => [await world.process(), await world.process()]

/** Offers something so many times at once, to two processes by turns. */
const atOnce = (count: number, processes: readonly [Process, Process], received: Received) =>
  Promise.all(Array.from({ length: count }, (_, index) => processes[index % 2 === 0 ? 0 : 1].offer(received)))

const PLACES: ReadonlyArray<Place> = ["before", "after"]

export const receives: ReadonlyArray<WorldCase> = [
  {
    name: "one of many texts at once approves, and the others are late",
    check: async (world) => {
      const processes = await two(world)
      const started = await start(world, processes[0], waiting(["sms"], { reply: false }))
      const results = await atOnce(8, processes, textOf(world, started))
      same("approvals", countOf(results, "approved"), 1)
      same("late ones", countOf(results, "late"), 7)
      const after = await get(world, processes[1], started.id)
      same("the verification", [after.status, after.by, after.assurance].join(), "approved,sms,network")
      same("messages", world.network.messages.length, 0)
    }
  },
  {
    name: "many texts at once are replied to once, at one price",
    check: async (world) => {
      const processes = await two(world)
      const started = await start(world, processes[0], waiting(["sms"]))
      const results = await atOnce(8, processes, textOf(world, started))
      same("replies", countOf(results, "replied"), 1)
      same("messages", world.network.messages.length, 1)
      const code = world.network.messages[0]?.code ?? ""
      const checked = await processes[1].service.verify.check(world.account, started.id, { code })
      same("the check", checked.valid, true)
    }
  },
  {
    name: "a token of two numbers at once approves once or never, and says of both",
    check: async (world) => {
      const processes = await two(world)
      for (let round = 0; round < 8; round++) {
        const started = await start(world, processes[0], {
          ...waiting(["sms"], { reply: false }),
          purpose: `two-${round}`
        })
        const [own, other] = await Promise.all([
          processes[round % 2 === 0 ? 0 : 1].offer(textOf(world, started)),
          processes[round % 2 === 0 ? 1 : 0].offer(textOf(world, started, OTHER))
        ])
        const after = await get(world, processes[0], started.id)
        const isApproved = own === "approved"
        same(`the status after ${own} and ${other}`, after.status, isApproved ? "approved" : "pending")
        same(`its record after ${own} and ${other}`, resultsOf(after), isApproved ? "approved" : "other_number")
        same("the other one", other, isApproved ? "late" : "other_number")
      }
    }
  },
  {
    name: "a text at once with a wish for the next step is one or the other",
    check: async (world) => {
      const processes = await two(world)
      for (let round = 0; round < 6; round++) {
        const before = world.network.messages.length
        const started = await start(world, processes[0], {
          ...waiting(["sms"], { reply: false }),
          purpose: `next-${round}`
        })
        const [result, next] = await Promise.all([
          processes[0].offer(textOf(world, started)),
          outcomeOf(processes[1].service.verify.next(world.account, started.id))
        ])
        const after = await get(world, processes[1], started.id)
        const sent = world.network.messages.length - before
        if (result === "approved") {
          same("the status", after.status, "approved")
          holds("the wish came too late", "code" in next && next.code === "CONFLICT")
          same("messages", sent, 0)
        } else {
          same("the text", result, "late")
          same("the step", after.step, 2)
          same("messages", sent, 1)
        }
      }
    }
  },
  {
    name: "a text at once with a cancellation is one or the other",
    check: async (world) => {
      const processes = await two(world)
      for (let round = 0; round < 6; round++) {
        const started = await start(world, processes[0], {
          ...waiting(["sms"], { reply: false }),
          purpose: `cancel-${round}`
        })
        const [result, canceled] = await Promise.all([
          processes[0].offer(textOf(world, started)),
          outcomeOf(processes[1].service.verify.cancel(world.account, started.id))
        ])
        const { status } = await get(world, processes[1], started.id)
        same("the status", status, result === "approved" ? "approved" : "canceled")
        same("the cancellation", "answer" in canceled, result === "late")
      }
    }
  },
  {
    name: "a text after the end of its step or of its verification is late",
    check: async (world) => {
      const process = await world.process()
      const started = await start(world, process, waiting(["sms"], { reply: false }))
      await world.elapse(61)
      await process.maintain()
      same("after the step", await process.offer(textOf(world, started)), "late")
      same("messages", world.network.messages.length, 1)
      await world.elapse(600)
      same("after the verification", await process.offer(textOf(world, started)), "late")
      same("its status", (await get(world, process, started.id)).status, "expired")
    }
  },
  {
    name: "starts at once that wait for a call share no call",
    check: async (world) => {
      const processes = await two(world)
      const purposes = ["one", "two", "three", "four"]
      const started = await Promise.all(
        purposes.map((purpose, index) =>
          outcomeOf(start(world, processes[index % 2 === 0 ? 0 : 1], { ...waiting(["call"]), purpose }))
        )
      )
      const ids = started.flatMap((each) => ("answer" in each ? [each.answer.id] : []))
      const result = await processes[0].offer(callOf(world))
      const statuses = await Promise.all(ids.map(async (id) => (await get(world, processes[1], id)).status))
      const approvals = statuses.filter((status) => status === "approved").length
      same(`approvals after ${result}`, approvals, result === "approved" ? 1 : 0)
      holds(`a call approves one of them, or says why not: ${result}`, ["approved", "ambiguous"].includes(result))
    }
  },
  {
    name: "a text that reached a process which died approves once it is repeated",
    check: async (world) => {
      for (let number = 1, hasDied = true; hasDied; number++) {
        for (const place of PLACES) {
          const [dying, next] = [await world.process(), await world.process()]
          const started = await start(world, next, {
            ...waiting(["sms"], { reply: false }),
            purpose: `dying-${place}-${number}`
          })
          dying.life.dieAt(number, place)
          const first = await dying.unlessDead(dying.offer(textOf(world, started)))
          hasDied = dying.life.isDead()
          dying.life.die()
          // A carrier repeats a text that was not answered.
          const second = first ?? (await next.offer(textOf(world, started)))
          holds(`the repeat after a death ${place} step ${number}: ${second}`, ["approved", "late"].includes(second))
          const after = await get(world, next, started.id)
          same(`the status after a death ${place} step ${number}`, after.status, "approved")
          same("approvals", resultsOf(after), "approved")
        }
      }
    },
    options: { credit: 100 }
  },
  {
    name: "a text whose reply died with its process still leads to a code, and to no second one of its step",
    check: async (world) => {
      for (let number = 1, hasDied = true; hasDied; number++) {
        for (const place of PLACES) {
          const [dying, next] = [await world.process(), await world.process()]
          const before = world.network.messages.length
          const started = await start(world, next, { ...waiting(["sms"]), purpose: `reply-${place}-${number}` })
          dying.life.dieAt(number, place)
          const first = await dying.unlessDead(dying.offer(textOf(world, started)))
          hasDied = dying.life.isDead()
          dying.life.die()
          if (first === null) await next.offer(textOf(world, started))
          for (let pass = 0; pass < 2; pass++) {
            await world.elapse(61)
            await next.maintain()
          }
          const sent = world.network.messages.slice(before)
          holds(`messages after a death ${place} step ${number}: ${sent.length}`, sent.length >= 1 && sent.length <= 2)
          const code = sent[0]?.code ?? ""
          const checked = await next.service.verify.check(world.account, started.id, { code })
          same(`the code after a death ${place} step ${number}`, checked.valid, true)
        }
      }
      const last = await world.process()
      for (const seconds of [61, 600, 24 * 3600]) {
        await world.elapse(seconds)
        await last.maintain()
      }
    },
    options: { credit: 100 }
  }
]
