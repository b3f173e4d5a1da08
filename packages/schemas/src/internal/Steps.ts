/**
 * Workflows: the steps by which a number is verified, in their order.
 */
import * as Schema from "effect/Schema"
import { field, named, open, optional } from "../Field.ts"
import { ReceiveForms } from "./ReceiveFields.ts"

/** Watchword's built-in channels for verifications. */
export const stepChannels = ["chatgw", "sms", "call", "bizchat"] as const

/**
 * A channel that a verification can use: a built-in one, or one of the service's own. The service knows which it has.
 */
export const StepChannel = Schema.String.check(
  Schema.makeFilter((text) => (isChannelName(text) ? undefined : `must be one of ${stepChannels.join(", ")}`), {
    toJsonSchema: () => [{ enum: stepChannels }, true]
  })
).annotate({ ...named("StepChannel"), ...open })
export type StepChannel = (typeof stepChannels)[number] | (string & {})

const isChannelName = (text: string): boolean => /^[a-z][a-z0-9_]{0,31}$/u.test(text)

export const between = (minimum: number, maximum: number, unit = "") =>
  Schema.Int.check(
    Schema.isBetween({ minimum, maximum }, { message: `must be ${minimum} to ${maximum}${unit && ` ${unit}`}` })
  )

/** A name that an operator or a client gives: of a workflow, a template, a purpose. */
export const Name = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9_-]{0,63}$/u, {
    message: "must be 1 to 64 lower-case letters, digits, hyphens or underscores"
  })
)

/** The channel of steps at which the user acts first, and nothing is sent. */
export const RECEIVE = "receive"

/** One step of a workflow. */
export const Step = Schema.Struct({
  channel: field(
    StepChannel,
    "The channel that the code is sent by, or `receive`: the user writes, calls or signs in, and no code is needed."
  ),
  timeout: field(between(10, 900, "seconds"), "Seconds without news after which the next step is taken, 10 to 900."),
  carrier: optional(
    Schema.Literal("other"),
    "`other` for a carrier that no earlier step has used, where the service has several: a second try by it. Without one the step is passed over."
  ),
  by: optional(
    ReceiveForms,
    "How the user may act, for a `receive` step only. Forms that do not serve the number are left out."
  ),
  reply: optional(
    Schema.Boolean,
    "Whether a text that a user sends is answered by a code, which the user enters: a token that someone was talked into " +
      "sending proves nothing then. True unless given; for a `receive` step only."
  )
})
  .annotate({
    ...named("Step"),
    description: "One step of a workflow. Where nothing was heard for `timeout` seconds, the next one is taken."
  })
  .check(
    Schema.makeFilter(({ by, carrier, channel, reply }) => {
      const only = { by, reply }
      if (channel === RECEIVE) {
        if (by === undefined) return { path: ["by"], issue: "is required for the channel receive" }
        return carrier === undefined ? undefined : { path: ["carrier"], issue: "must not be set for receive" }
      }
      return Object.entries(only).flatMap(([name, value]) =>
        value === undefined ? [] : [{ path: [name], issue: "is only for the channel receive" }]
      )
    })
  )
export type Step = typeof Step.Type

/** The steps of a workflow in their order. */
export const Steps = Schema.Array(Step).check(
  Schema.isMinLength(1, { message: "must have a step" }),
  Schema.isMaxLength(4, { message: "must have at most 4 steps" })
)
export type Steps = typeof Steps.Type

/** The steps of a verification, or the name of a workflow that is set on the account. */
export const Workflow = Schema.Union([Steps, Name])
export type Workflow = typeof Workflow.Type
