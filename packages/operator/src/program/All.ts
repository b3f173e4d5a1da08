/**
 * All that a call of a program loads.
 */
import { invalid } from "@watchword/schemas/Issues"
import * as Effect from "effect/Effect"
import type { Store } from "@watchword/store/Store"
import type { AnyCommand, Command, Failure } from "../command/Command.ts"
import { type Placed, inProgram, notHere } from "../command/Faces.ts"
import { logged } from "../command/OperatorLog.ts"

export * as AccountCommands from "../commands/AccountCommands.ts"
export * as CallersCommand from "../commands/CallersCommand.ts"
export * as CarrierCommands from "../commands/CarrierCommands.ts"
export * as DatabaseCommands from "../commands/DatabaseCommands.ts"
export * as DeliveryCommands from "../commands/DeliveryCommands.ts"
export * as GuardCommands from "../commands/GuardCommands.ts"
export * as GuardLookCommand from "../commands/GuardLookCommand.ts"
export * as KeyCommands from "../commands/KeyCommands.ts"
export * as MoneyCommands from "../commands/MoneyCommands.ts"
export * as OperatorCommands from "../commands/OperatorCommands.ts"
export * as OverviewCommand from "../commands/OverviewCommand.ts"
export * as PrivacyCommands from "../commands/PrivacyCommands.ts"
export * as ProcessCommand from "../commands/ProcessCommand.ts"
export * as RouteCommands from "../commands/RouteCommands.ts"
export * as SettingsCommand from "../commands/SettingsCommand.ts"
export * as TemplateCommands from "../commands/TemplateCommands.ts"
export * as TrafficCommands from "../commands/TrafficCommands.ts"
export * as TryCommand from "../commands/TryCommand.ts"
export * as VerificationCommands from "../commands/VerificationCommands.ts"
export * as VerifyCommands from "../commands/VerifyCommands.ts"
export * as WebhookCommands from "../commands/WebhookCommands.ts"

const exampleOf = ({ fields, name }: Pick<AnyCommand<never>, "fields" | "name">): string => {
  const required = fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  const input = required.length === 0 ? "{}" : `{ ${required.join(", ")} }`
  return `must be an object: operator.${name.map(inProgram).join(".")}(${input})`
}

/** Reads an input of a program, and runs a command, which is in the operators' log where it changes something. */
export const asked = Effect.fnUntraced(function* <I, O, R>(
  command: Command<I, O, R>,
  who: string,
  input: unknown
): Effect.fn.Return<O, Failure, R | Store> {
  if (typeof input !== "object" || input === null) return yield* invalid([{ path: "", message: exampleOf(command) }])
  const found = yield* command.ask(input)
  const { output } = yield* logged(command, { who, by: "program" }, found)
  return output
})

/** The rejection of a command that is on the command line alone. */
export const elsewhere = (command: Placed): Effect.Effect<never, Failure> => Effect.fail(notHere(command, "program"))
