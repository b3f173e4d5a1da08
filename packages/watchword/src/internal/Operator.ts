/**
 * The operator's part of a service, for programs that run it: promises out. All that the operator's command can do.
 */
import type { Needs } from "@watchword/operator/commands"
import * as accounts from "./operator/accounts.ts"
import * as callers from "./operator/callers.ts"
import * as carriers from "./operator/carriers.ts"
import * as guards from "./operator/guards.ts"
import * as keys from "./operator/keys.ts"
import * as money from "./operator/money.ts"
import type { Run } from "./operator/Run.ts"
import * as retention from "./operator/retention.ts"
import * as traffic from "./operator/traffic.ts"
import * as verifications from "./operator/verifications.ts"
import * as webhooks from "./operator/webhooks.ts"
import * as why from "./operator/why.ts"

/** Accounts, their money, their keys and their settings. Running processes go by a changed setting within a second. */
export interface Operator
  extends
    accounts.AccountOperator,
    money.MoneyOperator,
    keys.KeyOperator,
    why.WhyOperator,
    traffic.TrafficOperator,
    retention.ErasureOperator {
  /** The pools of numbers that calls come from. */
  readonly callers: callers.CallersOperator
  /** Carriers by name, and the routes of accounts among them. */
  readonly carriers: carriers.CarrierOperator
  /** Settings of verifications. */
  readonly verifications: verifications.VerificationOperator
  /** Rules against pumping and flooding, blocks and exceptions. */
  readonly guards: guards.GuardOperator
  /** The periods after which records and texts go. */
  readonly retention: retention.RetentionOperator
  /** Endpoints that are told of events. */
  readonly webhooks: webhooks.WebhookOperator
}

/** @param run runs an effect with the service's own context */
export const make = (run: Run<Needs>): Operator => ({
  ...accounts.make(run),
  ...money.make(run),
  ...keys.make(run),
  ...why.make(run),
  ...traffic.make(run),
  ...retention.makeErasure(run),
  retention: retention.make(run),
  callers: callers.make(run),
  carriers: carriers.make(run),
  verifications: verifications.make(run),
  guards: guards.make(run),
  webhooks: webhooks.make(run)
})
