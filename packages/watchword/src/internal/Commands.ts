/**
 * All commands of operators that need no more than a service: `service.operator`, the command line and the page of commands in
 * the documents fold over them.
 */
import type { Authenticator } from "@watchword/auth/Authenticator"
import type { Keys } from "@watchword/auth/Keys"
import * as KeyCommands from "@watchword/auth/internal/KeyCommands"
import * as WebhookCommands from "@watchword/events/internal/WebhookCommands"
import * as GuardCommands from "@watchword/guards/internal/GuardCommands"
import type { Accounts } from "@watchword/ledger/Accounts"
import type { Ledger } from "@watchword/ledger/Ledger"
import * as MoneyCommands from "@watchword/ledger/internal/MoneyCommands"
import { callers } from "@watchword/send/internal/CallersCommand"
import type { InstallationSecret } from "@watchword/send/internal/InstallationSecret"
import type { AnyCommand } from "@watchword/store/internal/Command"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import * as TemplateCommands from "@watchword/verify/internal/operator/TemplateCommands"
import * as VerifyCommands from "@watchword/verify/internal/operator/VerifyCommands"
import * as AccountCommands from "./commands/AccountCommands.ts"
import * as PrivacyCommands from "./commands/PrivacyCommands.ts"

/** What commands need of a service. */
export type Needs = Accounts | Authenticator | InstallationSecret | Keys | Ledger | Settings | Store

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
  VerifyCommands.setWorkflow,
  VerifyCommands.listWorkflows,
  VerifyCommands.removeWorkflow,
  VerifyCommands.addTestNumber,
  VerifyCommands.listTestNumbers,
  VerifyCommands.removeTestNumber,
  PrivacyCommands.erase,
  GuardCommands.set,
  GuardCommands.show,
  GuardCommands.block,
  GuardCommands.allow,
  GuardCommands.list,
  GuardCommands.remove,
  KeyCommands.create,
  KeyCommands.rotate,
  KeyCommands.revoke,
  KeyCommands.list,
  PrivacyCommands.show,
  PrivacyCommands.set,
  TemplateCommands.set,
  TemplateCommands.show,
  TemplateCommands.list,
  TemplateCommands.remove,
  WebhookCommands.add,
  WebhookCommands.list,
  WebhookCommands.remove,
  WebhookCommands.rotate,
  WebhookCommands.enable,
  WebhookCommands.test,
  WebhookCommands.replay,
  WebhookCommands.lowBalance,
  PrivacyCommands.why
]

/** The descriptions of groups, by the words that their commands begin with. */
export const groups: Readonly<Record<string, string>> = {
  account: "Accounts, their money and their rules",
  "account workflow": "Steps of verifications, by the name that clients use",
  "account test-number":
    "At most ten exact numbers with a fixed code, for reviewers of app stores and tests of live systems",
  guard: "Rules against pumping and flooding, blocks and exceptions",
  key: "API keys",
  retention: "How long records and texts are kept",
  template: "Texts of verifications, by name and language",
  webhook: "Webhooks: endpoints that events are posted to"
}
