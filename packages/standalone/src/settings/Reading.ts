/**
 * Parsers of environment variables.
 */
import { readFileSync } from "node:fs"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** A setting that cannot be read. The message is one sentence that names it and never repeats a secret. */
export class SettingError extends Schema.TaggedError<SettingError>()("SettingError", {
  setting: Schema.String,
  message: Schema.String
}) {}

export type Environment = Readonly<Record<string, string | undefined>>
export type Read<A> = Result.Result<A, SettingError>

/** Reads a value, or gives the end of the sentence "HOST must be …". */
export type Parse<A> = (value: string) => Result.Result<A, string>

export const text: Parse<string> = (value) => Result.succeed(value)

export const yesOrNo: Parse<boolean> = (value) =>
  value === "yes" || value === "no" ? Result.succeed(value === "yes") : Result.fail("must be yes or no")

export const trueOrFalse: Parse<boolean> = (value) =>
  value === "true" || value === "false" ? Result.succeed(value === "true") : Result.fail("must be true or false")

export const whole =
  (from: number, to: number): Parse<number> =>
  (value) =>
    /^[0-9]{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to
      ? Result.succeed(Number(value))
      : Result.fail(`must be a number from ${from} to ${to}`)

export const portNumber = whole(0, 65_535)

/** The end of a sentence, of the error of a gateway's options. */
export const unusable = ({ message }: { readonly message: string }): string =>
  `cannot be used: ${message.replace(/\.$/, "")}`

/** The fault of a setting: the end of the sentence "HOST must be …". */
export const fault = (setting: string, must: string): SettingError =>
  new SettingError({ setting, message: `${setting} ${must}.` })

/**
 * A secret of one line. Characters that a paste may add unseen, such as a zero width space, are never part of a secret.
 */
export const secret: Parse<Redacted.Redacted> = (value) =>
  UNSEEN.test(value)
    ? Result.fail("must have no line ends and no invisible characters within it")
    : Result.succeed(Redacted.make(value))

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** A secret that goes into a header as it is. */
export const token: Parse<Redacted.Redacted> = (value) =>
  /^[\x21-\x7e]*$/.test(value) ? secret(value) : Result.fail("must have no spaces and no letters beyond ASCII")

/** A number of the service's own. */
export const phoneNumber: Parse<E164> = (value) =>
  isE164(value) ? Result.succeed(value) : Result.fail("must be a number in E.164 form, such as +4915123456789")

const isE164 = Schema.is(E164)

/** An address that paths can be appended to. */
export const webAddress: Parse<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null
  return url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === ""
    ? Result.succeed(value.replace(/\/+$/, ""))
    : Result.fail("must be an http or https address without a user, a query and a fragment")
}

/** The content of a file. */
export const fileText: Parse<string> = (file) =>
  Result.try({
    try: () => readFileSync(file, "utf8"),
    catch: (error) => `names the file ${file}, which cannot be read${reasons[codeOf(error)] ?? ""}`
  })

const reasons: { readonly [code: string]: string } = {
  ENOENT: ": no such file",
  EACCES: ": this user may not",
  EISDIR: ": it is a folder"
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "")

/** The value in a JSON file. */
export const jsonFile: Parse<unknown> = (file) =>
  Result.flatMap(fileText(file), (content) =>
    Result.try({ try: (): unknown => JSON.parse(content), catch: () => "names a file that is not JSON" })
  )
