/**
 * The form as HTML that works without a script: each button posts, and the answer is a page again.
 */
import { countriesIn } from "../Countries.ts"
import { RECEIVE, type Texts, actBy, filled, problemText, sendBy, sentBy } from "../Texts.ts"
import type { Answer, Reason, Way } from "../Wire.ts"

/** The content of the markup. */
export interface Shown {
  readonly answer: Answer
  readonly texts: Texts
  readonly language: string
  /** The text in the number field, and the selected country. */
  readonly text: string
  readonly country: string
}

/** The form at its stage. */
export const markup = (shown: Shown): string => {
  const { answer, texts } = shown
  switch (answer.stage) {
    case "number":
      return form(numberFields(shown))
    case "code":
      return form(codeFields(shown))
    case "approved":
      return form(
        `<p class="wf-done" role="status">${sentence(texts.approved, shown)}</p>${button("forget", texts.change, "link")}`
      )
    case "ended":
      return form(`${problemOf(shown, "")}${button("forget", texts.again)}`)
  }
}

/** A text for HTML. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const form = (content: string): string => `<form method="post" class="wf-form">${content}</form>`

const sentence = (text: string, { answer: { sent } }: Shown): string =>
  escaped(filled(text, { to: sent?.to.written, length: sent?.code_length, left: sent?.checks_left }))

const button = (action: string, text: string, kind = "primary"): string =>
  `<button name="action" value="${action}" class="wf-${kind}">${escaped(text)}</button>`

const hidden = (name: string, value: string): string => `<input type="hidden" name="${name}" value="${escaped(value)}">`

/** The error below its field. */
const problemOf = (shown: Shown, id: string): string => {
  const { problem } = shown.answer
  if (problem === null) return ""
  const text = escaped(
    filled(problemText(shown.texts, problem), {
      left: shown.answer.sent?.checks_left ?? 0,
      length: shown.answer.sent?.code_length ?? 0
    })
  )
  return `<p class="wf-error" role="alert"${id && ` id="${id}"`}>${text}</p>`
}

const described = ({ answer: { problem } }: Shown, id: string): string =>
  problem === null ? "" : ` aria-invalid="${isOfField(problem.reason)}" aria-describedby="${id}"`

const isOfField = (reason: Reason): boolean => /^(?:number|code|country|wrong)_/.test(reason)

const numberFields = (shown: Shown): string => {
  const { answer, country, language, text, texts } = shown
  const options = countriesIn(language).map(
    ({ callingCode, code, name }) =>
      `<option value="${code}"${code === country ? " selected" : ""}>${escaped(`${name} (+${callingCode})`)}</option>`
  )
  const readings = answer.readings.map(
    ({ number, written }) =>
      `<label class="wf-reading"><input type="radio" name="reading" value="${escaped(number)}"><bdi dir="ltr">${escaped(written)}</bdi></label>`
  )
  return [
    hidden("language", language),
    `<label for="wf-country" class="wf-label">${escaped(texts.country)}</label>`,
    `<select id="wf-country" name="country" class="wf-field" autocomplete="country">${options.join("")}</select>`,
    `<label for="wf-number" class="wf-label">${escaped(texts.number)}</label>`,
    `<input id="wf-number" name="to" type="tel" dir="ltr" class="wf-field" autocomplete="tel" value="${escaped(text)}"${described(shown, "wf-error")}>`,
    problemOf(shown, "wf-error"),
    readings.length > 0
      ? `<fieldset class="wf-readings"><legend>${escaped(texts.which)}</legend>${readings.join("")}</fieldset>`
      : "",
    button("start", texts.send)
  ].join("")
}

const codeFields = (shown: Shown): string => {
  const { answer, texts } = shown
  const { sent } = answer
  if (sent === null) return ""
  const isActing = sent.ways.length > 0
  return [
    hidden("id", sent.id),
    `<p class="wf-sent">${sentence(sentBy(texts, sent), shown)}</p>`,
    isActing ? `<ul class="wf-ways">${sent.ways.map((way) => wayOf(way, texts)).join("")}</ul>` : "",
    ...(sent.has_code ? entry(shown) : [problemOf(shown, "wf-error")]),
    isActing ? button("state", texts.done_it, sent.has_code ? "link" : "primary") : "",
    `<p class="wf-more">`,
    sent.sends_left > 0 && sent.channel !== RECEIVE ? button("resend", texts.resend, "link") : "",
    sent.other === null ? "" : button("other", sendBy(texts, sent.channel, sent.other), "link"),
    button("forget", texts.change, "link"),
    "</p>"
  ].join("")
}

/** A way for the user to act: its link, its text, and its QR code. */
const wayOf = (way: Way, texts: Texts): string => {
  const { number, qr, text, uri } = way
  const written = number === null ? "" : ` <bdi dir="ltr">${escaped(number.written)}</bdi>`
  const isPage = uri.startsWith("http")
  return [
    `<li><a class="wf-way" href="${escaped(uri)}"${isPage ? ' target="_blank" rel="noopener"' : ""}>${escaped(actBy(texts, way))}${written}</a>`,
    text === null ? "" : `<p class="wf-text" dir="auto">${escaped(text)}</p>`,
    qr === null
      ? ""
      : `<details class="wf-qr"><summary>${escaped(texts.scan)}</summary><svg viewBox="0 0 ${qr.size} ${qr.size}" role="img" aria-label="${escaped(texts.scan)}"><path d="${qr.path}"/></svg></details>`,
    "</li>"
  ].join("")
}

/** The field of the code. */
const entry = (shown: Shown): ReadonlyArray<string> => {
  const { texts } = shown
  return [
    `<label for="wf-code" class="wf-label">${escaped(texts.code)}</label>`,
    `<input id="wf-code" name="code" dir="ltr" class="wf-field wf-code" inputmode="numeric" autocomplete="one-time-code" autofocus${described(shown, "wf-error")}>`,
    problemOf(shown, "wf-error"),
    button("check", texts.confirm)
  ]
}
