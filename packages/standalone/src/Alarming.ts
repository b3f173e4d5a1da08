/**
 * Alarms of the server and of its command, by the settings.
 */
import { type AlarmOptions, alarmsLayer } from "@watchword/operator/jobs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type Options, alarms } from "watchword"
import { mailer } from "./Mail.ts"
import { type Alarms, readAlarms } from "./settings/AlarmSettings.ts"

const emailOf = ({ email }: Alarms): AlarmOptions["email"] =>
  email === null ? null : { to: email.to, send: mailer(email) }

/** The option of a service. */
export const alarmsOf = (settings: Option.Option<Alarms>): Pick<Options, "alarms"> =>
  Option.match(settings, {
    onNone: () => ({}),
    onSome: (some) => {
      const email = emailOf(some)
      return {
        alarms: alarms({
          ...(some.webhook === null ? {} : { webhook: some.webhook }),
          ...(some.slack === null ? {} : { slack: some.slack }),
          ...(email === null ? {} : { email }),
          again: some.again / 1000,
          ...(some.quiet === null ? {} : { quietHours: some.quiet })
        })
      }
    }
  })

/** What `alarm test` needs. */
export const layer = Layer.unwrap(
  Effect.map(
    Effect.suspend(() => Effect.fromResult(readAlarms(process.env))),
    Option.match({ onNone: () => Layer.empty, onSome: (some) => alarmsLayer({ ...some, email: emailOf(some) }) })
  )
)
