/**
 * All settings, in the order of the table in the documents.
 */
import type { StartSetting } from "@watchword/operator/Installation"
import { alarms } from "./AlarmSettings.ts"
import { call } from "./CallSettings.ts"
import { carriers } from "./CarrierSettings.ts"
import { bizchat, chatgw } from "./ChatgwSettings.ts"
import { database } from "./DatabaseSettings.ts"
import { hooks } from "./HookSettings.ts"
import { rates } from "./RateSettings.ts"
import { rules } from "./RuleSettings.ts"
import { server } from "./ServerSettings.ts"
import type { Environment } from "./Reading.ts"
import { type Named, fileVariable, isSet } from "./Setting.ts"
import * as SmsSettings from "./SmsSettings.ts"
import { telegramLogin } from "./TelegramLoginSettings.ts"

export const all: ReadonlyArray<Named> = [
  ...[server, database, rules, alarms, carriers, rates, call].flatMap((group): ReadonlyArray<Named> =>
    Object.values(group)
  ),
  ...SmsSettings.settings,
  ...[chatgw, bizchat, telegramLogin, hooks].flatMap((group): ReadonlyArray<Named> => Object.values(group))
]

/** The settings of an environment as operators see them: a secret is set, or it is not. */
export const shownIn = (environment: Environment): ReadonlyArray<StartSetting> =>
  all.map((setting) => {
    const { isSecret = false, name, usual } = setting
    const file = fileVariable(setting)
    const value = environment[name]?.trim() ?? ""
    const set = value !== "" || (file !== null && isSet(environment, file))
    return { name, value: value === "" || isSecret ? null : value, usual, set }
  })

/** The settings whose values may be in files. */
export const secrets: ReadonlyArray<Named> = all.filter(({ isSecret }) => isSecret === true)

/** The variables that are read: the settings, and the variables that name the files of secrets. */
export const variables: ReadonlyArray<string> = [
  ...all.map(({ name }) => name),
  ...secrets.flatMap((secret) => fileVariable(secret) ?? [])
]
