/**
 * Secrets in files: `NAME_FILE` names a file that holds the value of `NAME`, as Docker, Kubernetes and systemd mount
 * secrets.
 */
import * as Result from "effect/Result"
import { type Environment, type Parse, type Read, SettingError, fault, fileText } from "./Reading.ts"
import { type Named, fileVariable, isSet } from "./Setting.ts"

/**
 * The environment with the values that are in files, instead of the variables that name the files.
 *
 * @param wanted the settings that are read; files of others are not touched
 */
export const resolve = (environment: Environment, wanted: ReadonlyArray<Named>): Read<Environment> =>
  Result.gen(function* () {
    const resolved: Record<string, string | undefined> = { ...environment }
    for (const setting of wanted) {
      const variable = setting.isSecret === true ? fileVariable(setting) : null
      const file = variable === null ? undefined : environment[variable]?.trim()
      if (variable === null || !file) continue
      if (isSet(environment, setting.name)) {
        return yield* Result.fail(fault(variable, `must not be set together with ${setting.name}`))
      }
      resolved[setting.name] = yield* Result.mapError(value(file), (must) => fault(variable, must))
      resolved[variable] = undefined
    }
    return resolved
  })

/**
 * Reads settings, including values from files.
 *
 * @param wanted the settings that are read; files of others are not touched
 */
export const reading =
  <A>(wanted: ReadonlyArray<Named>, read: (environment: Environment) => Read<A>) =>
  (environment: Environment): Read<A> =>
    Result.flatMap(resolve(environment, wanted), (resolved) =>
      Result.mapError(read(resolved), locate(environment, wanted))
    )

/** The content of a file without the newline at its end. */
const value: Parse<string> = (file) =>
  Result.flatMap(fileText(file), (content) =>
    content.trim() === ""
      ? Result.fail(`names the file ${file}, which is empty`)
      : Result.succeed(content.replace(/\r?\n$/, ""))
  )

/** Names the variable of the file too, where the value that cannot be read is in one. */
const locate =
  (environment: Environment, wanted: ReadonlyArray<Named>) =>
  (error: SettingError): SettingError => {
    const setting = wanted.find(({ isSecret, name }) => isSecret === true && name === error.setting)
    const file = setting === undefined ? null : fileVariable(setting)
    return file !== null && isSet(environment, file)
      ? new SettingError({ setting: file, message: `${file}: ${error.message}` })
      : error
  }
