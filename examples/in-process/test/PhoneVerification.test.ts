import { PhoneVerification, TooManyCodes } from "@watchword/in-process/PhoneVerification"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

const phone = "+4915123456789"
const MINUTE = 60_000

const start = () => {
  const texts: Array<{ readonly to: string; readonly text: string }> = []
  const clock = { now: 0 }
  const verification = new PhoneVerification({
    now: () => clock.now,
    send: async (to, text) => {
      if (to === "+1") throw new Error("not sent")
      texts.push({ to, text })
    }
  })
  const code = () => texts.at(-1)?.text.match(/\b\d{6}\b/)?.[0] ?? "none"
  return { verification, texts, clock, code }
}

/** Another code. */
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0")

describe("a phone number", () => {
  it("is proved by the code that was sent to it, once", async () => {
    const { verification, texts, code } = start()
    await verification.start("ann", phone)
    expect(texts.map(({ to }) => to)).toEqual([phone])
    expect(verification.confirm("ann", code())).toBe(phone)
    expect(verification.confirm("ann", code())).toBeNull()
  })

  it("is not proved by another's code", async () => {
    const { verification, code } = start()
    await verification.start("ann", phone)
    expect(verification.confirm("bob", code())).toBeNull()
    await verification.start("bob", phone)
    const codeOfBob = code()
    await verification.start("ann", phone)
    expect(verification.confirm("bob", codeOfBob)).toBe(phone)
  })

  it.each(["", "1", "1234567", " ", "\0"])("is not proved by %j", async (text) => {
    const { verification } = start()
    await verification.start("ann", phone)
    expect(verification.confirm("ann", text)).toBeNull()
  })

  it("has three guesses", async () => {
    const { verification, code } = start()
    await verification.start("ann", phone)
    expect([1, 2].map(() => verification.confirm("ann", wrong(code())))).toEqual([null, null])
    expect(verification.confirm("ann", code())).toBe(phone)
    await verification.start("ann", phone)
    expect([1, 2, 3].map(() => verification.confirm("ann", wrong(code())))).toEqual([null, null, null])
    expect(verification.confirm("ann", code())).toBeNull()
  })

  it("has five minutes", async () => {
    const { verification, clock, code } = start()
    await verification.start("ann", phone)
    clock.now += 5 * MINUTE - 1
    await verification.start("bob", "+4915123456780")
    const codeOfBob = code()
    clock.now += 1
    expect(verification.confirm("ann", code())).toBeNull()
    expect(verification.confirm("bob", codeOfBob)).toBe("+4915123456780")
  })

  it("has one code at a time", async () => {
    const { verification, code } = start()
    await verification.start("ann", phone)
    const first = code()
    await verification.start("ann", "+4915123456780")
    expect(first === code() ? null : verification.confirm("ann", first)).toBeNull()
    expect(verification.confirm("ann", code())).toBe("+4915123456780")
  })

  it("allows three codes an hour for a number, and for a user", async () => {
    const { verification, texts, clock } = start()
    for (const who of ["ann", "bob", "cem"]) await verification.start(who, phone)
    await expect(verification.start("dan", phone)).rejects.toBeInstanceOf(TooManyCodes)
    for (const last of [1, 2]) await verification.start("ann", `+491512345678${last}`)
    await expect(verification.start("ann", "+4915123456783")).rejects.toBeInstanceOf(TooManyCodes)
    expect(texts.length).toBe(5)
    clock.now += 60 * MINUTE
    await verification.start("ann", phone)
    expect(texts.length).toBe(6)
  })

  it("that the text could not be sent to has no code, and the try counts", async () => {
    const { verification, code } = start()
    for (const _ of [1, 2, 3]) await expect(verification.start("ann", "+1")).rejects.toThrow("not sent")
    expect(verification.confirm("ann", code())).toBeNull()
    await expect(verification.start("ann", "+1")).rejects.toBeInstanceOf(TooManyCodes)
  })
})

it("the example runs", async () => {
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [main])
  expect(stdout).toMatch(/The phone shows: Your code is \d{6}\./)
  expect(stdout).toContain('Confirmed with "guess": null')
  expect(stdout).toContain("Confirmed with the code: +4915123456789")
  expect(stdout).toContain("Delivery records: +4915123456789 sent")
  expect(stdout).toContain("Not sent: TEMPORARY_UNAVAILABLE")
})
