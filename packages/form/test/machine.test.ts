/**
 * The form as pure functions.
 */
import { type Answer, type Form, type Happening, type Sent, begin, resendIn, step } from "@watchword/form"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const NOW = 1_800_000_000_000

const fresh = begin({ country: "DE", language: "de", now: NOW })

const sent: Sent = {
  id: "vrf_01KAJ3T8ZZ0000000000000000",
  to: { number: "+4915123456789", written: "+49 1512 3456789" },
  channel: "sms",
  step: 1,
  other: "call",
  resend_in: 30,
  next_in: 60,
  expires_in: 600,
  sends_left: 4,
  checks_left: 5,
  code_length: 6,
  has_code: true,
  ways: []
}

const answer: Answer = { stage: "code", sent, problem: null, readings: [], country: null, location: null }

/** A form after happenings, each answer being that to the last request. */
const after = (form: Form, ...happenings: ReadonlyArray<Happening | Answer>): Form =>
  happenings.reduce<Form>(
    (before, happening) =>
      step(before, "stage" in happening ? { type: "answered", request: before.request, answer: happening } : happening)
        .form,
    form
  )

const entering = after(fresh, { type: "number", text: "0151 23456789" }, { type: "send" }, answer)

const askOf = (form: Form, happening: Happening) => step(form, happening).ask

describe("a form", () => {
  it("sends its number, with the country and the language", () => {
    const form = after(fresh, { type: "number", text: "0151 23456789" })
    expect(askOf(form, { type: "send" })).toEqual({
      action: "start",
      to: "0151 23456789",
      country: "DE",
      language: "de"
    })
    expect(askOf(form, { type: "send", number: "+4915123456789" })).toMatchObject({ to: "+4915123456789" })
  })

  it.each(["", "  ", "me"])("asks for a number where there is %j", (text) => {
    const { ask, form } = step(after(fresh, { type: "number", text }), { type: "send" })
    expect([ask, form.problem?.reason]).toEqual([null, "number_missing"])
  })

  it("checks a code once it is whole, and each code once by itself", () => {
    expect(askOf(entering, { type: "code", text: "48291" })).toBeNull()
    expect(askOf(entering, { type: "code", text: "482 913" })).toEqual({ action: "check", id: sent.id, code: "482913" })
    const failed = after(entering, { type: "code", text: "482913" })
    const shown = after(failed, { type: "failed", request: failed.request, reason: "offline" })
    expect(shown).toMatchObject({ stage: "code", problem: { reason: "offline" }, code: { entered: "482913" } })
    expect(askOf(shown, { type: "code", text: "482913" })).toBeNull()
    expect(askOf(shown, { type: "confirm" })).toEqual({ action: "check", id: sent.id, code: "482913" })
  })

  it("empties the field of a wrong code, and keeps one that was not compared", () => {
    const checked = after(entering, { type: "code", text: "111111" })
    expect(after(checked, { ...answer, problem: { reason: "wrong_code", wait: null } }).code?.entered).toBe("")
    expect(after(checked, { ...answer, problem: { reason: "unavailable", wait: null } }).code?.entered).toBe("111111")
  })

  it("says what was wrong with a code until another one is entered, also behind an Enter", () => {
    const checked = after(entering, { type: "code", text: "111111" })
    const refused = after(checked, { ...answer, problem: { reason: "wrong_code", wait: null } })
    expect(after(refused, { type: "confirm" }).problem?.reason).toBe("wrong_code")
    expect(after(refused, { type: "code", text: "1" }).problem).toBeNull()
    expect(after(entering, { type: "confirm" }).problem?.reason).toBe("code_incomplete")
  })

  it("says what a code with letters lacks, and asks nothing", () => {
    const { ask, form } = step(entering, { type: "code", text: "12a456" })
    expect([ask, form.code?.entered, form.problem?.reason]).toEqual([null, "12456", "code_letters"])
    expect(after(form, { type: "code", text: "124567" }).problem).toBeNull()
    expect(askOf(entering, { type: "code", text: "1a23456" })).toBeNull()
  })

  it("counts the seconds until the code may be sent again by its own clock", () => {
    expect(resendIn(entering)).toBe(30)
    expect(resendIn(after(entering, { type: "tick", now: NOW + 29_001 }))).toBe(1)
    expect(resendIn(after(entering, { type: "tick", now: NOW + 30_000 }))).toBe(0)
  })

  it("asks once how it stands after the time of the next step", () => {
    expect(askOf(entering, { type: "tick", now: NOW + 61_000 })).toBeNull()
    const { ask, form } = step(entering, { type: "tick", now: NOW + 62_000 })
    expect(ask).toEqual({ action: "state", id: sent.id, wait: false })
    const called = after(form, { ...answer, sent: { ...sent, channel: "call", step: 2, next_in: null } })
    expect([called.code?.channel, askOf(called, { type: "tick", now: NOW + 90_000 })]).toEqual(["call", null])
  })

  it("has expired by its own clock", () => {
    expect(after(entering, { type: "tick", now: NOW + 600_000 })).toMatchObject({
      stage: "ended",
      problem: { reason: "expired" }
    })
  })

  it("knows the next channel after the message has arrived, when the handler does not", () => {
    const arrived = after(entering, { type: "refresh" }, { ...answer, sent: { ...sent, other: "other" } })
    expect(arrived.code?.other).toBe("call")
    const stepped = after(arrived, { type: "refresh" }, { ...answer, sent: { ...sent, step: 2, other: "other" } })
    expect(stepped.code?.other).toBe("other")
  })

  it("goes back to its number, which is still there", () => {
    expect(after(entering, { type: "change" })).toMatchObject({ stage: "number", number: "0151 23456789", code: null })
  })

  it("stays where it is when a refresh fails", () => {
    const asked = after(entering, { type: "refresh" })
    const unavailable = {
      ...answer,
      stage: "number",
      sent: null,
      problem: { reason: "unavailable", wait: null }
    } as const
    expect(after(asked, unavailable)).toMatchObject({ stage: "code", problem: null, code: { id: sent.id } })
  })

  it("takes the handler's country, until its user chooses one", () => {
    const located = { ...answer, stage: "number", sent: null, country: "FR" } as const
    expect(after(fresh, { type: "refresh" }, located).country).toBe("FR")
    expect(after(fresh, { type: "country", country: "GB" }, { type: "refresh" }, located).country).toBe("GB")
  })
})

/** Of an answer: any, or else that of the last one. */
const LAST = -1
const request = fc.oneof(fc.nat(12), fc.constant(LAST), fc.constant(LAST))

const happenings: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ type: fc.constant("number" as const), text: fc.oneof(fc.string(), fc.constant("0151 23456789")) }),
  fc.record({ type: fc.constant("code" as const), text: fc.oneof(fc.string(), fc.stringMatching(/^\d{0,9}$/)) }),
  fc.record({ type: fc.constantFrom("confirm", "resend", "other", "change", "refresh") }),
  fc.constant({ type: "send" } as const),
  fc.record({ type: fc.constant("country" as const), country: fc.constantFrom("DE", "FR") }),
  fc.record({ type: fc.constant("tick" as const), now: fc.integer({ min: NOW, max: NOW + 700_000 }) }),
  fc.record({
    type: fc.constant("failed" as const),
    request,
    reason: fc.constantFrom("offline", "unavailable")
  }),
  fc.record({
    type: fc.constant("answered" as const),
    request,
    answer: fc.constantFrom<Answer>(
      answer,
      { ...answer, stage: "approved" },
      { ...answer, problem: { reason: "wrong_code", wait: null } },
      { ...answer, stage: "number", sent: null, problem: { reason: "too_many", wait: 60 } },
      { ...answer, stage: "ended", sent: null, problem: { reason: "ended", wait: null } }
    )
  })
)

describe("whatever happens", () => {
  const walk = (check: (before: Form, happening: Happening, made: ReturnType<typeof step>) => void) =>
    fc.assert(
      fc.property(fc.array(happenings, { minLength: 30, maxLength: 60 }), (all) => {
        let form = fresh
        for (const given of all) {
          const happening = "request" in given && given.request === LAST ? { ...given, request: form.request } : given
          const made = step(form, happening)
          check(form, happening, made)
          form = made.form
        }
      }),
      { numRuns: 500, seed: 46 }
    )

  it("one request is out at a time", () => {
    let asked = 0
    walk((before, _, { ask, form }) => {
      if (ask === null) return
      asked += 1
      // A request of the user replaces a look at the state.
      const replaced = before.asking === "state" && ask.action !== "state" ? "state" : null
      expect([before.asking, form.asking, form.request]).toEqual([replaced, ask.action, before.request + 1])
    })
    expect(asked).toBeGreaterThan(500)
  })

  it("an answer to another request changes nothing", () => {
    let ignored = 0
    walk((before, happening, { ask, form }) => {
      if (happening.type !== "answered" && happening.type !== "failed") return
      if (before.asking !== null && happening.request === before.request) return
      ignored += 1
      expect([ask, form]).toEqual([null, before])
    })
    expect(ignored).toBeGreaterThan(500)
  })

  it("an approval comes from an answer alone", () => {
    let approved = 0
    walk((before, happening, { form }) => {
      if (form.stage !== "approved" || before.stage === "approved") return
      approved += 1
      expect(happening).toMatchObject({ type: "answered", request: before.request, answer: { stage: "approved" } })
    })
    expect(approved).toBeGreaterThan(20)
  })

  it("what is entered has digits alone, at most as many as the code", () => {
    const entered = new Set<string>()
    walk((_, __, { form }) => void entered.add(form.code?.entered ?? ""))
    expect(entered.size).toBeGreaterThan(50)
    expect([...entered].filter((code) => !/^[0-9]{0,6}$/.test(code))).toEqual([])
  })
})

describe("a form whose user acts first", () => {
  const way = {
    by: "sms",
    number: { number: "+447700900801", written: "+44 7700 900801" },
    uri: "sms:+447700900801?body=Hello",
    text: "Hello",
    qr: null
  }
  const waiting: Answer = {
    ...answer,
    sent: { ...sent, channel: "receive", other: "sms", next_in: null, has_code: false, ways: [way] }
  }
  const acting = after(
    fresh,
    { type: "number", text: "0151 23456789" },
    { type: "send" },
    {
      type: "answered",
      request: 1,
      answer: waiting
    }
  )
  const look = { action: "state", id: sent.id, wait: true }

  it("looks whether the user has acted, every two seconds or once it is answered", () => {
    expect(askOf(acting, { type: "tick", now: NOW + 1_999 })).toBeNull()
    const first = step(acting, { type: "tick", now: NOW + 2_000 })
    expect(first.ask).toEqual(look)
    expect(askOf(first.form, { type: "tick", now: NOW + 21_000 })).toBeNull()
    const late = step(
      { ...first.form, now: NOW + 22_000 },
      { type: "answered", request: first.form.request, answer: waiting }
    )
    expect(askOf(late.form, { type: "tick", now: NOW + 22_000 })).toEqual(look)
    const early = step(
      { ...first.form, now: NOW + 2_100 },
      { type: "answered", request: first.form.request, answer: waiting }
    )
    expect(askOf(early.form, { type: "tick", now: NOW + 3_999 })).toBeNull()
    expect(askOf(early.form, { type: "tick", now: NOW + 4_000 })).toEqual(look)
    const failed = step(
      { ...first.form, now: NOW + 2_100 },
      { type: "failed", request: first.form.request, reason: "offline" }
    )
    expect(failed.form.problem).toBeNull()
    expect(askOf(failed.form, { type: "tick", now: NOW + 4_000 })).toBeNull()
    expect(askOf(failed.form, { type: "tick", now: NOW + 4_100 })).toEqual(look)
  })

  it("has what the user asks for replace a look, whose answer then changes nothing", () => {
    const looking = step(acting, { type: "tick", now: NOW + 2_000 }).form
    const { ask, form } = step(looking, { type: "other" })
    expect(ask).toEqual({ action: "other", id: sent.id })
    const approved: Answer = { ...waiting, stage: "approved" }
    expect(after(form, { type: "answered", request: looking.request, answer: approved })).toEqual(form)
  })

  it("ends by itself once the user has acted, and looks no more", () => {
    const looking = step(acting, { type: "tick", now: NOW + 2_000 }).form
    const done = after(looking, {
      type: "answered",
      request: looking.request,
      answer: { ...waiting, stage: "approved" }
    })
    expect(done.stage).toBe("approved")
    expect(askOf(done, { type: "tick", now: NOW + 60_000 })).toBeNull()
  })

  it("expires while it looks", () => {
    const looking = step(acting, { type: "tick", now: NOW + 590_000 }).form
    expect(after(looking, { type: "tick", now: NOW + 600_000 })).toMatchObject({ stage: "ended" })
  })
})
