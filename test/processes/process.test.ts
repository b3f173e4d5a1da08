/**
 * Verifications and guards of several processes on one PostgreSQL database.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import type { AccountId } from "@watchword/schemas/Ids"
import { nextAccountId, nextEntryId } from "@watchword/schemas/Ids"
import { PositiveMicroEuros } from "@watchword/schemas/Money"
import { SmsSent } from "@watchword/schemas/Sms"
import { Verification, VerificationChecked } from "@watchword/schemas/Verification"
import { type Service as StoreService, about } from "@watchword/store/Store"
import { PostgresStore } from "@watchword/store-postgres"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type PostgresServer, start } from "../PostgresServer.ts"
import { someAccount } from "../accounts.ts"
import { tally } from "../stores/fixtures.ts"
import { type Answer, type Process, type Sent, launch } from "./processes.ts"
import { type Operation, SLOW } from "./protocol.ts"

const SCHEMA = "processes"

/** In micro-euros. */
const CREDIT = 100_000_000
const PRICE = 50_000

let server: PostgresServer
let store: StoreService
const address = () => `${server.url}#${SCHEMA}`
let one: Process
let other: Process
const scope = Scope.makeUnsafe()

beforeAll(async () => {
  server = await start()
  const opened = PostgresStore.make({ url: server.url, schema: SCHEMA, connections: 3 })
  store = await Effect.runPromise(Effect.provide(Scope.provide(opened, scope), ChannelRegistry.layerBuiltIn))
  ;[one, other] = await Promise.all([launch(address()), launch(address())])
})

afterAll(async () => {
  await Promise.all([one.end(), other.end()])
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await server.stop()
})

const account = async (): Promise<AccountId> => {
  const at = Date.now()
  const made = someAccount({ id: nextAccountId(at), smsSender: "Acme", createdAt: at })
  const credit = { id: nextEntryId(at), account: made.id, amount: PositiveMicroEuros.make(CREDIT), at }
  await Effect.runPromise(Effect.andThen(store.createAccount(made), store.credit(credit)))
  return made.id
}

const numbers = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `+49151234567${String(index).padStart(2, "0")}`)

const beginning = (to: string, more: object = {}): Operation => ({
  _tag: "start",
  body: { to, workflow: [{ channel: "sms", timeout: 600 }], ...more }
})

const guess = (id: string, code: string): Operation => ({ _tag: "check", id, body: { code } })

const isVerification = Schema.is(Verification)
const isSent = Schema.is(SmsSent)
const isChecked = Schema.is(VerificationChecked)

/** The verification that an operation returned. */
const verificationOf = (answer: Answer): Verification => {
  if ("answer" in answer && isVerification(answer.answer)) return answer.answer
  throw new Error(`no verification, but ${JSON.stringify(answer)}`)
}

/**
 * The result of an operation, in one word: whether a guess was right, a status, a sent text, or the code of an error.
 */
const wordOf = (answer: Answer): string => {
  if ("code" in answer) return answer.code
  if (isSent(answer.answer)) return "sent"
  if (isChecked(answer.answer)) return answer.answer.valid ? "right" : "wrong"
  return isVerification(answer.answer) ? answer.answer.status : JSON.stringify(answer.answer)
}

/** Answers of both processes, each asked the same question this many times at once. */
const both = (of: AccountId, operation: Operation, times = 1): Promise<ReadonlyArray<Answer>> =>
  Promise.all([one, other].flatMap((each) => Array.from({ length: times }, () => each.ask(of, operation))))

const wordsOf = (answers: ReadonlyArray<Answer>) => tally(answers.map(wordOf))

const records = async (of: AccountId, channel: "verify" | "sms") => {
  const all = { account: of, mode: "live", channel, where: [], offset: 0, limit: 1_000 } as const
  return (await Effect.runPromise(store.list({ ...all, sort: { field: "id", direction: "ASC" } }))).rows
}

const TWO_STEPS = [10, 900].map((timeout) => ({ channel: "sms", timeout }))

/** Waits up to 40 seconds: twice the 20 seconds after which the send of a dead process is given up. */
const until = (condition: () => boolean | Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 40_000, interval: 100 })

/** Makes the next step of each verification of an account due. */
const makeDue = async (of: AccountId): Promise<void> => {
  for (const { id } of await records(of, "verify")) {
    await Effect.runPromise(store.report(about(id, Date.now(), { dueAt: 1 })))
  }
}

const sentTo = (to: string): ReadonlyArray<Sent> => [...one.sent, ...other.sent].filter((message) => message.to === to)

describe("verifications of two processes on one database", () => {
  it("start one verification of a number when both are asked at once", async () => {
    const owner = await account()
    const answers = await Promise.all(numbers(10).map((to) => both(owner, beginning(to))))
    for (const each of answers) expect(each.map(wordOf).sort()).toEqual(["TOO_MANY_REQUESTS", "pending"])
    // Of two, the second is counted before the first is stored, or finds it: a limit or the interval refuses it.
    const kept = (await records(owner, "verify")).filter(({ status }) => status.name !== "blocked")
    expect(kept.map(({ to }) => to).sort()).toEqual(numbers(10))
    expect(await records(owner, "sms")).toHaveLength(10)
  })

  it("compare no more guesses than there are, however many come at once", async () => {
    const owner = await account()
    const [to = ""] = numbers(1)
    const { id } = verificationOf(await one.ask(owner, beginning(to, { code: "424242", max_checks: 5 })))
    expect(wordsOf(await both(owner, guess(id, "111111"), 20))).toEqual({ wrong: 5, TOO_MANY_REQUESTS: 35 })
    expect(wordsOf(await both(owner, guess(id, "424242")))).toEqual({ TOO_MANY_REQUESTS: 2 })
  })

  it("find one of two right guesses valid", async () => {
    const owner = await account()
    const answers = await Promise.all(
      numbers(10).map(async (to) => {
        const { id } = verificationOf(await one.ask(owner, beginning(to, { code: "424242" })))
        return (await both(owner, guess(id, "424242"))).map(wordOf).sort()
      })
    )
    expect(answers).toEqual(numbers(10).map(() => ["CONFLICT", "right"]))
  })

  it("take each step that is due once", async () => {
    const owner = await account()
    // No code is entered of so many starts in one country, which the default rules refuse.
    const rules = { action: "record", limits: [] }
    await Effect.runPromise(store.changeSetting({ account: owner, name: "guards", value: JSON.stringify(rules) }))
    const to = Array.from({ length: 150 }, (_, index) => `${SLOW}${String(index).padStart(6, "0")}`)
    await Promise.all(to.map((number) => one.ask(owner, beginning(number, { workflow: TWO_STEPS }))))
    const before = [one, other].map(({ sent }) => sent.length)
    await makeDue(owner)
    await until(async () => (await records(owner, "verify")).every(({ details }) => details["step"] === 2))
    await until(async () => (await records(owner, "sms")).filter(({ phase }) => phase === "accepted").length >= 300)
    expect(await records(owner, "sms")).toHaveLength(300)
    const shares = [one, other].map(({ sent }, index) => sent.length - (before[index] ?? 0))
    expect(shares.reduce((sum, share) => sum + share)).toBe(150)
  })
})

describe("a process that is killed between the opening of a step of a verification and its submission", () => {
  it("leaves the plan to another", async () => {
    const owner = await account()
    const to = "+4915123456799"
    const dying = await launch(address(), "silent")
    void dying.ask(owner, beginning(to, { workflow: TWO_STEPS }))
    await until(() => dying.sent.length === 1)
    await dying.kill()
    await until(async () => {
      if (sentTo(to).length > 0) return true
      await makeDue(owner)
      return false
    })
    const [code = ""] = /\d{6}/.exec(sentTo(to)[0]?.text ?? "") ?? []
    const [record] = await records(owner, "verify")
    const id = `vrf_${record?.id}`
    const attempts = async () => {
      const verification = verificationOf(await one.ask(owner, { _tag: "get", id }))
      return verification.attempts.map(({ status }) => status)
    }
    await until(async () => !(await attempts()).includes("opening"))
    expect(await attempts()).toEqual(["unknown", "accepted"])
    expect(sentTo(to)).toHaveLength(1)
    expect(wordsOf(await both(owner, guess(id, code)))).toEqual({ right: 1, CONFLICT: 1 })
  }, 60_000)
})

describe("guards of two processes on one database", () => {
  it("let ten through of a hundred sends at once on a limit of ten", async () => {
    const owner = await account()
    const rules = { action: "deny", limits: [{ name: "number", by: ["to"], rates: ["10/1h"] }] }
    await Effect.runPromise(store.changeSetting({ account: owner, name: "guards", value: JSON.stringify(rules) }))
    const [to = ""] = numbers(1)
    const send: Operation = { _tag: "send", body: { to, text: "Your code is 424242" } }
    expect(wordsOf(await both(owner, send, 50))).toEqual({ sent: 10, TOO_MANY_REQUESTS: 90 })
    const kept = await records(owner, "sms")
    expect(tally(kept.map(({ status }) => status.name))).toEqual({ sent: 10, blocked: 90 })
    const { balance } = Option.getOrThrow(await Effect.runPromise(store.account(owner)))
    expect(balance).toMatchObject({ available: CREDIT - 10 * PRICE, held: 0 })
  })
})
