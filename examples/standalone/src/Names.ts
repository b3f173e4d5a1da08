/**
 * The names of all settings, and variables that look like one of them and are none.
 */
import { distance } from "@watchword/schemas/UnknownFields"
import type { Environment } from "./Reading.ts"
import * as SecretFiles from "./SecretFiles.ts"
import * as SmsSettings from "./SmsSettings.ts"

export const names: ReadonlyArray<string> = [
  "HOST",
  "PORT",
  "OPERATIONS_HOST",
  "OPERATIONS_PORT",
  "MAX_CONNECTIONS",
  "DRAIN_SECONDS",
  "DOCS",
  "DEMO",
  "TRUST_TRACEPARENT",
  "BASE_PATH",
  "PUBLIC_URL",
  "DATABASE_URL",
  "DATABASE_SCHEMA",
  "DATABASE_CONNECTIONS",
  "DATABASE_DIRECT_URL",
  "VERIFY_SECRET",
  "TRUSTED_PROXIES",
  "PRICES",
  "GUARDS",
  "WEBHOOK_ALLOW_PRIVATE",
  "SIP_URL",
  "SIP_LISTEN",
  "SMPP_URL",
  ...SmsSettings.names,
  "CHATGW_TOKEN",
  "CHATGW_URL",
  "BIZCHAT_TOKEN",
  "BIZCHAT_PHONE_NUMBER_ID",
  "BIZCHAT_URL",
  "BIZCHAT_TEMPLATE",
  "BIZCHAT_LANGUAGE",
  "BIZCHAT_APP_SECRET",
  "BIZCHAT_VERIFY_TOKEN",
  "HOOKS_ACCOUNT",
  "HOOKS_SANDBOX",
  "SUPABASE_HOOK_SECRET",
  "LOGTO_HOOK_AUTHORIZATION",
  "ZITADEL_HOOK_KEY",
  "LOG_LEVEL",
  "OTEL_EXPORTER_OTLP_ENDPOINT"
]

/** The names of all settings, and of those that name the file of a secret. */
export const every: ReadonlyArray<string> = [...names, ...SecretFiles.names]

/** One sentence for each variable that has the prefix of settings, or whose name is a slip of one. Values are not read. */
export const slips = (environment: Environment): ReadonlyArray<string> =>
  Object.keys(environment)
    .filter((name) => environment[name]?.trim() && !every.includes(name))
    .flatMap((name) => {
      const meant = every.filter((setting) => isNear(name, setting)).sort(nearestTo(name))[0]
      return meant === undefined ? [] : `${name} is no setting, and is not read; did you mean ${meant}?`
    })

const FAMILY =
  /^(?:OPERATIONS|DATABASE|VERIFY|SIP|SMPP|SMS_HTTP|TWILIO|VONAGE|CHATGW|BIZCHAT|HOOKS|SUPABASE_HOOK|LOGTO_HOOK|ZITADEL_HOOK)_/

// Variables of others have short names as well, such as HOSTNAME and SPORT.
const isNear = (name: string, setting: string): boolean =>
  name === `${setting}_FILE` ||
  (setting.length >= 6 && distance(name.toUpperCase(), setting) <= (setting.length < 8 ? 1 : 2)) ||
  (FAMILY.test(name) && FAMILY.exec(setting)?.[0] === FAMILY.exec(name)?.[0])

const nearestTo =
  (name: string) =>
  (a: string, b: string): number =>
    distance(name, a) - distance(name, b)
