/**
 * All settings, in the order of the table in the documents.
 */
import { call } from "./CallSettings.ts"
import { carriers } from "./CarrierSettings.ts"
import { bizchat, chatgw } from "./ChatSettings.ts"
import { database } from "./DatabaseSettings.ts"
import { hooks } from "./HookSettings.ts"
import { rules } from "./RuleSettings.ts"
import { server } from "./ServerSettings.ts"
import { type Named, fileVariable } from "./Setting.ts"
import * as SmsSettings from "./SmsSettings.ts"

export const all: ReadonlyArray<Named> = [
  ...[server, database, rules, carriers, call].flatMap((group): ReadonlyArray<Named> => Object.values(group)),
  ...SmsSettings.settings,
  ...[chatgw, bizchat, hooks].flatMap((group): ReadonlyArray<Named> => Object.values(group))
]

/** The settings whose values may be in files. */
export const secrets: ReadonlyArray<Named> = all.filter(({ isSecret }) => isSecret === true)

/** The variables that are read: the settings, and those that name the files of secrets. */
export const variables: ReadonlyArray<string> = [
  ...all.map(({ name }) => name),
  ...secrets.flatMap((secret) => fileVariable(secret) ?? [])
]
