/**
 * The operator's command that rehearses with a carrier: a few texts, or a call, to a phone of the operator's own, and
 * shows the carrier's answers. The phone's display is asked for, or given; the carrier's dialect follows from both.
 */
import { BadRequest, invalid } from "@watchword/schemas/Errors"
import { OfAtMostAMonth, field, optional } from "@watchword/schemas/Field"
import * as Prefixes from "@watchword/schemas/Prefixes"
import { MicroEuros, multiply, toEuros } from "@watchword/schemas/Money"
import { type E164, masked } from "@watchword/schemas/PhoneNumber"
import {
  type Dialect,
  type Found,
  type Heard,
  Heard as HeardSchema,
  type Reader,
  Readers,
  findCarrier,
  lastRehearsal,
  rehearse
} from "@watchword/send/rehearsal"
import { seenCarriers } from "@watchword/send/routes"
import * as Command from "../command/Command.ts"
import { parseInput } from "../command/NumberInput.ts"
import { Terminal } from "../command/Terminal.ts"
import { Moment, as, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { PriceLists } from "../insight/traffic/Invoice.ts"

/** Parts of texts, and calls. */
const UNITS = { smpp: 4, sip: 1 } as const

/** The sender of texts unless the operator names another. */
const SENDER = "Watchword"

const WAIT = 90
const LONGEST_WAIT = 240

const Output = wire({
  id: Schema.String,
  carrier: Schema.String,
  channel: Schema.String,
  number: field(Schema.String, "The phone's, masked."),
  cost: field(Schema.NullOr(Schema.Finite), "EUR that the carrier charges; null if unknown."),
  heard: Schema.Array(
    wire({
      at: Moment,
      kind: HeardSchema.fields.kind,
      raw: field(Schema.String, "As received."),
      read: field(Schema.String, "As interpreted."),
      facts: HeardSchema.fields.facts
    })
  ),
  findings: field(
    Schema.Array(Schema.Struct({ about: Schema.String, found: Schema.String })),
    "The carrier's dialect."
  ),
  advice: field(
    Schema.Array(Schema.Struct({ option: Schema.String, value: Schema.String, why: Schema.String })),
    "Options of the carrier's URL."
  ),
  options: field(Schema.String, "The same options as written in the URL; empty if the URL needs no more.")
})
type Output = typeof Output.Type

interface Input {
  readonly carrier: string
  readonly to?: string
  readonly from?: string
  readonly channel?: "sms" | "call"
  readonly shown?: string
  readonly wait?: number
  readonly yes?: boolean
}

const costTo = Effect.fnUntraced(function* ({ by, name }: Found, to: E164) {
  const costs = (yield* PriceLists).get(name) ?? null
  const own = costs === null ? undefined : Prefixes.find(costs, to)
  if (own !== undefined) return multiply(own, UNITS[by])
  const states = (yield* seenCarriers).flatMap(({ states }) => states)
  const usual = states.find(({ carrier }) => carrier === name)?.cost ?? null
  return usual === null ? null : multiply(MicroEuros.make(usual), UNITS[by])
})

/** The carrier's cost, as the operators' log has it before anything is sent. */
const before = Effect.fnUntraced(function* ({ carrier, channel, to }: Input) {
  const { number } = parseInput(to ?? "")
  if (number === null) return null
  const found = yield* findCarrier(carrier, channel ?? null)
  const cost = yield* costTo(found, number)
  return { number: masked(number), cost: cost === null ? null : toEuros(cost) }
})

const run = Effect.fnUntraced(function* (input: Input) {
  const { carrier, channel = null, shown, yes = false } = input
  if (input.to === undefined && shown !== undefined && !yes) return yield* concluded(carrier, channel, shown)
  const found = yield* findCarrier(carrier, channel)
  const reader = yield* readerOf(found.by)
  const given = yield* givenOf(reader, shown)
  const from = yield* senderOf(found, input.from)
  const to = yield* numberOf(input.to)
  const cost = yield* costTo(found, to)
  yield* agreed(sentenceOf(found, to, cost), yes)
  const { say } = yield* Terminal
  const { heard, id } = yield* rehearse({ found, to, from, wait: (input.wait ?? WAIT) * 1000 }, (each) =>
    say(lineOf(each))
  )
  const answers = yield* askedOf(reader, given, heard)
  const about = {
    id,
    carrier,
    channel: found.channel,
    number: masked(to),
    cost: cost === null ? null : toEuros(cost),
    heard
  }
  return outputOf(about, found.by, reader.dialectOf(heard, answers))
})

/** The phone's display of the last rehearsal, given later. */
const concluded = Effect.fnUntraced(function* (carrier: string, channel: string | null, shown: string) {
  const last = yield* lastRehearsal(carrier, channel)
  const by = last?.seen.by ?? null
  if (last === null || by === null) {
    const message = `There was no rehearsal with ${carrier} in the last day: give a phone number, and --yes.`
    return yield* new BadRequest({ message })
  }
  const reader = yield* readerOf(by)
  const { channel: of, heard, number } = last.seen
  const about = { id: last.id, carrier, channel: of, number, cost: null, heard }
  return outputOf(about, by, reader.dialectOf(heard, yield* givenOf(reader, shown)))
})

/** Asked for before anything is sent. */
const readerOf = Effect.fnUntraced(function* (by: Found["by"]) {
  const { [by]: reader } = yield* Readers
  if (reader !== undefined) return reader
  const message = `This program cannot rehearse with a carrier over ${by.toUpperCase()}. Nothing was sent.`
  return yield* new BadRequest({ message })
})

const outputOf = (
  about: Omit<Output, "findings" | "advice" | "options">,
  by: Found["by"],
  { advice, findings }: Dialect
): Output => ({
  ...about,
  findings,
  advice,
  options: advice.map(({ option, value }) => `${option}=${value}`).join(by === "smpp" ? "&" : ";")
})

/** What --shown says, by the questions in their order. */
const givenOf = ({ questions }: Reader, shown: string | undefined) => {
  const texts = shown?.split("|") ?? []
  if (texts.length > questions.length) {
    const message = `has ${texts.length} answers between "|", and there are ${questions.length} questions`
    return Effect.fail(invalid([{ path: "shown", message }]))
  }
  return Effect.succeed(
    new Map(
      questions.flatMap(({ name }, index) => (texts[index] === undefined ? [] : [[name, texts[index].trim()] as const]))
    )
  )
}

/** Asks for missing answers if an operator is present and something was sent. */
const askedOf = Effect.fnUntraced(function* (
  { questions }: Reader,
  given: ReadonlyMap<string, string>,
  heard: ReadonlyArray<Heard>
) {
  const answers = new Map(given)
  if (given.size > 0 || !heard.some(({ kind }) => kind === "answer" || kind === "ring")) return answers
  const { ask } = yield* Terminal
  for (const { name, text } of questions) {
    const answer = yield* ask(`${text} `)
    if (answer !== null && answer.trim() !== "") answers.set(name, answer.trim())
  }
  return answers
})

const numberOf = Effect.fnUntraced(function* (given: string | undefined) {
  const { ask } = yield* Terminal
  const text = given ?? (yield* ask("The number of your own phone, +49…: "))
  if (text === null || text.trim() === "") return yield* new BadRequest({ message: WITHOUT_NUMBER })
  const parsed = parseInput(text)
  if (parsed.number !== null) return parsed.number
  return yield* invalid([{ path: "to", message: parsed.message }])
})

const WITHOUT_NUMBER = "A rehearsal needs the number of your own phone: `watchword carrier try NAME +49… --yes`."

const senderOf = ({ by, name }: Found, given: string | undefined) => {
  if (by === "smpp") return Effect.succeed(given ?? SENDER)
  const { number } = parseInput(given ?? "")
  if (number !== null) return Effect.succeed(number)
  const message = `must be your own number in E.164 form that the trunk ${name} accepts as the caller`
  return Effect.fail(invalid([{ path: "from", message }]))
}

const sentenceOf = ({ by, isServed, name }: Found, to: E164, cost: MicroEuros | null): string => {
  const what = by === "smpp" ? "Three texts of four parts" : "A call that rings for six seconds"
  const price = cost === null ? "the carrier's cost is unknown here" : `the carrier charges ${toEuros(cost)} EUR`
  const how = isServed
    ? "through a running server"
    : "through this command's own connection, because no server is running"
  return `${what} to ${masked(to)} with ${name}, ${how}: ${price}, and no account pays.`
}

/** Says the cost, and continues only with the operator's consent. */
const agreed = Effect.fnUntraced(function* (sentence: string, yes: boolean) {
  const { ask, say } = yield* Terminal
  yield* say(sentence)
  if (yes) return
  const answer = yield* ask("Go on? [y/N] ")
  if (answer === null) return yield* new BadRequest({ message: `${sentence} Give --yes to send.` })
  if (!/^y(es)?$/i.test(answer.trim())) return yield* new BadRequest({ message: "Nothing was sent." })
})

export const tryCarrier = Command.make({
  name: ["carrier", "try"],
  description:
    "Rehearse with a carrier: three texts, or a call, to your own phone, and the options that follow from it",
  role: "operator",
  hidden: ["to"],
  input: wire({
    carrier: as(
      { example: "NAME" },
      field(Schema.String, "The carrier's name; the host of SMPP_URL or SIP_URL without one")
    ),
    to: as({ example: "NUMBER" }, optional(Schema.String, "The number of your own phone, +49…")),
    from: as(
      { example: "SENDER" },
      optional(Schema.String, "The sender of the texts, Watchword by default; or the caller, +49…")
    ),
    channel: optional(Schema.Literals(["sms", "call"]), "sms or call, if both have a carrier with this name"),
    shown: as(
      { example: "TEXT" },
      optional(
        Schema.String,
        'The text on the phone, such as "@ _ $ £ é|Ж € 漢|one", instead of questions; without a number, for the last rehearsal'
      )
    ),
    wait: as(
      { example: "90s" },
      optional(
        OfAtMostAMonth.check(Schema.isLessThanOrEqualTo(LONGEST_WAIT, { message: "must be at most 4m" })),
        "How long to wait for receipts; 90s by default"
      )
    ),
    yes: optional(Schema.Boolean, "Send without asking first")
  }),
  positional: ["carrier", "to"],
  output: Output,
  before,
  run,
  lines: (output) =>
    Effect.map(Terminal, ({ isLive }) => [
      ...(isLive ? [] : [costLine(output), ...output.heard.map(lineOf)]),
      `The dialect of ${output.carrier}:`,
      ...output.findings.map(({ about, found }) => `  ${about.padEnd(10)}  ${found}`),
      ...(output.advice.length === 0
        ? ["Its URL needs no other options."]
        : [
            ...output.advice.map(({ option, value, why }) => `  ${option}=${value}: ${why}`),
            `Add these options to its URL: ${output.options}`
          ])
    ])
})

const costLine = ({ carrier, cost, number }: Output): string =>
  `To ${number} by ${carrier}${cost === null ? "" : `, ${cost} EUR`}.`

const ARROWS: Readonly<Record<Heard["kind"], string>> = {
  sent: "→",
  answer: "←",
  receipt: "←",
  stray: "←",
  ring: "←",
  end: "←",
  note: "·"
}

const lineOf = ({ at, kind, raw, read }: Heard): string => {
  const begin = `${new Date(at).toISOString().slice(11, 23)} ${ARROWS[kind]} `
  return raw === "" ? begin + read : `${begin}${raw}\n${" ".repeat(begin.length)}${read}`
}
