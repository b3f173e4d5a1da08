/**
 * The dialect of a trunk: a rehearsal's heard responses, and the phone's display, as findings and as options of its
 * URL.
 */
import { parse } from "@watchword/schemas/PhoneNumber"
import {
  type Advice,
  type Dialect,
  type Finding,
  type Heard,
  type Question,
  type Reader,
  textsOf,
  zoneOf
} from "@watchword/send/rehearsal"

const questions: ReadonlyArray<Question> = [
  { name: "caller", text: "Which caller did the phone show? The number, or: hidden, nothing" }
]

const dialectOf = (heard: ReadonlyArray<Heard>, shown: ReadonlyMap<string, string>): Dialect => {
  const parts = [ringing(heard, shown.get("caller")), ends(heard), clocks(heard), caller(heard, shown.get("caller"))]
  return { findings: parts.flatMap(({ findings }) => findings), advice: parts.flatMap(({ advice = [] }) => advice) }
}

export const reader: Reader = { questions, dialectOf }

interface Part {
  readonly findings: ReadonlyArray<Finding>
  readonly advice?: ReadonlyArray<Advice>
}

const found = (about: string, text: string, advice: ReadonlyArray<Advice> = []): Part => ({
  findings: [{ about, found: text }],
  advice
})

const statusesOf = (heard: ReadonlyArray<Heard>, kind: Heard["kind"]): ReadonlyArray<number> => [
  ...new Set(
    heard.flatMap(({ facts: { status }, kind: of }) => (of === kind && typeof status === "number" ? [status] : []))
  )
]

const ringing = (heard: ReadonlyArray<Heard>, shown: string | undefined): Part => {
  const provisional = statusesOf(heard, "ring")
  const rings = heard.find(({ facts }) => typeof facts["rang"] === "number")?.facts["rang"]
  if (provisional.length === 0) return found("ringing", "the trunk has sent no provisional response")
  const after =
    typeof rings === "number" ? `, which counts as ringing after ${rings} ms` : ", none of which counts as ringing"
  const text = `${provisional.join(", ")}${after}`
  const hasRung = shown !== undefined && !isNothing(shown)
  if (provisional.includes(183) && typeof rings !== "number" && hasRung) {
    return found("ringing", `${text}, and the phone rang`, [
      { option: "ringing", value: "183", why: "this trunk sends no other sign that the phone rings" }
    ])
  }
  if (!provisional.includes(180) && typeof rings === "number" && shown !== undefined && !hasRung) {
    return found("ringing", `${text}, and the phone did not ring`, [
      { option: "ringing", value: "180", why: "else calls are charged that no phone has shown" }
    ])
  }
  return found("ringing", text)
}

const ends = (heard: ReadonlyArray<Heard>): Part => {
  const final = statusesOf(heard, "end")
  const reasons = textsOf(heard, "reason")
  const [cause] = textsOf(heard, "cause")
  const said = final.length === 0 ? "no final response" : final.join(", ")
  return found(
    "end",
    [
      said,
      ...(reasons.length === 0 ? [] : [`Reason ${reasons.join(", ")}`]),
      ...(cause === undefined ? [] : [cause])
    ].join("; ")
  )
}

const clocks = (heard: ReadonlyArray<Heard>): Part => {
  const [dated] = heard.filter(({ facts }) => typeof facts["date"] === "string")
  if (dated === undefined) return found("clocks", "responses have no Date")
  const written = String(dated.facts["date"])
  const zone = Number.isNaN(Date.parse(written)) ? null : zoneOf(Date.parse(written), dated.at)
  return found("clocks", zone === "UTC" ? "Date is right" : `Date differs (${written})`)
}

const isNothing = (shown: string): boolean => /^(nothing|none|no)$/i.test(shown.trim())

const caller = (heard: ReadonlyArray<Heard>, shown: string | undefined): Part => {
  if (shown === undefined) return found("caller", "unknown: it depends on what the phone shows (--shown)")
  if (isNothing(shown)) return found("caller", "the phone has shown no call")
  const from = /from (\+[0-9]+)/.exec(heard.find(({ kind }) => kind === "sent")?.raw ?? "")?.[1] ?? ""
  if (/hidden|anonymous|unknown|private|withheld/i.test(shown)) {
    return found("caller", "the phone shows no number", [
      {
        option: "identity",
        value: "preferred",
        why: "then remote-party, or from=account: one of them the trunk believes"
      },
      { option: "privacy", value: "none", why: "asks the network to show the number" }
    ])
  }
  const digits = (parse(shown).number ?? shown).replace(/\D/g, "").replace(/^0+/, "")
  if (from !== "" && digits.length >= 4 && from.endsWith(digits))
    return found("caller", "the phone shows the number that was sent")
  return found(
    "caller",
    `the phone shows ${shown} for ${from}: the trunk replaces the caller with its own number, so flash calls cannot work`,
    [
      {
        option: "identity",
        value: "preferred",
        why: "try this first, then remote-party; if the trunk trusts neither, ask it to pass callers on"
      }
    ]
  )
}
