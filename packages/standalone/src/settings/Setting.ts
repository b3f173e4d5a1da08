/**
 * Settings of the server as values. Reading, files of secrets, reloading, misspelt names and the table in the documents
 * all fold over one list of them, in `All.ts`.
 */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Environment, type Parse, type Read, fault } from "./Reading.ts"

/** What SIGHUP reads again without a restart, each by itself. */
export type Part = "prices" | "guards" | "carriers" | "smsHttp" | "chatgw" | "bizchat" | "hooks"

/** A setting whatever its value is. */
export interface Named {
  readonly name: string
  /** Its meaning and unit, in Markdown, for the table in the documents. */
  readonly description: string
  /** Its text where it is not set; empty for none. */
  readonly usual: string
  /** The table's text for an unset setting; `usual` unless given. */
  readonly unset?: string
  /** Whether its value may be in a file, which `NAME_FILE` names. Addresses are secret where they carry a password. */
  readonly isSecret?: boolean
  /** Whether its value is the name of a file. */
  readonly isFile?: boolean
  /** The part that is read again when its file has changed; a restart takes up other files. */
  readonly reloads?: Part
  /** The names of the settings without which it means nothing. */
  readonly needs?: ReadonlyArray<string>
}

export interface Setting<out A> extends Named {
  readonly parse: Parse<A>
}

/** A setting with a value of its own where it is not set. */
export const setting = <A>(
  name: string,
  usual: string,
  parse: Parse<A>,
  more: Omit<Named, "name" | "usual">
): Setting<A> => ({ ...more, name, usual, parse })

/** A setting that may be left out. */
export const optionalSetting = <A>(name: string, parse: Parse<A>, more: Omit<Named, "name" | "usual">): Setting<A> =>
  setting(name, "", parse, more)

/** Whether a setting is set. An empty variable counts as unset. */
export const isSet = (environment: Environment, name: string): boolean => Boolean(environment[name]?.trim())

/** The secrets whose values have blanks or line ends around them, which are left out. */
export const trimmed = (environment: Environment, settings: ReadonlyArray<Named>): ReadonlyArray<string> =>
  settings.flatMap(({ isSecret, name }) => {
    const value = environment[name] ?? ""
    return isSecret === true && value.trim() !== "" && value !== value.trim() ? [name] : []
  })

/** The value of a setting, or that of its usual text. */
export const read = <A>(environment: Environment, { name, parse, usual }: Setting<A>): Read<A> =>
  Result.mapError(parse(environment[name]?.trim() || usual), (must) => fault(name, must))

/** The value of a setting; none if it is not set. */
export const readOptional = <A>(environment: Environment, setting: Setting<A>): Read<Option.Option<A>> =>
  isSet(environment, setting.name) ? Result.map(read(environment, setting), Option.some) : Result.succeedNone

/** The value of a setting that has to be set. */
export const readRequired = <A>(environment: Environment, setting: Setting<A>): Read<A> =>
  isSet(environment, setting.name) ? read(environment, setting) : Result.fail(fault(setting.name, "must be set"))

/** Checks that each setting has the other settings that it needs. */
export const checkNeeds = (environment: Environment, settings: ReadonlyArray<Named>): Read<void> => {
  for (const { name, needs = [] } of settings) {
    const missing = isSet(environment, name) ? needs.find((need) => !isSet(environment, need)) : undefined
    if (missing !== undefined) return Result.fail(fault(missing, `must be set, because ${name} is`))
  }
  return Result.succeed(undefined)
}

/** The variable that names the file of a setting, where it has one; null for others. */
export const fileVariable = ({ isFile, isSecret, name }: Named): string | null =>
  isSecret === true ? `${name}_FILE` : isFile === true ? name : null
