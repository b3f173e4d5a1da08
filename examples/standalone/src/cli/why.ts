/**
 * The command that tells why a user got no code.
 */
import { parse } from "@watchword/schemas/PhoneNumber"
import * as Why from "watchword/internal/Why"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Database from "../Database.ts"
import { explained, mistake, print, timeOf } from "./root.ts"

export const why = Command.make(
  "why",
  {
    number: Argument.String("number").pipe(Argument.withDescription("A phone number in E.164 form, +49…")),
    since: Flag.String("since").pipe(
      Flag.withDescription("A time in ISO 8601, at most a year ago; a week ago unless given"),
      Flag.optional
    )
  },
  ({ number, since }) =>
    Effect.gen(function* () {
      const to = parse(number)
      if (to === null) return yield* Effect.fail(mistake("number must be a phone number in E.164 form, +49…"))
      const from = Option.isSome(since) ? yield* timeOf("--since", since.value) : undefined
      const story = yield* Why.why(to, { since: from })
      yield* print(story, linesOf(story))
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Tell what happened for a number, and why its user got no code"))

const linesOf = ({ items, number, reason, remedy, since, truncated }: Why.Story): ReadonlyArray<string> => [
  `${number} since ${since}${truncated ? ", older items left out" : ""}`,
  ...items.flatMap(({ account, at, channel, id, lines, mode, name }) => [
    `${at}  ${channel}  ${id}  ${name} (${account}), ${mode}`,
    ...lines.map((line) => `  ${line}`)
  ]),
  `Likely reason: ${reason}.`,
  `What to do: ${remedy}.`
]
