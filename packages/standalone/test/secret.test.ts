import { readFile, stat, writeFile } from "node:fs/promises"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import * as Secret from "../src/Secret.ts"
import * as Settings from "../src/settings/Settings.ts"
import { warnings } from "../src/Warnings.ts"

const given = "0123456789abcdef0123456789abcdef"

const folder = folderForEach()

const settingsOf = (environment: Record<string, string>): Settings.Settings =>
  Result.getOrThrow(Settings.read(environment))

const secretsOf = (environment: Record<string, string>): ReadonlyArray<string> =>
  Secret.of(settingsOf(environment)).map(Redacted.value)

const secretOf = (environment: Record<string, string>): string | undefined => {
  const [secret, ...others] = secretsOf(environment)
  expect(others).toEqual([])
  return secret
}

describe("the secret of an installation", () => {
  it("is made once beside the SQLite database, for this user alone", async () => {
    const file = folder.file("test.db")
    const secret = secretOf({ DATABASE_URL: `sqlite:${file}` })
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(secretOf({ DATABASE_URL: `sqlite:${file}` })).toBe(secret)
    expect((await readFile(`${file}.secret`, "utf8")).trim()).toBe(secret)
    expect((await stat(`${file}.secret`)).mode & 0o777).toBe(0o600)
  })

  it("is not made anew where the file is cut off", async () => {
    const file = folder.file("test.db")
    await writeFile(`${file}.secret`, "0123")
    expect(() => secretOf({ DATABASE_URL: `sqlite:${file}` })).toThrow("is cut off")
  })

  it("is the one that is set, or that a file holds", async () => {
    const file = folder.file("secret")
    await writeFile(file, `${given}\n`)
    for (const DATABASE_URL of [`sqlite:${folder.file("test.db")}`, "postgres://localhost/otp"]) {
      expect(secretOf({ DATABASE_URL, VERIFY_SECRET: given })).toBe(given)
      expect(secretOf({ DATABASE_URL, VERIFY_SECRET_FILE: file })).toBe(given)
    }
  })

  it("may come with those before it, apart by commas or white space", async () => {
    const old = given.toUpperCase()
    const file = folder.file("secret")
    await writeFile(file, `${given}\n${old}\n`)
    expect(secretsOf({ VERIFY_SECRET_FILE: file })).toEqual([given, old])
    for (const VERIFY_SECRET of [`${given},${old}`, `${given}, ${old}`, `${given} ${old}`, `${given}\n${old}`]) {
      expect(secretsOf({ VERIFY_SECRET })).toEqual([given, old])
    }
    const beside = folder.file("test.db")
    await writeFile(`${beside}.secret`, `${given}\n${old}\n`)
    expect(secretsOf({ DATABASE_URL: `sqlite:${beside}` })).toEqual([given, old])
  })

  it("is missing with PostgreSQL unless it is set, and the start says so", () => {
    const DATABASE_URL = "postgres://localhost/otp"
    expect(secretOf({ DATABASE_URL })).toBeUndefined()
    expect(warnings(settingsOf({ DATABASE_URL }))).toEqual([expect.stringContaining("VERIFY_SECRET is not set")])
    expect(warnings(settingsOf({ DATABASE_URL, VERIFY_SECRET: given }))).toEqual([])
  })

  it.each([
    [{ VERIFY_SECRET: "short" }, "VERIFY_SECRET must have at least 32 characters"],
    [{ VERIFY_SECRET: "," }, "VERIFY_SECRET must have at least 32 characters"],
    [{ VERIFY_SECRET: `${given},0123` }, "VERIFY_SECRET must have at least 32 characters"],
    [
      { VERIFY_SECRET_FILE: "/no/such/file" },
      "VERIFY_SECRET_FILE names the file /no/such/file, which cannot be read: no such file."
    ],
    [
      { VERIFY_SECRET: given, VERIFY_SECRET_FILE: "x" },
      "VERIFY_SECRET_FILE must not be set together with VERIFY_SECRET"
    ]
  ])("cannot be %o", (environment, complaint) => {
    const read = Settings.read(environment)
    expect(Result.isFailure(read) && read.failure.message).toContain(complaint)
    expect(Result.isFailure(read) && read.failure.message).not.toContain("0123")
  })
})
