/**
 * What SIGHUP reads again without a restart: the files that settings name, where no connection depends on them.
 *
 * The environment of a process does not change while it runs, so settings that are in no file stay as they are.
 */
import { createHash } from "node:crypto"
import type { Rules } from "@watchword/guards/Rules"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { all } from "./All.ts"
import * as CarrierSettings from "./CarrierSettings.ts"
import { type Environment, type Read, fileText } from "./Reading.ts"
import { type Part, fileVariable } from "./Setting.ts"
import * as Settings from "./Settings.ts"
import { warnings } from "../Warnings.ts"

export interface Log {
  readonly info: (message: string) => void
  readonly warn: (message: string) => void
  readonly error: (message: string) => void
}

export interface Reloading {
  /** The guard rules in force, if they are set. */
  readonly guards: Option.Option<() => Rules>
  /**
   * Reads changed files again. Each is one line of the log. What cannot be read leaves the value of before in force.
   */
  readonly reload: (log: Log) => Promise<void>
}

/**
 * @param environment the environment of the process, from which `settings` were read
 * @param settings objects whose properties a reload replaces, so that their holders have the values in force
 * @param replace puts other carriers into force, or returns a sentence that says why it cannot
 */
export const make = (
  environment: Environment,
  settings: Settings.Settings,
  replace: (carriers: CarrierSettings.Carriers) => Promise<Read<void>>
): Reloading => {
  let guards = settings.guards
  /** Reads the settings of a part, and puts them into force. */
  const reloads: Readonly<Record<Part, () => Read<unknown> | Promise<Read<unknown>>>> = {
    prices: () => put(Settings.parts.prices(environment), into(settings.prices)),
    guards: () => put(Settings.parts.guards(environment), (next) => (guards = Option.some(next))),
    carriers: async () => {
      const read = Settings.parts.carriers(environment)
      if (Result.isFailure(read) || Option.isNone(read.success)) return read
      const replaced = await replace(read.success.value)
      return Result.map(replaced, () => put(read, into(settings.carriers)))
    },
    smsHttp: () =>
      put(Settings.parts.smsHttp(environment), ({ options }) =>
        into(Option.map(settings.smsHttp, (sms) => sms.options))(options)
      ),
    chatgw: () => put(Settings.parts.chatgw(environment), into(settings.chatgw)),
    bizchat: () => put(Settings.parts.bizchat(environment), into(settings.bizchat)),
    hooks: () => put(Settings.parts.hooks(environment), into(settings.hooks))
  }
  const files = all.flatMap((setting): ReadonlyArray<readonly [variable: string, part: Part | undefined]> => {
    const variable = fileVariable(setting)
    return variable === null ? [] : [[variable, setting.reloads]]
  })
  const digests = () => new Map(files.map(([name]) => [name, digestOf(environment, name)]))
  const known = digests()

  const once = async (log: Log): Promise<void> => {
    const before = warnings(settings)
    const changed = new Map([...digests()].filter(([name, digest]) => digest !== known.get(name)))
    if (changed.size === 0) log.info("SIGHUP: no file that a setting names has changed.")
    for (const [part, reload] of Object.entries(reloads)) {
      const news = files.flatMap(([name, reloads]) => (reloads === part && changed.has(name) ? [name] : []))
      if (news.length === 0) continue
      Result.match(await reload(), {
        onFailure: ({ message }) => log.error(`SIGHUP: ${message} The previous values stay in force.`),
        onSuccess: () => {
          for (const name of news) {
            known.set(name, changed.get(name) ?? null)
            log.info(`SIGHUP: ${name} was read again, and is in force.`)
          }
        }
      })
    }
    for (const [name, part] of files) {
      if (part === undefined && changed.has(name)) {
        log.warn(`SIGHUP: the file of ${name} has changed; this needs a restart.`)
      }
    }
    for (const warning of warnings(settings).filter((each) => !before.includes(each))) log.warn(warning)
  }

  // One after the other: carriers that are being opened are not replaced meanwhile.
  let last = Promise.resolve()
  const reload = (log: Log): Promise<void> => {
    last = last.then(() => once(log))
    return last
  }

  return { guards: Option.map(guards, (first) => () => Option.getOrElse(guards, () => first)), reload }
}

const put = <A>(read: Read<Option.Option<A>>, into: (next: A) => unknown): Read<unknown> =>
  Result.map(read, Option.map(into))

/** Replaces the properties of a setting. */
const into =
  <A extends object>(setting: Option.Option<A>) =>
  (next: A): void =>
    void Option.map(setting, (now) => Object.assign(now, next))

/** A digest of the file that a variable names; null if no file can be read. */
const digestOf = (environment: Environment, name: string): string | null => {
  const file = environment[name]?.trim() ?? ""
  const content =
    name === CarrierSettings.carriers.file.name
      ? CarrierSettings.contentOf(file)
      : Result.getOrElse(fileText(file), () => null)
  return content === null ? null : createHash("sha256").update(content).digest("hex")
}

/**
 * Calls back at each SIGHUP. On a terminal the signal keeps its meaning: the terminal has gone, and the process ends.
 */
export const onHangUp = (callback: () => void): void => {
  if (!process.stdout.isTTY) process.on("SIGHUP", callback)
}
