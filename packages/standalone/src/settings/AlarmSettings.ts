/**
 * The settings of alarms: where problems are sent, and when.
 */
import { isDuration, toDuration } from "@watchword/schemas/Field"
import { type QuietHours, parseQuietHours } from "@watchword/operator/jobs"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type Environment, type Parse, type Read, secret, text, webAddress } from "./Reading.ts"
import { webhookSecret } from "./RuleSettings.ts"
import * as SecretFiles from "./SecretFiles.ts"
import { checkNeeds, optionalSetting, read, readOptional, setting } from "./Setting.ts"

export interface Alarms {
  readonly webhook: { readonly url: string; readonly secret: Redacted.Redacted } | null
  readonly slack: Redacted.Redacted | null
  readonly email: Email | null
  /** Milliseconds. */
  readonly again: number
  readonly quiet: QuietHours | null
}

export interface Email {
  readonly to: ReadonlyArray<string>
  readonly from: string
  readonly server: Redacted.Redacted
}

const secretAddress: Parse<Redacted.Redacted> = (value) =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
    ? secret(value)
    : Result.fail("must be an http or https address")

const addresses: Parse<ReadonlyArray<string>> = (value) => {
  const all = value.split(",").map((each) => each.trim())
  return all.every((each) => ADDRESS.test(each))
    ? Result.succeed(all)
    : Result.fail("must be e-mail addresses, separated by commas")
}

const ADDRESS = /^[^\s@<>,]+@[^\s@<>,]+$/

const mailServer: Parse<Redacted.Redacted> = (value) =>
  URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol) && new URL(value).hostname !== ""
    ? secret(value)
    : Result.fail("must be an address such as smtp://user:password@mail.example.com:587")

const again: Parse<number> = (value) =>
  isDuration(value) && toDuration(value) >= 60_000
    ? Result.succeed(toDuration(value))
    : Result.fail("must be a time of 1 minute to 30 days, such as 30m, 4h or 1d")

const quietHours: Parse<QuietHours> = (value) => {
  const quiet = parseQuietHours(value)
  return quiet === null
    ? Result.fail("must be two times and a time zone, such as 22:00-07:00 Europe/Berlin")
    : Result.succeed(quiet)
}

export const alarms = {
  webhookUrl: optionalSetting("ALARM_WEBHOOK_URL", webAddress, {
    description: "address that [alarms](monitoring.md#alarms) are posted to, signed like webhooks",
    needs: ["ALARM_WEBHOOK_SECRET"]
  }),
  webhookSecret: optionalSetting("ALARM_WEBHOOK_SECRET", webhookSecret, {
    description: "the secret that they are signed with, `whsec_` and base 64 of 24 bytes or more",
    isSecret: true,
    needs: ["ALARM_WEBHOOK_URL"]
  }),
  slackUrl: optionalSetting("ALARM_SLACK_URL", secretAddress, {
    description: "an incoming webhook of Slack, or of a chat that takes the same form, which gets alarms as text",
    isSecret: true
  }),
  emailTo: optionalSetting("ALARM_EMAIL_TO", addresses, {
    description: "who gets alarms by e-mail, separated by commas",
    needs: ["SMTP_URL", "ALARM_EMAIL_FROM"]
  }),
  emailFrom: optionalSetting("ALARM_EMAIL_FROM", text, { description: "the sender of these e-mails" }),
  server: optionalSetting("SMTP_URL", mailServer, {
    description:
      "the mail server, `smtp://user:password@host:587`, which must offer STARTTLS unless it is on this machine or has no " +
      "user; `smtps://` is TLS from the start",
    isSecret: true
  }),
  again: setting("ALARM_AGAIN", "4h", again, {
    description: "when an alarm that lasts is sent again: `30m`, `4h`, `1d`"
  }),
  quietHours: optionalSetting("ALARM_QUIET_HOURS", quietHours, {
    description:
      "a time of each day in which only bad problems raise an alarm, such as `22:00-07:00 Europe/Berlin`; UTC unless a " +
      "zone is named"
  })
}

/** None without a destination. */
export const readAlarms = SecretFiles.reading(
  Object.values(alarms),
  (environment: Environment): Read<Option.Option<Alarms>> =>
    Result.gen(function* () {
      yield* checkNeeds(environment, Object.values(alarms))
      const url = yield* readOptional(environment, alarms.webhookUrl)
      const key = yield* readOptional(environment, alarms.webhookSecret)
      const slack = yield* readOptional(environment, alarms.slackUrl)
      const to = yield* readOptional(environment, alarms.emailTo)
      const from = yield* readOptional(environment, alarms.emailFrom)
      const server = yield* readOptional(environment, alarms.server)
      const all = {
        webhook: Option.getOrNull(Option.zipWith(url, key, (url, secret) => ({ url, secret }))),
        slack: Option.getOrNull(slack),
        email: Option.getOrNull(Option.all({ to, from, server })),
        again: yield* read(environment, alarms.again),
        quiet: Option.getOrNull(yield* readOptional(environment, alarms.quietHours))
      }
      return all.webhook === null && all.slack === null && all.email === null ? Option.none() : Option.some(all)
    })
)
