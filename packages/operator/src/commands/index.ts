/**
 * All commands of operators that need no more than a service: `service.operator`, the command line and the page of
 * commands in the documents fold over them.
 */
import type { Authenticator } from "@watchword/auth/Authenticator"
import type { Keys } from "@watchword/auth/Keys"
import * as KeyCommands from "./KeyCommands.ts"
import * as OperatorCommands from "./OperatorCommands.ts"
import * as WebhookCommands from "./WebhookCommands.ts"
import * as WebhookEventCommand from "./WebhookEventCommand.ts"
import * as GuardCommands from "./GuardCommands.ts"
import type { Accounts } from "@watchword/ledger/Accounts"
import type { Ledger } from "@watchword/ledger/Ledger"
import * as MoneyCommands from "./MoneyCommands.ts"
import type { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { callers } from "./CallersCommand.ts"
import * as CarrierCommands from "./CarrierCommands.ts"
import * as RouteCommands from "./RouteCommands.ts"
import type { InstallationSecret } from "@watchword/send/pipeline"
import type { AnyCommand } from "../command/Command.ts"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import { statement } from "./StatementCommand.ts"
import * as TemplateCommands from "./TemplateCommands.ts"
import * as VerifyCommands from "./VerifyCommands.ts"
import type { Described } from "@watchword/send/channel/Features"
import * as AccountCommands from "./AccountCommands.ts"
import * as AlarmCommands from "./AlarmCommands.ts"
import * as DeliveryCommands from "./DeliveryCommands.ts"
import * as DoorCommands from "./DoorCommands.ts"
import { look } from "./GuardLookCommand.ts"
import { tryRules } from "./GuardTryCommand.ts"
import * as NumberCommands from "./NumberCommands.ts"
import { overview } from "./OverviewCommand.ts"
import * as PrivacyCommands from "./PrivacyCommands.ts"
import * as ProcessCommand from "./ProcessCommand.ts"
import { requests } from "./RequestsCommand.ts"
import * as SettingsCommand from "./SettingsCommand.ts"
import * as TrafficCommands from "./TrafficCommands.ts"
import { tryCarrier } from "./TryCommand.ts"
import * as VerificationCommands from "./VerificationCommands.ts"

export * as DatabaseCommands from "./DatabaseCommands.ts"

/** Commands with their types, for programs that run one with no more services than it needs. */
export { AccountCommands, MoneyCommands, OperatorCommands, PrivacyCommands }

/** What commands need of a service. */
export type Needs =
  | Accounts
  | Authenticator
  | ChannelRegistry
  | Described
  | InstallationSecret
  | Keys
  | Ledger
  | Settings
  | Store

/** In the order of help and documents. */
export const commands: ReadonlyArray<AnyCommand<Needs>> = [
  AccountCommands.create,
  AccountCommands.show,
  AccountCommands.list,
  MoneyCommands.credit,
  MoneyCommands.debit,
  MoneyCommands.entries,
  AccountCommands.suspend,
  AccountCommands.resume,
  AccountCommands.allow,
  callers,
  VerifyCommands.verify,
  VerifyCommands.texts,
  VerifyCommands.setWorkflow,
  VerifyCommands.listWorkflows,
  VerifyCommands.removeWorkflow,
  VerifyCommands.addTestNumber,
  VerifyCommands.listTestNumbers,
  VerifyCommands.removeTestNumber,
  AlarmCommands.test,
  CarrierCommands.list,
  CarrierCommands.drain,
  CarrierCommands.resume,
  tryCarrier,
  DeliveryCommands.list,
  DeliveryCommands.listFilters,
  DoorCommands.key,
  DoorCommands.keys,
  DoorCommands.revoke,
  PrivacyCommands.erase,
  look,
  GuardCommands.set,
  tryRules,
  GuardCommands.show,
  GuardCommands.block,
  GuardCommands.allow,
  GuardCommands.pass,
  GuardCommands.list,
  GuardCommands.remove,
  KeyCommands.create,
  KeyCommands.rotate,
  KeyCommands.revoke,
  KeyCommands.list,
  NumberCommands.read,
  OperatorCommands.grant,
  OperatorCommands.list,
  OperatorCommands.revoke,
  OperatorCommands.log,
  OperatorCommands.openConsole,
  overview,
  ProcessCommand.list,
  requests,
  PrivacyCommands.show,
  PrivacyCommands.set,
  RouteCommands.set,
  RouteCommands.show,
  RouteCommands.remove,
  SettingsCommand.list,
  TemplateCommands.set,
  TemplateCommands.show,
  TemplateCommands.list,
  TemplateCommands.remove,
  VerificationCommands.list,
  VerificationCommands.show,
  VerificationCommands.cancel,
  WebhookCommands.add,
  WebhookCommands.list,
  WebhookCommands.throughput,
  WebhookCommands.remove,
  WebhookCommands.rotate,
  WebhookCommands.enable,
  WebhookCommands.test,
  WebhookCommands.replay,
  WebhookCommands.lowBalance,
  WebhookCommands.events,
  WebhookEventCommand.event,
  WebhookCommands.sendAgain,
  PrivacyCommands.why,
  TrafficCommands.traffic,
  TrafficCommands.rebuild,
  TrafficCommands.invoice,
  statement
]

/** The descriptions of groups, by the words that their commands begin with. */
export const groups: Readonly<Record<string, string>> = {
  account: "Accounts, their money and their rules",
  "account workflow": "Verification workflows, by the name that clients use",
  "account test-number":
    "At most ten exact numbers with a fixed code, for app-store reviewers and tests of live systems",
  alarm: "Alarms: problems sent to a webhook, a chat or by e-mail",
  carrier: "Carriers: states, drains and rehearsals",
  console: "The console, a page of the operators' API",
  delivery: "Sends of all accounts",
  door: "Interfaces of other services that apps already call",
  guard: "Rules against pumping and flooding, blocks and exemptions",
  key: "API keys",
  number: "Numbers as their users write them",
  operator: "Operator tokens, for the API and the console",
  process: "The serving processes",
  retention: "How long records and texts are kept",
  route: "An account's routes to carriers",
  template: "Verification texts, by name and language",
  verification: "Verifications of all accounts",
  webhook: "Webhooks: the endpoints that events are posted to"
}
