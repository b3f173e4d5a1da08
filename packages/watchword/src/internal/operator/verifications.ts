/**
 * Settings of verifications: defaults, workflows and templates of an account or of all, and test numbers.
 */
import type { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { Step } from "@watchword/schemas/Verification"
import type { Template } from "@watchword/verify/Template"
import * as Defaults from "@watchword/verify/internal/operator/Defaults"
import * as TemplateCommands from "@watchword/operator/commands/TemplateCommands"
import * as Templates from "@watchword/verify/internal/operator/Templates"
import * as VerifyCommands from "@watchword/operator/commands/VerifyCommands"
import type { InstallationSecret } from "@watchword/send/internal/InstallationSecret"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reading } from "../Reading.ts"
import { type Run, ownerId } from "./Run.ts"

/** An account's id, or null for all accounts. */
type Owner = string | null

/** A template of an account or, without one, of the installation. */
export interface OwnedTemplate extends Template {
  /** The account whose template it is; that of all accounts when left out. */
  readonly account?: string
}

/** A number that no gateway is asked for, with the code that is right until a time. */
export interface TestNumber {
  /** E.164, with the plus sign. */
  readonly number: string
  /** 4 to 8 digits. */
  readonly code: string
  /** At most 90 days from now. */
  readonly until: Date
}

export interface VerificationOperator {
  /** The name in texts, the language and the workflow of clients that name none; those of an account go before. */
  readonly defaults: {
    /** The defaults of an account, or with null of the installation. */
    readonly get: (account: Owner) => Promise<Defaults.Defaults>
    /** Sets those that are given, takes away those that are null, and leaves the others. */
    readonly set: (account: Owner, defaults: Partial<Defaults.Defaults>) => Promise<Defaults.Defaults>
  }
  /** Steps by the name that clients use. Pending verifications keep the steps that they began with. */
  readonly workflows: {
    /** The workflows of an account, or with null of the installation. */
    readonly list: (
      account: Owner
    ) => Promise<ReadonlyArray<{ readonly name: string; readonly steps: ReadonlyArray<Step> }>>
    /** Sets the steps of a workflow: 1 to 4 of a channel and seconds. */
    readonly set: (account: Owner, name: string, steps: ReadonlyArray<Step>) => Promise<void>
    /** Fails for the default workflow. */
    readonly remove: (account: Owner, name: string) => Promise<void>
  }
  /** Texts by name and language. One that could take more than one SMS is refused. */
  readonly templates: {
    /** The templates of an account or, without one, of the installation. */
    readonly list: (account?: string) => Promise<ReadonlyArray<Template>>
    /** Sets a text, whose places are in braces: `{{brand}}: {{code}} is your code.` */
    readonly set: (template: OwnedTemplate) => Promise<void>
    /** Takes a text away. */
    readonly remove: (template: Omit<OwnedTemplate, "text">) => Promise<void>
    /** The text that is sent for a name in a language, with example values, and whose template it is. */
    readonly preview: (template: Omit<OwnedTemplate, "text">) => Promise<Templates.Preview>
  }
  /** At most ten numbers of an account that nothing is sent to, for reviewers of app stores and tests of live systems. */
  readonly testNumbers: {
    /** The test numbers of an account. */
    readonly list: (
      account: string
    ) => Promise<ReadonlyArray<TestNumber & { readonly ended: boolean; readonly locked: boolean }>>
    /**
     * Adds a number, or changes its code and its end. One that the account has sent to in the last 90 days is refused unless
     * `anyway`.
     */
    readonly add: (account: string, testNumber: TestNumber & { readonly anyway?: boolean }) => Promise<void>
    /** Takes a number away: it is sent to like others again. */
    readonly remove: (account: string, number: string) => Promise<void>
  }
}

export const make = (run: Run<ChannelRegistry | InstallationSecret | Settings | Store>): VerificationOperator => ({
  defaults: {
    get: (account) => run(Effect.flatMap(ownerId(account), Defaults.get)),
    set: (account, defaults) => run(Effect.flatMap(ownerId(account), (owner) => Defaults.set(owner, defaults)))
  },
  workflows: {
    list: async (account) => (await run(VerifyCommands.listWorkflows.call({ account }))).workflows,
    set: async (account, name, steps) => void (await run(VerifyCommands.setWorkflow.call({ account, name, steps }))),
    remove: async (account, name) => void (await run(VerifyCommands.removeWorkflow.call({ account, name })))
  },
  templates: {
    list: async (account) => (await run(TemplateCommands.list.call({ account }))).templates,
    set: async (template) => void (await run(TemplateCommands.set.call(template))),
    remove: async (template) => void (await run(TemplateCommands.remove.call(template))),
    preview: (wanted) =>
      run(
        Effect.gen(function* () {
          const { account, ...template } = yield* namedTemplate(wanted)
          return yield* Templates.preview(yield* ownerId(account), template)
        })
      )
  },
  testNumbers: {
    list: async (account) => (await run(VerifyCommands.listTestNumbers.call({ account }))).testNumbers,
    add: async (account, testNumber) => void (await run(VerifyCommands.addTestNumber.call({ ...testNumber, account }))),
    remove: async (account, number) => void (await run(VerifyCommands.removeTestNumber.call({ account, number })))
  }
})

const namedTemplate = reading(
  Schema.Struct({ name: Schema.String, locale: Schema.String, account: Schema.optional(Schema.NullOr(Schema.String)) })
)
