import { writeFile } from "node:fs/promises"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { beforeEach, describe, expect, it } from "vitest"
import { folderForEach } from "../../../test/folder.ts"
import { all, secrets } from "../src/settings/All.ts"
import * as SecretFiles from "../src/settings/SecretFiles.ts"
import * as Settings from "../src/settings/Settings.ts"
import { warnings } from "../src/Warnings.ts"
import { command, startFailing } from "./Standalone.ts"

const folder = folderForEach()
let file: string
beforeEach(async () => {
  file = folder.file("secret")
})

const refusal = (environment: Readonly<Record<string, string>>): string => {
  const read = Settings.read(environment)
  return Result.isFailure(read) ? read.failure.message : "no refusal"
}

describe("a secret in a file", () => {
  it("is the file's content without the newline at its end", async () => {
    for (const { name } of secrets) {
      for (const [content, value] of [
        ["sesame", "sesame"],
        ["open sesame\n", "open sesame"],
        ["two\n\n", "two\n"]
      ] as const) {
        await writeFile(file, content)
        expect(Result.getOrThrow(SecretFiles.resolve({ [`${name}_FILE`]: file }, all))[name]).toBe(value)
      }
    }
  })

  it("has no blanks and line ends around it, which the log says", async () => {
    for (const content of ["sesame\n\n", " sesame", "sesame \r\n", "\ufeffsesame\n"]) {
      await writeFile(file, content)
      const settings = Result.getOrThrow(Settings.read({ CHATGW_TOKEN_FILE: file }))
      const { token } = Option.getOrThrow(settings.chatgw)
      expect(Redacted.isRedacted(token) && Redacted.value(token)).toBe("sesame")
      expect(warnings(settings)).toContain("CHATGW_TOKEN has spaces or line breaks around its value; they are ignored.")
    }
    await writeFile(file, "sesame\n")
    const told = warnings(Result.getOrThrow(Settings.read({ CHATGW_TOKEN_FILE: file })))
    expect(told.join()).not.toContain("blanks")
  })

  it("is refused by name with a line end or an invisible character within it", async () => {
    const bizchat = { BIZCHAT_TOKEN: "EAAG", BIZCHAT_PHONE_NUMBER_ID: "1" }
    for (const value of ["one\ntwo", "one\u200btwo", "one\ttwo"]) {
      await writeFile(file, value)
      for (const given of [{ BIZCHAT_APP_SECRET: value }, { BIZCHAT_APP_SECRET_FILE: file }]) {
        const said = refusal({ ...bizchat, ...given })
        expect(said).toContain("BIZCHAT_APP_SECRET must have no line ends and no invisible characters")
        expect(said).not.toContain("two")
      }
    }
  })

  it("is used as the value of its setting", async () => {
    await writeFile(file, "open-sesame\n")
    const { chatgw } = Result.getOrThrow(Settings.read({ CHATGW_TOKEN_FILE: file }))
    const { token } = Option.getOrThrow(chatgw)
    expect(Redacted.isRedacted(token) && Redacted.value(token)).toBe("open-sesame")
  })

  it("is refused beside the setting itself, for each secret", async () => {
    await writeFile(file, "sesame")
    for (const { name } of secrets) {
      expect(refusal({ [name]: "sesame", [`${name}_FILE`]: file })).toBe(
        `${name}_FILE must not be set together with ${name}.`
      )
    }
  })

  it("is refused where there is nothing to read, with the reason", async () => {
    await writeFile(file, "\n")
    expect(refusal({ SMPP_URL_FILE: file })).toBe(`SMPP_URL_FILE names the file ${file}, which is empty.`)
    expect(refusal({ SMPP_URL_FILE: folder.path() })).toBe(
      `SMPP_URL_FILE names the file ${folder.path()}, which cannot be read: it is a folder.`
    )
    expect(refusal({ SMPP_URL_FILE: `${file}s` })).toContain("which cannot be read: no such file.")
  })

  it("that cannot be used stops the start with the names of both, and without the content", async () => {
    await writeFile(file, "open sesame\n")
    const { code, printed } = await startFailing({ DATABASE_URL: "sqlite::memory:", CHATGW_TOKEN_FILE: file })
    expect(code).toBe(1)
    expect(printed).toContain("CHATGW_TOKEN_FILE: CHATGW_TOKEN must have no spaces")
    expect(printed).not.toContain("sesame")
  })

  it("names the database of the operator's command, which reads no other secret", async () => {
    await writeFile(file, `sqlite:${folder.file("test.db")}\n`)
    const environment = { DATABASE_URL_FILE: file, SMPP_URL_FILE: "/no/such/file" }
    expect(await command(environment, "migrate")).toMatchObject({ ok: true })
    expect(await command(environment, "account", "list")).toEqual({ accounts: [] })
  })
})
