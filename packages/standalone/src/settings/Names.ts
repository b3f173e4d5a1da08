/**
 * Variables that look like a setting but are not known.
 */
import { distance } from "@watchword/schemas/Errors"
import { variables } from "./All.ts"
import { providers } from "./providers/All.ts"
import type { Environment } from "./Reading.ts"

/**
 * One sentence for each variable that has the prefix of settings, or whose name is a slip of one. Values are not read.
 */
export const slips = (environment: Environment): ReadonlyArray<string> =>
  Object.keys(environment)
    .filter((name) => environment[name]?.trim() && !variables.includes(name) && !isServiceLink(name, environment))
    .flatMap((name) => {
      const bare = name.replace(PREFIX, "")
      const near = variables.filter(
        (setting) => (bare !== name && bare.toUpperCase() === setting) || isNear(bare, setting)
      )
      const meant = near.sort(nearestTo(bare))[0]
      if (meant !== undefined) return `${name} is not a setting and is ignored; did you mean ${meant}?`
      return bare === name ? [] : `${name} is not a setting and is ignored; names of settings have no prefix.`
    })

/** What people guess that settings begin with. */
const PREFIX = /^WATCHWORD_/i

/**
 * Whether Kubernetes has set a variable, such as WATCHWORD_PORT for a service of the namespace that is called
 * watchword.
 */
const isServiceLink = (name: string, environment: Environment): boolean => {
  const service = /^(\w+?)_(?:SERVICE_HOST|SERVICE_PORT|PORT)(?:_|$)/.exec(name)?.[1]
  return environment[`${service}_SERVICE_HOST`] !== undefined
}

/** The settings of one thing begin alike, a provider's settings with its name. */
const families =
  "ALARM|OPERATIONS|DATABASE|VERIFY|SIP|SMPP|SMTP|SMS_HTTP|CHATGW|BIZCHAT|TELEGRAM_LOGIN|HOOKS|SUPABASE_HOOK|LOGTO_HOOK|ZITADEL_HOOK"
    .split("|")
    .concat(providers.map(({ name }) => name.toUpperCase()))

const FAMILY = new RegExp(`^(?:${families.join("|")})_`)

// Variables of others have short names as well, such as HOSTNAME and SPORT.
const isNear = (name: string, setting: string): boolean =>
  name === `${setting}_FILE` ||
  (setting.length >= 6 && distance(name.toUpperCase(), setting) <= (setting.length < 8 ? 1 : 2)) ||
  (FAMILY.test(name) && FAMILY.exec(setting)?.[0] === FAMILY.exec(name)?.[0])

const nearestTo =
  (name: string) =>
  (a: string, b: string): number =>
    distance(name.toUpperCase(), a) - distance(name.toUpperCase(), b)
