/**
 * The operator's command that tries where alarms go.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { field } from "@watchword/schemas/Field"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Alarms } from "../alarms/Service.ts"
import * as Command from "../command/Command.ts"
import { wire } from "../command/Wire.ts"

export const test = Command.make({
  name: ["alarm", "test"],
  description: "Send a test to each destination of alarms, and show the answers",
  role: "operator",
  input: wire({}),
  output: wire({
    destinations: Schema.Array(
      Schema.Struct({
        destination: Schema.Literals(["webhook", "slack", "email"]),
        taken: field(Schema.Boolean, "Whether the destination took it."),
        answer: field(Schema.String, "The answer in a few words, such as 204 or timeout.")
      })
    )
  }),
  run: Effect.fnUntraced(function* () {
    const alarms = yield* Alarms
    if (alarms === null) return yield* new BadRequest({ message: NONE })
    return { destinations: yield* alarms.test }
  }),
  lines: ({ destinations }) =>
    destinations.map(({ answer, destination, taken }) => `${destination}  ${taken ? "taken" : "not taken"}: ${answer}`),
  isDone: ({ destinations }) => destinations.every(({ taken }) => taken)
})

const NONE =
  "There is no destination of alarms: set ALARM_WEBHOOK_URL, ALARM_SLACK_URL or ALARM_EMAIL_TO, or the option alarms."
