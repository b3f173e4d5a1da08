/**
 * The steps of a workflow as a line, which commands take, and in words.
 */
import { channelName } from "../kit/channels.ts"
import type { ReceiveForm, Step } from "./commands.ts"
import { numberIn } from "./editors/values.ts"

export type Steps = ReadonlyArray<Step>

/** The channel of steps at which the user acts first. */
export const RECEIVE = "receive"

/** The forms of such a step, and what people call them. */
export const FORMS = [
  ["telegram_login", "Telegram sign-in"],
  ["sms", "a text"],
  ["call", "a call"],
  ["bizchat", "WhatsApp"]
] as const

export const isForm = (form: unknown): form is ReceiveForm => FORMS.some(([each]) => each === form)

/** The steps of a text as the command takes it, such as `sms:30,sms/other:60,receive/sms+call/no-reply:300`. */
export const stepsIn = (text: string): Steps =>
  text.split(",").map((step) => {
    const [by = "", seconds = ""] = step.split(":")
    const [channel = "", option, more] = by.split("/")
    const taken = { channel, timeout: numberIn(seconds) }
    if (channel !== RECEIVE) return option === undefined ? taken : { ...taken, carrier: "other" }
    const forms = (option ?? "").split("+").filter(isForm)
    return more === undefined ? { ...taken, by: forms } : { ...taken, by: forms, reply: false }
  })

/** The same text of steps. */
export const written = (steps: Steps): string =>
  steps
    .map(({ by, carrier, channel, reply, timeout }) => {
      const forms = by === undefined ? "" : `/${by.join("+")}${reply === false ? "/no-reply" : ""}`
      return `${channel}${forms}${carrier === undefined ? "" : `/${carrier}`}:${timeout}`
    })
    .join(",")

/** The steps in words, such as `SMS 30 s → Flash call 60 s`. */
export const inWords = (steps: Steps): string =>
  steps.map((step) => `${channelName(step.channel)}${moreOf(step)} ${step.timeout} s`).join(" → ")

const moreOf = ({ by, carrier }: Step): string => {
  if (by !== undefined) {
    const labels = FORMS.filter(([form]) => by.includes(form)).map(([, label]) => label)
    return ` (${labels.join(", ")})`
  }
  return carrier === undefined ? "" : " by another carrier"
}
