/**
 * The steps of a workflow in a line, as the command line has them:
 *
 * | step | written |
 * |---|---|
 * | a channel, and the seconds until the next step | `sms:30` |
 * | by another carrier than before | `sms/other:30` |
 * | the user acts first, in one of some forms | `receive/telegram_login+sms:300` |
 * | the same, and texts are not answered by a code | `receive/telegram_login+sms/no-reply:300` |
 */
import { RECEIVE, Step, type Steps } from "@watchword/schemas/Verification"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const decodeStep = Schema.decodeUnknownOption(Step)

const NO_REPLY = "no-reply"

const stepOf = (text: string): Option.Option<Step> => {
  const [by = "", seconds = ""] = text.trim().split(":")
  const [channel, ...options] = by.split("/")
  const step = { channel, timeout: Number(seconds), ...(channel === RECEIVE ? formsOf(options) : carrierOf(options)) }
  return /^[0-9]{1,3}$/.test(seconds) ? decodeStep(step) : Option.none()
}

const carrierOf = (options: ReadonlyArray<string>) => (options.length === 0 ? {} : { carrier: options.join("/") })

const formsOf = ([forms = "", ...options]: ReadonlyArray<string>) => ({
  by: forms.split("+"),
  ...(options.length === 0 ? {} : { reply: options.join("/") === NO_REPLY ? false : options })
})

const stepsOf = (text: string): Option.Option<Steps> =>
  Option.all(
    text
      .split(",")
      .filter((step) => step.trim() !== "")
      .map(stepOf)
  )

/** Steps in a line, `sms:30,call:60`. */
export const written = (steps: Steps): string => steps.map(inLine).join(",")

const inLine = ({ by, carrier, channel, reply, timeout }: Step): string => {
  const forms = by === undefined ? "" : `/${by.join("+")}${reply === false ? `/${NO_REPLY}` : ""}`
  return `${channel}${forms}${carrier === undefined ? "" : `/${carrier}`}:${timeout}`
}

export const StepsInLine = Schema.String.check(
  Schema.makeFilter((text) =>
    Option.isSome(stepsOf(text))
      ? undefined
      : "must be chatgw, sms, call, bizchat, or receive with its forms, each with 10 to 900 seconds, such as " +
        "sms:30,call:60 or receive/sms+call:300,sms:60"
  )
).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.toType(Step)),
    SchemaTransformation.transform({
      decode: (text) => Option.getOrElse(stepsOf(text), (): Steps => []),
      encode: written
    })
  )
)
