/**
 * Secrets in files: `NAME_FILE` names a file that holds the value of `NAME`, as Docker, Kubernetes and systemd mount
 * secrets.
 */
import * as Result from "effect/Result"
import { type Environment, type Parse, type Read, SettingError, fault, fileText } from "./Reading.ts"

/** The settings that may be in files. Addresses are among them where they carry a password. */
export const secrets: ReadonlyArray<string> = [
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "VERIFY_SECRET",
  "SIP_URL",
  "SMPP_URL",
  "SMS_HTTP_TOKEN",
  "SMS_HTTP_SIGNATURE_SECRET",
  "TWILIO_AUTH_TOKEN",
  "TWILIO_API_KEY_SECRET",
  "VONAGE_API_SECRET",
  "VONAGE_SIGNATURE_SECRET",
  "CHATGW_TOKEN",
  "BIZCHAT_TOKEN",
  "BIZCHAT_APP_SECRET",
  "BIZCHAT_VERIFY_TOKEN",
  "SUPABASE_HOOK_SECRET",
  "LOGTO_HOOK_AUTHORIZATION",
  "ZITADEL_HOOK_KEY"
]

export const fileOf = (name: string): string => `${name}_FILE`

/** The variables that name the files. */
export const names: ReadonlyArray<string> = secrets.map(fileOf)

/**
 * The environment with the values that are in files, in place of the variables that name the files.
 *
 * @param wanted the secrets that are read; files of others are left alone
 */
export const resolve = (environment: Environment, wanted: ReadonlyArray<string> = secrets): Read<Environment> =>
  Result.gen(function* () {
    const resolved: Record<string, string | undefined> = { ...environment }
    for (const name of wanted) {
      const file = environment[fileOf(name)]?.trim()
      if (!file) continue
      if (environment[name]?.trim()) {
        return yield* Result.fail(fault(fileOf(name), `must not be set together with ${name}`))
      }
      resolved[name] = yield* Result.mapError(value(file), (must) => fault(fileOf(name), must))
      resolved[fileOf(name)] = undefined
    }
    return resolved
  })

/**
 * Reads settings with the values of those that are in files.
 *
 * @param wanted the secrets that are read; files of others are left alone
 */
export const reading =
  <A>(wanted: ReadonlyArray<string>, read: (environment: Environment) => Read<A>) =>
  (environment: Environment): Read<A> =>
    Result.flatMap(resolve(environment, wanted), (resolved) => Result.mapError(read(resolved), locate(environment)))

/** The content of a file without the newline at its end. */
const value: Parse<string> = (file) =>
  Result.flatMap(fileText(file), (content) =>
    content.trim() === ""
      ? Result.fail(`names the file ${file}, which is empty`)
      : Result.succeed(content.replace(/\r?\n$/, ""))
  )

/** Names the variable of the file too, where the value that cannot be read is in one. */
const locate =
  (environment: Environment) =>
  (error: SettingError): SettingError => {
    const file = fileOf(error.setting)
    return names.includes(file) && environment[file]?.trim()
      ? new SettingError({ setting: file, message: `${file}: ${error.message}` })
      : error
  }
