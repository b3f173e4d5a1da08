/**
 * Everything that a call of a program loads.
 */
import { invalid } from "@watchword/schemas/Errors"
import * as Effect from "effect/Effect"
import type { Store } from "@watchword/store/Store"
import type { AnyCommand, Command, Failure } from "../command/Command.ts"
import { type Placed, inProgram, notHere } from "../command/Faces.ts"
import { logged } from "../command/OperatorLog.ts"

export * as AccountCommands from "./AccountCommands.ts"
export * as AlarmCommands from "./AlarmCommands.ts"
export * as CallersCommand from "./CallersCommand.ts"
export * as CarrierCommands from "./CarrierCommands.ts"
export * as DatabaseCommands from "./DatabaseCommands.ts"
export * as DeliveryCommands from "./DeliveryCommands.ts"
export * as DoorCommands from "./DoorCommands.ts"
export * as GuardCommands from "./GuardCommands.ts"
export * as GuardLookCommand from "./GuardLookCommand.ts"
export * as GuardTryCommand from "./GuardTryCommand.ts"
export * as KeyCommands from "./KeyCommands.ts"
export * as MoneyCommands from "./MoneyCommands.ts"
export * as NumberCommands from "./NumberCommands.ts"
export * as OperatorCommands from "./OperatorCommands.ts"
export * as OverviewCommand from "./OverviewCommand.ts"
export * as PrivacyCommands from "./PrivacyCommands.ts"
export * as ProcessCommand from "./ProcessCommand.ts"
export * as RequestsCommand from "./RequestsCommand.ts"
export * as RouteCommands from "./RouteCommands.ts"
export * as SettingsCommand from "./SettingsCommand.ts"
export * as StatementCommand from "./StatementCommand.ts"
export * as TemplateCommands from "./TemplateCommands.ts"
export * as TrafficCommands from "./TrafficCommands.ts"
export * as TryCommand from "./TryCommand.ts"
export * as VerificationCommands from "./VerificationCommands.ts"
export * as VerifyCommands from "./VerifyCommands.ts"
export * as WebhookCommands from "./WebhookCommands.ts"
export * as WebhookEventCommand from "./WebhookEventCommand.ts"

const exampleOf = ({ fields, name }: Pick<AnyCommand<never>, "fields" | "name">): string => {
  const required = fields.filter(({ isOptional }) => !isOptional).map(({ json }) => json)
  const input = required.length === 0 ? "{}" : `{ ${required.join(", ")} }`
  return `must be an object: operator.${name.map(inProgram).join(".")}(${input})`
}

/** Reads an input of a program, and runs a command, which is in the operators' log where it changes something. */
export const asked = Effect.fnUntraced(function* <I, J, R>(
  command: Command<I, J, R>,
  who: string,
  input: unknown
): Effect.fn.Return<J, Failure, R | Store> {
  if (typeof input !== "object" || input === null) return yield* invalid([{ path: "", message: exampleOf(command) }])
  const found = yield* command.ask(input)
  const { json } = yield* logged(command, { who, identity: `program ${who}`, by: "program" }, found)
  return json
})

/** The rejection of a command that only the command line has. */
export const elsewhere = (command: Placed): Effect.Effect<never, Failure> => Effect.fail(notHere(command, "program"))
