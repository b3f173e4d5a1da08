/**
 * Races of verifications: what happens at once, in one process or in several on the same store.
 */
import { holds, like, same } from "@watchword/store/checks"
import {
  type WorldCase,
  bind,
  check,
  codeOf,
  get,
  type Harness,
  outcomeOf,
  outcomesOf,
  sorted,
  start,
  until,
  wrongCode
} from "./cases.ts"
import { deaths } from "./deaths.ts"
import { receives } from "./receives.ts"
import { step } from "./settings.ts"
import { type Process, type World } from "./world.ts"

/** The cases, for one store. */
export const cases = (harness: Harness) => [...races, ...deaths, ...receives].map(bind(harness))

const RESEND_AFTER = 31
const TTL = 600

const two = async (world: World): Promise<readonly [Process, Process]> => [await world.process(), await world.process()]

/** So many calls at once, in two processes by turns. */
const atOnce = <A>(
  count: number,
  processes: readonly [Process, Process],
  call: (process: Process, index: number) => Promise<A>
) => outcomesOf(Array.from({ length: count }, (_, index) => call(processes[index % 2 === 0 ? 0 : 1], index)))

const races: ReadonlyArray<WorldCase> = [
  {
    name: "starts at once make one verification, and send once",
    check: async (world) => {
      const processes = await two(world)
      const { answers, codes } = sorted(await atOnce(8, processes, (process) => start(world, process)))
      holds("an answer with the verification", answers.length > 0)
      same("verifications", new Set(answers.map(({ id }) => id)).size, 1)
      same("verifications in the store", (await world.deliveries("verify")).length, 1)
      same("other answers", Object.keys(codes).join(), answers.length === 8 ? "" : "TOO_MANY_REQUESTS")
      same("messages", world.network.messages.length, 1)
    }
  },
  {
    name: "starts at once while one is pending send the same code once more",
    check: async (world) => {
      const processes = await two(world)
      const first = await start(world, processes[0])
      await world.elapse(RESEND_AFTER)
      const { answers, codes } = sorted(await atOnce(8, processes, (process) => start(world, process)))
      same("verifications", [...new Set(answers.map(({ id }) => id))].join(), first.id)
      same("other answers", Object.keys(codes).join(), answers.length === 8 ? "" : "TOO_MANY_REQUESTS")
      same("messages", world.network.messages.length, 2)
      same("codes", new Set(world.network.messages.map(({ code }) => code)).size, 1)
    }
  },
  {
    name: "starts at once in place of a pending one leave one pending, and send once",
    check: async (world) => {
      const processes = await two(world)
      const first = await start(world, processes[0], { code: "111111" })
      await world.elapse(RESEND_AFTER)
      const other = (index: number) => ({ code: `22222${index}`, replace: true })
      const { answers, codes } = sorted(
        await atOnce(8, processes, (process, index) => start(world, process, other(index)))
      )
      same("answers", answers.length, 1)
      same("other answers", codes["TOO_MANY_REQUESTS"], 7)
      same("messages", world.network.messages.length, 2)
      like("the one before", await get(world, processes[1], first.id), { status: "canceled" })
    }
  },
  {
    name: "no more guesses at once are compared than a verification has",
    check: async (world) => {
      const processes = await two(world)
      const { id } = await start(world, processes[0], { max_checks: 3 })
      const wrong = wrongCode(world)
      const { answers, codes } = sorted(await atOnce(20, processes, (process) => check(world, process, wrong, id)))
      same("guesses that were compared", answers.length, 3)
      holds(
        "none of them is valid",
        answers.every(({ valid }) => !valid)
      )
      same("guesses that were refused", codes["TOO_MANY_REQUESTS"], 17)
      like("the verification", await get(world, processes[1], id), {
        status: "failed",
        reason: "max_checks",
        checks_left: 0
      })
      like("the right code afterwards", await outcomeOf(check(world, processes[1], codeOf(world), id)), {
        code: "TOO_MANY_REQUESTS"
      })
    }
  },
  {
    name: "the right code among guesses at once is valid only where it was within the budget",
    check: async (world) => {
      const processes = await two(world)
      const { id } = await start(world, processes[0], { max_checks: 4 })
      const guesses = [codeOf(world), wrongCode(world)]
      const outcomes = await atOnce(20, processes, (process, index) =>
        check(world, process, guesses[index === 10 ? 0 : 1] ?? "", id)
      )
      const { answers } = sorted(outcomes)
      const valid = answers.filter((answer) => answer.valid).length
      const { checks_left: left, status } = await get(world, processes[1], id)
      holds("at most four guesses were compared", answers.length <= 4 && answers.length === 4 - left)
      same("the status", status, valid === 1 ? "approved" : "failed")
    }
  },
  {
    name: "of right guesses at once one is valid, and the others are conflicts",
    check: async (world) => {
      const processes = await two(world)
      const { id } = await start(world, processes[0])
      const code = codeOf(world)
      const { answers, codes } = sorted(await atOnce(10, processes, (process) => check(world, process, code, id)))
      same("answers", answers.map(({ valid }) => valid).join(), "true")
      same("conflicts", codes["CONFLICT"], 9)
      like("the verification", await get(world, processes[1], id), { status: "approved", checks_left: 4 })
    }
  },
  {
    name: "a right guess and the timer of its step at once: the first one counts",
    check: async (world) => {
      const [one, other] = await two(world)
      const { id } = await start(world, one, { workflow: [step("sms"), step("chatgw")] })
      await world.elapse(20)
      const [checked] = await Promise.all([outcomeOf(check(world, one, codeOf(world), id)), other.maintain()])
      like("the guess", checked, { answer: { valid: true, status: "approved" } })
      const { attempts } = await get(world, other, id)
      same("messages", world.network.messages.length, attempts.length)
      await world.elapse(20)
      await other.maintain()
      same("attempts after the approval", (await get(world, other, id)).attempts.length, attempts.length)
    }
  },
  {
    name: "a right guess and a cancel at once: the first one counts",
    check: async (world) => {
      const [one, other] = await two(world)
      const { id } = await start(world, one)
      const [checked, canceled] = await Promise.all([
        outcomeOf(check(world, one, codeOf(world), id)),
        outcomeOf(other.service.verify.cancel(world.account, id))
      ])
      const { status } = await get(world, one, id)
      const isApproved = status === "approved"
      holds(`a final status, not ${status}`, isApproved || status === "canceled")
      same("the guess is valid", "answer" in checked && checked.answer.valid, isApproved)
      same("the cancel is a conflict", "code" in canceled && canceled.code === "CONFLICT", isApproved)
    }
  },
  {
    name: "a right guess is valid until the verification expires, and not at that moment",
    check: async (world) => {
      const [one, other] = await two(world)
      const first = await start(world, one)
      await world.elapse(TTL - 0.001)
      like("the last moment", await check(world, other, codeOf(world), first.id), { valid: true })
      const second = await start(world, one, { purpose: "second" })
      const code = world.network.messages[1]?.code ?? ""
      await world.elapse(TTL)
      const [late] = await Promise.all([outcomeOf(check(world, one, code, second.id)), other.maintain()])
      holds("no approval", !("answer" in late) || !late.answer.valid)
      like("the verification", await get(world, other, second.id), { status: "expired", checks_left: 5 })
    }
  },
  {
    name: "a number is free again once its verification has ended",
    check: async (world) => {
      const [one, other] = await two(world)
      const ids = new Set<string>()
      const begin = async () => {
        const { id } = await start(world, one)
        ids.add(id)
        return { id, code: world.network.messages.at(-1)?.code ?? "" }
      }
      const approved = await begin()
      await check(world, other, approved.code, approved.id)
      const canceled = await begin()
      await other.service.verify.cancel(world.account, canceled.id)
      await begin()
      await world.elapse(TTL)
      const { answers } = sorted(await atOnce(6, [one, other], (process) => start(world, process)))
      for (const { id } of answers) ids.add(id)
      same("verifications", ids.size, 4)
    }
  },
  ...[true, false].map((good): WorldCase => ({
    name: `a late ${good ? "good" : "bad"} receipt moves its own record, and no plan`,
    check: async (world) => {
      const [one, other] = await two(world)
      const { id } = await start(world, one, { workflow: [step("sms"), step("chatgw"), step("sms")] })
      await world.elapse(20)
      await other.maintain()
      const before = await get(world, one, id)
      like("the second step", before, { step: 2, channel: "chatgw" })
      const [message] = world.network.messages
      holds("a message", message !== undefined)
      await world.receipt(message, good, other)
      const after = await get(world, one, id)
      like("the plan", after, { step: 2, channel: "chatgw", status: "pending", sends_left: before.sends_left })
      same("the timer", after.next?.at, before.next?.at)
      same("messages", world.network.messages.length, 2)
      const [record] = await world.deliveries("sms")
      same("the record", record?.status.name, good ? "delivered" : "undelivered")
    }
  })),
  ...[true, false].map((good): WorldCase => ({
    name: `a ${good ? "good" : "bad"} receipt and the timer of its step at once take one step at most`,
    check: async (world) => {
      const [one, other] = await two(world)
      const { id } = await start(world, one, { workflow: [step("sms"), step("chatgw"), step("sms")] })
      await world.elapse(20)
      const [message] = world.network.messages
      holds("a message", message !== undefined)
      await Promise.all([world.receipt(message, good, one), other.maintain()])
      await one.maintain()
      await until("no send that is being opened", async () => {
        const { attempts } = await get(world, one, id)
        return attempts.every((attempt) => attempt.status !== "opening")
      })
      const { attempts, status, step: current } = await get(world, one, id)
      same("messages", world.network.messages.length, attempts.length)
      holds(`step ${current} of ${good ? "a good" : "a bad"} receipt`, good ? current <= 2 : current === 2)
      same("the status", status, "pending")
    }
  })),
  {
    name: "a bad receipt is followed by the next step at once, in one process and once",
    check: async (world) => {
      const [one, other] = await two(world)
      const { id } = await start(world, one, { workflow: [step("sms", 300), step("sms", 300)] })
      const [message] = world.network.messages
      holds("a message", message !== undefined)
      await Promise.all([world.receipt(message, false, one), world.receipt(message, false, other)])
      await until("the second message", () => world.network.messages.length === 2)
      await Promise.all([one.maintain(), other.maintain()])
      like("the verification", await get(world, one, id), { step: 2, status: "pending", sends_left: 3 })
      same("messages", world.network.messages.length, 2)
    }
  },
  ...[true, false].map((good): WorldCase => ({
    name: `a ${good ? "good" : "bad"} receipt that comes before the answer of its send counts at once`,
    check: async (world) => {
      const [one, other] = await two(world)
      world.network.earlyReceipt = good
      const { id } = await start(world, one, { workflow: [step("sms"), step("chatgw")] })
      same("messages", world.network.messages.length, good ? 1 : 2)
      like("the verification", await get(world, other, id), {
        step: good ? 1 : 2,
        attempts: good ? [{ status: "delivered" }] : [{ status: "undelivered" }, { status: "accepted" }]
      })
    }
  })),
  {
    name: "a good receipt stops the timer of its step",
    check: async (world) => {
      const [one, other] = await two(world)
      const { id } = await start(world, one, { workflow: [step("sms"), step("sms")] })
      const [message] = world.network.messages
      holds("a message", message !== undefined)
      await world.receipt(message, true, other)
      await until("no next step", async () => (await get(world, one, id)).next === null)
      await world.elapse(60)
      await one.maintain()
      same("messages", world.network.messages.length, 1)
    }
  },
  {
    name: "what is due is done once, by whichever process",
    check: async (world) => {
      const processes = await two(world)
      const { id } = await start(world, processes[0], { workflow: [step("sms"), step("sms"), step("sms")] })
      for (const sent of [2, 3]) {
        await world.elapse(20)
        await Promise.all(Array.from({ length: 6 }, (_, index) => processes[index % 2 === 0 ? 0 : 1].maintain()))
        same("messages", world.network.messages.length, sent)
        same("attempts", (await get(world, processes[1], id)).attempts.length, sent)
      }
    }
  },
  {
    name: "the code of a message that was read before it could be taken back is right",
    check: async (world) => {
      const [one, other] = await two(world)
      const { id } = await start(world, one, { workflow: [step("chatgw"), step("sms")] })
      const [message] = world.network.messages
      holds("a message", message !== undefined)
      message.isRead = true
      await world.elapse(20)
      await other.maintain()
      like("the second step", await get(world, one, id), { step: 2, channel: "sms" })
      like("the guess", await check(world, one, message.code, id), { valid: true, channel: "sms" })
    }
  },
  {
    name: "a resend while the first send is unknown has the same code",
    check: async (world) => {
      const [one, other] = await two(world)
      world.network.fateOf = async () => "unanswered"
      const first = await outcomeOf(start(world, one))
      world.network.fateOf = async () => "taken"
      await world.elapse(RESEND_AFTER)
      const second = await start(world, other)
      if ("answer" in first) same("the verification", second.id, first.answer.id)
      same("codes", new Set(world.network.messages.map(({ code }) => code)).size, 1)
      same("messages", world.network.messages.length, 2)
      like("the guess", await check(world, other, codeOf(world), second.id), { valid: true })
    }
  },
  {
    name: "after a call the code and the caller are right, and three guesses at once are compared at most",
    check: async (world) => {
      const processes = await two(world)
      const begin = async (purpose: string) => {
        const { id } = await start(world, processes[0], {
          purpose,
          workflow: [step("sms"), step("call")],
          max_checks: 10
        })
        await world.elapse(20)
        await processes[1].maintain()
        const [text, call] = world.network.messages.slice(-2)
        return { id, code: text?.code ?? "", ending: call?.code.slice(-6) ?? "" }
      }
      const [one, other, third] = [await begin("one"), await begin("other"), await begin("third")]
      const wrong = one.code.replace(/^./, (digit) => String((Number(digit) + 1) % 10))
      const { answers } = sorted(await atOnce(12, processes, (process) => check(world, process, wrong, one.id)))
      same("guesses that were compared", answers.length, 3)
      like("the caller", await check(world, processes[0], other.ending, other.id), { valid: true, channel: "call" })
      like("the code", await check(world, processes[1], third.code, third.id), { valid: true, channel: "call" })
    }
  },
  {
    name: "the secret is replaced while a verification is pending",
    check: async (world) => {
      const [older, newer] = [
        "the secret that was used before, long enough",
        "the secret that is used now, long enough"
      ]
      holds("two secrets", older !== undefined && newer !== undefined)
      const before = await world.process({ secrets: [older] })
      const after = await world.process({ secrets: [newer, older] })
      const without = await world.process({ secrets: [newer] })
      const { id } = await start(world, before)
      const code = codeOf(world)
      holds("no approval without its secret", !isValid(await outcomeOf(check(world, without, code, id))))
      await world.elapse(RESEND_AFTER)
      await start(world, after)
      same("codes", new Set(world.network.messages.map((each) => each.code)).size, 1)
      like("the guess", await check(world, after, code, id), { valid: true })
    }
  },
  {
    name: "sends at once stay within the budget of a verification",
    check: async (world) => {
      const processes = await two(world)
      const { id } = await start(world, processes[0], { max_sends: 3 })
      for (let round = 0; round < 4; round++) {
        await world.elapse(RESEND_AFTER)
        await atOnce(4, processes, ({ service }, index) =>
          index % 3 === 0
            ? service.verify.start(world.account, { to: world.number })
            : service.verify.next(world.account, id, { channel: "sms" })
        )
      }
      same("messages", world.network.messages.length, 3)
      like("the verification", await get(world, processes[1], id), { sends_left: 0 })
    }
  }
]

const isValid = (outcome: Awaited<ReturnType<typeof outcomeOf<{ readonly valid: boolean }>>>): boolean =>
  "answer" in outcome && outcome.answer.valid
