/**
 * Texts of the form: names, placeholders, and the choice of a language.
 */
import type { Reason, Sent, Way } from "./Wire.ts"

/**
 * Every text of the form in one language. `{to}` is the number, `{length}` the number of digits, `{left}` how many
 * codes may still be entered, `{time}` minutes and seconds.
 */
export interface Texts extends Readonly<Record<Reason, string>> {
  readonly title: string
  readonly number: string
  readonly country: string
  readonly send: string
  readonly code: string
  readonly confirm: string
  readonly sent: string
  readonly sent_sms: string
  readonly sent_call: string
  readonly sent_chatgw: string
  readonly sent_bizchat: string
  readonly sent_receive: string
  readonly resend: string
  readonly resend_in: string
  readonly by_sms: string
  readonly by_call: string
  readonly by_chatgw: string
  readonly by_bizchat: string
  readonly by_receive: string
  readonly by_other: string
  readonly act_sms: string
  readonly act_call: string
  readonly act_bizchat: string
  readonly act_telegram_login: string
  readonly scan: string
  readonly use_code: string
  readonly done_it: string
  readonly change: string
  readonly which: string
  readonly approved: string
  readonly again: string
}

/** The languages that the form has texts in, as the texts of codes. */
export const languages: ReadonlyArray<string> =
  "ar bg cs da de el en es fi fr he hi hu id it ja ko nb nl pl pt ro ru sv th tr uk vi zh".split(" ")

const others: Readonly<Record<string, string>> = { no: "nb", nn: "nb", iw: "he", in: "id" }

/** The first language of the form among tags in order of preference, such as `de-AT`; `en` if no tag matches. */
export const languageOf = (...tags: ReadonlyArray<string>): string => {
  for (const tag of tags) {
    const [first = ""] = tag.toLowerCase().split("-")
    const language = others[first] ?? first
    if (languages.includes(language)) return language
  }
  return "en"
}

/** The direction in which a language is written. */
export const directionOf = (language: string): "ltr" | "rtl" => (language === "ar" || language === "he" ? "rtl" : "ltr")

/** Values of a text's places. */
export interface Values {
  readonly to?: string | undefined
  readonly length?: number | undefined
  readonly left?: number | undefined
  readonly seconds?: number | undefined
}

/** A text with its places filled. A number stays in one line, and keeps its direction in a text from right to left. */
export const filled = (text: string, { left = 0, length = 0, seconds = 0, to = "" }: Values): string =>
  text
    .replace("{to}", () => `\u2066${to.replaceAll(" ", "\u00a0")}\u2069`)
    .replace("{length}", String(length))
    .replace("{left}", String(left))
    .replace("{time}", timeOf(seconds))

/** Seconds as a clock shows them: `0:27`, `1:02:00`. */
const timeOf = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = `${seconds % 60}`.padStart(2, "0")
  return hours > 0 ? `${hours}:${`${minutes}`.padStart(2, "0")}:${rest}` : `${minutes}:${rest}`
}

/** The channel of a step at which the user acts first. */
export const RECEIVE = "receive"

/** The text that names the channel of the code, or has the user act while there is a way to. */
export const sentBy = (texts: Texts, { channel, ways }: Pick<Sent, "channel" | "ways">): string =>
  channel === RECEIVE && ways.length === 0 ? texts.sent : (textOf(texts, `sent_${channel}`) ?? texts.sent)

/** The label of the button that switches to another channel. */
export const sendBy = (texts: Texts, channel: string | null, other: string): string =>
  channel === RECEIVE && other !== RECEIVE ? texts.use_code : (textOf(texts, `by_${other}`) ?? texts.by_other)

/** The label of a link by which a user acts first. */
export const actBy = (texts: Texts, { by }: Pick<Way, "by">): string => textOf(texts, `act_${by}`) ?? texts.by_other

const textOf = (texts: Texts, name: string): string | undefined => {
  const text: unknown = Reflect.get(texts, name)
  return typeof text === "string" ? text : undefined
}

/** The text of a problem, with the time to wait if waiting helps. */
export const problemText = (
  texts: Texts,
  { reason, wait }: { readonly reason: Reason; readonly wait: number | null }
) =>
  wait !== null && wait > 0 && (reason === "too_many" || reason === "too_soon")
    ? `${texts[reason]} ${filled(texts.resend_in, { seconds: wait })}`
    : texts[reason]
