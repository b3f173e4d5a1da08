/**
 * What SIGHUP reads again without a restart: the files that settings name, where no connection depends on them.
 *
 * The environment of a process does not change while it runs, so settings that are in no file stay as they are.
 */
import { createHash } from "node:crypto"
import type { Rules } from "@watchword/guards/Rules"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as ChatSettings from "./ChatSettings.ts"
import * as Hooks from "./Hooks.ts"
import { type Environment, type Read, fileText } from "./Reading.ts"
import * as SecretFiles from "./SecretFiles.ts"
import * as Settings from "./Settings.ts"
import * as SmsSettings from "./SmsSettings.ts"
import { warnings } from "./Warnings.ts"

/** Settings that are read together. */
interface Part {
  /** The variables that name the files. */
  readonly files: ReadonlyArray<string>
  /** Reads the files, and puts into force what they say. */
  readonly reload: (environment: Environment) => Read<unknown>
}

export interface Log {
  readonly info: (message: string) => void
  readonly warn: (message: string) => void
  readonly error: (message: string) => void
}

export interface Reloading {
  /** The rules of guards in force, where they are set. */
  readonly guards: Option.Option<() => Rules>
  /** Reads changed files again. Each is one line of the log. What cannot be read leaves the value of before in force. */
  readonly reload: (log: Log) => void
}

/**
 * @param environment that of the process, of which `settings` were read
 * @param settings objects whose properties a reload replaces, so that those who hold them have the values in force
 */
export const make = (environment: Environment, settings: Settings.Settings): Reloading => {
  let guards = settings.guards
  const parts: ReadonlyArray<Part> = [
    part(["PRICES"], Settings.prices, into(settings.prices)),
    part(["GUARDS"], Settings.guards, (next) => (guards = Option.some(next))),
    part(smsFiles, Settings.smsHttp, ({ options }) =>
      into(Option.map(settings.smsHttp, (sms) => sms.options))(options)
    ),
    part([SecretFiles.fileOf("CHATGW_TOKEN")], Settings.chatgw, into(settings.chatgw)),
    part(ChatSettings.bizchatSecrets.map(SecretFiles.fileOf), Settings.bizchat, into(settings.bizchat)),
    part(Hooks.secrets.map(SecretFiles.fileOf), Settings.hooks, into(settings.hooks))
  ]
  const reloaded = parts.flatMap(({ files }) => files)
  const restarted = [...SecretFiles.names, "SMS_HTTP_DESCRIPTION"].filter((name) => !reloaded.includes(name))
  const digests = () => new Map([...reloaded, ...restarted].map((name) => [name, digestOf(environment, name)]))
  const known = digests()

  const reload = (log: Log): void => {
    const before = warnings(settings)
    const changed = new Map([...digests()].filter(([name, digest]) => digest !== known.get(name)))
    if (changed.size === 0) log.info("SIGHUP: no file that a setting names has changed.")
    for (const { files, reload } of parts) {
      const news = files.filter((name) => changed.has(name))
      if (news.length === 0) continue
      Result.match(reload(environment), {
        onFailure: ({ message }) => log.error(`SIGHUP: ${message} What was read before stays in force.`),
        onSuccess: () => {
          for (const name of news) {
            known.set(name, changed.get(name) ?? null)
            log.info(`SIGHUP: ${name} was read again, and is in force.`)
          }
        }
      })
    }
    for (const name of restarted.filter((each) => changed.has(each))) {
      log.warn(`SIGHUP: the file of ${name} has changed; this needs a restart.`)
    }
    for (const warning of warnings(settings).filter((each) => !before.includes(each))) log.warn(warning)
  }

  return { guards: Option.map(guards, (first) => () => Option.getOrElse(guards, () => first)), reload }
}

const part = <A>(
  files: ReadonlyArray<string>,
  read: (environment: Environment) => Read<Option.Option<A>>,
  put: (next: A) => unknown
): Part => ({ files, reload: (environment) => Result.map(read(environment), Option.map(put)) })

/** Replaces the properties of a setting. */
const into =
  <A extends object>(setting: Option.Option<A>) =>
  (next: A): void =>
    void Option.map(setting, (now) => Object.assign(now, next))

const smsFiles = [
  ...SecretFiles.secrets.filter((name) => SmsSettings.names.includes(name)).map(SecretFiles.fileOf),
  "VONAGE_PRIVATE_KEY_FILE"
]

/** A digest of the file that a variable names; null where there is none to read. */
const digestOf = (environment: Environment, name: string): string | null =>
  Option.getOrNull(
    Option.map(Result.getSuccess(fileText(environment[name]?.trim() ?? "")), (content) =>
      createHash("sha256").update(content).digest("hex")
    )
  )

/** Calls back at each SIGHUP. On a terminal the signal keeps its meaning: the terminal has gone, and the process ends. */
export const onHangUp = (callback: () => void): void => {
  if (!process.stdout.isTTY) process.on("SIGHUP", callback)
}
