/**
 * A model of the states that Twilio documents, against the door: random sequences of calls and of time are answered
 * alike.
 */
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type World, openWorld, refusalOf } from "./fixture.ts"

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

/** The content of an answer: a verification's status, or an error's code. */
type Said = string | number

interface Model {
  state: "none" | "pending" | "max_attempts_reached" | "approved" | "canceled"
  /** How many verifications there were. */
  started: number
  sends: number
  checks: number
  now: number
  resendAt: number
  expiresAt: number
}

const LIFE = 600
const INTERVAL = 30

const isLive = ({ expiresAt, now }: Model): boolean => now < expiresAt

/** The documented behaviour, with the interval between two sends that the door has. */
const model = {
  create: (of: Model): Said => {
    if (of.state === "pending" && isLive(of)) {
      if (of.sends === 5) return 60203
      if (of.now < of.resendAt) return 60212
      of.sends++
    } else {
      of.started++
      of.sends = 1
      of.checks = 0
      of.expiresAt = of.now + LIFE
    }
    of.state = "pending"
    of.resendAt = of.now + INTERVAL
    return `pending ${of.started} ${of.sends}`
  },
  createByOther: (of: Model): Said => model.create(of),
  right: (of: Model): Said => model.check(of, true),
  wrong: (of: Model): Said => model.check(of, false),
  check: (of: Model, isRight: boolean): Said => {
    if (!isLive(of)) return 20404
    if (of.state === "max_attempts_reached") return 60202
    if (of.state !== "pending") return 20404
    of.checks++
    if (isRight) of.state = "approved"
    else if (of.checks === 5) of.state = "max_attempts_reached"
    return isRight ? "approved" : "pending"
  },
  fetch: (of: Model): Said =>
    isLive(of) && (of.state === "pending" || of.state === "max_attempts_reached") ? of.state : 20404,
  cancel: (of: Model): Said => model.end(of, "canceled"),
  approve: (of: Model): Said => model.end(of, "approved"),
  end: (of: Model, state: "approved" | "canceled"): Said => {
    if (of.state !== "pending" || !isLive(of)) return 20404
    of.state = state
    return state
  }
}

type Call = "create" | "createByOther" | "right" | "wrong" | "fetch" | "cancel" | "approve"

type Step = Call | number

const steps = (length: number, ...each: ReadonlyArray<ReadonlyArray<Step>>) =>
  fc.array(fc.constantFrom(...each), { minLength: length, maxLength: 2 * length }).map((some) => some.flat())

const ended: ReadonlyArray<Step> = ["approve", "cancel", "right"]

/** Sequences of a user, of a guesser, and of a user who requests the code again. A number is seconds that pass. */
const sequences = fc.oneof(
  steps(
    8,
    ["create"],
    ["createByOther"],
    ["wrong"],
    ["fetch"],
    [1],
    [31],
    [200],
    [601],
    ...ended.map((step) => [step])
  ),
  steps(8, ["wrong"], ["wrong"], ["wrong"], ["fetch"], [1]).map((guesses): Array<Step> => [
    "create",
    ...guesses,
    "right"
  ]),
  steps(6, ["create", 31], ["createByOther", 31], ["create", 31], ["fetch"])
)

/** Calls of one number, and the SID of its last verification. */
const driver = (to: string) => {
  const service = world.client.verify.v2.services(world.va)
  const sids: Array<string> = []
  const last = () => sids.at(-1) ?? "VE00000000000000000000000000000000"
  const check = async (isRight: boolean) => {
    const code = await world.code(to)
    const other = code === "000000" ? "000001" : "000000"
    return (await service.verificationChecks.create({ to, code: isRight && code !== "" ? code : other })).status
  }
  const create = async (channel: string) => {
    const { sendCodeAttempts, sid, status } = await service.verifications.create({ to, channel })
    if (!sids.includes(sid)) sids.push(sid)
    return `${status} ${sids.indexOf(sid) + 1} ${sendCodeAttempts.length}`
  }
  return {
    create: () => create("sms"),
    createByOther: () => create("whatsapp"),
    right: () => check(true),
    wrong: () => check(false),
    fetch: async () => (await service.verifications(last()).fetch()).status,
    cancel: async () => (await service.verifications(last()).update({ status: "canceled" })).status,
    approve: async () => (await service.verifications(last()).update({ status: "approved" })).status
  }
}

/** The answer of the door, or the code of its error. */
const said = async (promise: Promise<string>): Promise<Said> => {
  const answered = promise.then((status): Said => status)
  const { code } = await refusalOf(answered)
  return code === 0 ? answered : (code ?? "an error without a code")
}

it("the door and the model agree on every answer", async () => {
  let runs = 0
  const seen = new Set<Said>()
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      const of: Model = { state: "none", started: 0, sends: 0, checks: 0, now: 0, resendAt: 0, expiresAt: 0 }
      const door = driver(`+491512${String(1_000_000 + runs++).slice(-7)}`)
      for (const next of sequence) {
        if (typeof next === "number") {
          of.now += next
          world.pass(next * 1_000)
          continue
        }
        const answer = await said(door[next]())
        seen.add(typeof answer === "string" ? (answer.split(" ")[0] ?? "") : answer)
        expect([next, answer]).toEqual([next, model[next](of)])
      }
    }),
    { numRuns: 100, seed: 20260415 }
  )
  expect([...seen].map(String).sort()).toEqual([
    "20404",
    "60202",
    "60203",
    "60212",
    "approved",
    "canceled",
    "max_attempts_reached",
    "pending"
  ])
})
