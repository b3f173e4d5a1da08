/**
 * The commands of operators for programs: `service.operator`. Each function has its command's words, takes its input
 * as one object, and is in the operators' log where it changes something. Written by scripts/contract.ts.
 */
import type * as AccountCommands from "./commands/AccountCommands.ts"
import type * as AlarmCommands from "./commands/AlarmCommands.ts"
import type * as CallersCommand from "./commands/CallersCommand.ts"
import type * as CarrierCommands from "./commands/CarrierCommands.ts"
import type * as DeliveryCommands from "./commands/DeliveryCommands.ts"
import type * as DoorCommands from "./commands/DoorCommands.ts"
import type * as GuardCommands from "./commands/GuardCommands.ts"
import type * as GuardLookCommand from "./commands/GuardLookCommand.ts"
import type * as GuardTryCommand from "./commands/GuardTryCommand.ts"
import type * as KeyCommands from "./commands/KeyCommands.ts"
import type * as MoneyCommands from "./commands/MoneyCommands.ts"
import type * as NumberCommands from "./commands/NumberCommands.ts"
import type * as OperatorCommands from "./commands/OperatorCommands.ts"
import type * as OverviewCommand from "./commands/OverviewCommand.ts"
import type * as PrivacyCommands from "./commands/PrivacyCommands.ts"
import type * as ProcessCommand from "./commands/ProcessCommand.ts"
import type * as RequestsCommand from "./commands/RequestsCommand.ts"
import type * as RouteCommands from "./commands/RouteCommands.ts"
import type * as SettingsCommand from "./commands/SettingsCommand.ts"
import type * as StatementCommand from "./commands/StatementCommand.ts"
import type * as TemplateCommands from "./commands/TemplateCommands.ts"
import type * as TrafficCommands from "./commands/TrafficCommands.ts"
import type * as TryCommand from "./commands/TryCommand.ts"
import type * as VerificationCommands from "./commands/VerificationCommands.ts"
import type * as VerifyCommands from "./commands/VerifyCommands.ts"
import type * as WebhookCommands from "./commands/WebhookCommands.ts"
import type * as WebhookEventCommand from "./commands/WebhookEventCommand.ts"
import { type Field, type Output, type Run, caller, refuser } from "./program/Call.ts"

export type { Run } from "./program/Call.ts"

export interface Operator {
  /**
   * The same commands under another name in the operators' log: `service.operator.as("anna").guard.block({ … })`.
   * Without it the log names `program`.
   */
  readonly as: (who: string) => Operator
  /** Accounts, their money and their rules. */
  readonly account: {
    /** Open an account. */
    readonly create: (input?: {
      /** The account's display name, and the brand in verification texts until account verify sets one. */
      readonly name?: string | undefined
      /** A first credit, in EUR. */
      readonly balance?: string | number | undefined
      /** Default caller id of flash calls, E.164. */
      readonly caller?: string | undefined
      /** Default sender of SMS; Watchword unless given. */
      readonly sms_sender?: string | undefined
      /** Default sender of chat-gateway codes. */
      readonly sender_username?: string | undefined
      /** Shortest default ring time, seconds. */
      readonly min_ring?: number | undefined
      /** Longest default ring time, seconds. */
      readonly max_ring?: number | undefined
      /** Keep message texts, which contain codes, in their records. */
      readonly store_text?: boolean | undefined
    }) => Promise<Output<typeof AccountCommands.create>>
    /** Show an account, its balance, its rules and its settings. */
    readonly show: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
    }) => Promise<Output<typeof AccountCommands.show>>
    /** List all accounts. */
    readonly list: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof AccountCommands.list>>
    /** Add money to an account's balance. */
    readonly credit: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
      /** EUR, for example 25 or 0.50. */
      readonly amount: string | number
      /** An id of your own, such as an invoice number: a repeat with the same id changes nothing. */
      readonly id?: string | undefined
      /** The reason, for the ledger. */
      readonly reason?: string | undefined
    }) => Promise<Output<typeof MoneyCommands.credit>>
    /** Debit available money from an account's balance. */
    readonly debit: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
      /** EUR, for example 25 or 0.50. */
      readonly amount: string | number
      /** The reason, for the ledger. */
      readonly reason: string
      /** An id of your own, such as an invoice number: a repeat with the same id changes nothing. */
      readonly id?: string | undefined
    }) => Promise<Output<typeof MoneyCommands.debit>>
    /** Show an account's ledger, oldest entry first. */
    readonly entries: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
      /** How many of the newest entries to show. */
      readonly newest?: number | undefined
    }) => Promise<Output<typeof MoneyCommands.entries>>
    /** Stop an account's sends and refuse its keys. */
    readonly suspend: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
    }) => Promise<Output<typeof AccountCommands.suspend>>
    /** Resume a suspended account. */
    readonly resume: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
    }) => Promise<Output<typeof AccountCommands.resume>>
    /** Restrict the senders, callers and usernames of an account's live sends. */
    readonly allow: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
      /** The senders allowed for its live SMS. */
      readonly senders?: ReadonlyArray<string> | null | undefined
      /** The callers allowed for its live calls: numbers, and ranges such as +4930…00-+4930…99. */
      readonly callers?: ReadonlyArray<string> | null | undefined
      /** The usernames allowed for its live chat-gateway codes. */
      readonly usernames?: ReadonlyArray<string> | null | undefined
    }) => Promise<Output<typeof AccountCommands.allow>>
    /** Set, show or clear the pool of numbers that an account's calls are placed from, at random. */
    readonly callers: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
      /** Numbers and ranges such as +4930…000-+4930…999; shows the pool if omitted. */
      readonly numbers?: ReadonlyArray<string> | undefined
      /** Allow verification calls even if the numbers have fewer than 1,000 endings. */
      readonly allow_small?: boolean | undefined
      /** Remove the pool. */
      readonly clear?: boolean | undefined
    }) => Promise<Output<typeof CallersCommand.callers>>
    /** Set or show the verification defaults of an account or of all accounts. */
    readonly verify: (input: {
      /** The account's id, acc_…, or all for the installation's own. */
      readonly account_id: string | null
      /** The name in texts, at most 20 characters. */
      readonly brand?: string | null | undefined
      /** The default language of texts, such as de or pt-BR. */
      readonly locale?: string | null | undefined
      /** The name of the default workflow. */
      readonly workflow?: string | null | undefined
    }) => Promise<Output<typeof VerifyCommands.verify>>
    /** Allow an account's clients to give texts of their own, or show whether they may. */
    readonly texts: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
      /** own for texts of its clients, templates for templates only. */
      readonly texts?: "own" | "templates" | undefined
    }) => Promise<Output<typeof VerifyCommands.texts>>
    /** Verification workflows, by the name that clients use. */
    readonly workflow: {
      /** Set a workflow's steps. */
      readonly set: (input: {
        /** The account's id, acc_…, or all for the installation's own. */
        readonly account_id: string | null
        /** The name that clients use, such as cheap. */
        readonly name: string
        /** Channels, each with the seconds until the next one. */
        readonly steps: Field<typeof VerifyCommands.setWorkflow, "steps">
      }) => Promise<Output<typeof VerifyCommands.setWorkflow>>
      /** List the workflows of an account or of all accounts. */
      readonly list: (input: {
        /** The account's id, acc_…, or all for the installation's own. */
        readonly account_id: string | null
      }) => Promise<Output<typeof VerifyCommands.listWorkflows>>
      /** Remove a workflow; pending verifications keep its steps. */
      readonly remove: (input: {
        /** The account's id, acc_…, or all for the installation's own. */
        readonly account_id: string | null
        /** The name that clients use, such as cheap. */
        readonly name: string
      }) => Promise<Output<typeof VerifyCommands.removeWorkflow>>
    }
    /** At most ten exact numbers with a fixed code, for app-store reviewers and tests of live systems. */
    readonly testNumber: {
      /** Add a test number, to which nothing is sent, or change its code and expiry. */
      readonly add: (input: {
        /** The account's id, acc_…. */
        readonly account_id: string
        /** A phone number in E.164 form, +49…, or as people type it. */
        readonly number: string
        /** The ISO 3166-1 country of a number that has no calling code. */
        readonly default_country?: string | undefined
        /** The valid code, 6 to 8 digits. */
        readonly code: string
        /** When it expires, ISO 8601, at most 90 days from now. */
        readonly until: string
        /** Add it even if the account has sent to the number in the last 90 days. */
        readonly anyway?: boolean | undefined
      }) => Promise<Output<typeof VerifyCommands.addTestNumber>>
      /** List an account's test numbers. */
      readonly list: (input: {
        /** The account's id, acc_…. */
        readonly account_id: string
      }) => Promise<Output<typeof VerifyCommands.listTestNumbers>>
      /** Remove a test number. */
      readonly remove: (input: {
        /** The account's id, acc_…. */
        readonly account_id: string
        /** A phone number in E.164 form, +49…, or as people type it. */
        readonly number: string
        /** The ISO 3166-1 country of a number that has no calling code. */
        readonly default_country?: string | undefined
      }) => Promise<Output<typeof VerifyCommands.removeTestNumber>>
    }
  }
  /** Alarms: problems sent to a webhook, a chat or by e-mail. */
  readonly alarm: {
    /** Send a test to each destination of alarms, and show the answers. */
    readonly test: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof AlarmCommands.test>>
  }
  /** Carriers: states, drains and rehearsals. */
  readonly carrier: {
    /** List the carriers of running servers: state, window, cost, refusals, conversion. */
    readonly list: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof CarrierCommands.list>>
    /** Send no more messages to a carrier; messages under way are completed. */
    readonly drain: (input: {
      /** The carrier's name. */
      readonly carrier: string
      /** How long, in seconds; until `carrier resume` unless given. */
      readonly for?: number | undefined
    }) => Promise<Output<typeof CarrierCommands.drain>>
    /** Resume a drained carrier. */
    readonly resume: (input: {
      /** The carrier's name. */
      readonly carrier: string
    }) => Promise<Output<typeof CarrierCommands.resume>>
    /** Rehearse with a carrier: three texts, or a call, to your own phone, and the options that follow from it. */
    readonly try: (input: {
      /** The carrier's name; the host of SMPP_URL or SIP_URL without one. */
      readonly carrier: string
      /** The number of your own phone, +49…. */
      readonly to?: string | undefined
      /** The sender of the texts, Watchword by default; or the caller, +49…. */
      readonly from?: string | undefined
      /** sms or call, if both have a carrier with this name. */
      readonly channel?: "sms" | "call" | undefined
      /**
       * The text on the phone, such as "@ _ $ £ é|Ж € 漢|one", instead of questions; without a number, for the last
       * rehearsal.
       */
      readonly shown?: string | undefined
      /** How long to wait for receipts, in seconds; 90s by default. */
      readonly wait?: number | undefined
      /** Send without asking first. */
      readonly yes?: boolean | undefined
    }) => Promise<Output<typeof TryCommand.tryCarrier>>
  }
  /** Sends of all accounts. */
  readonly delivery: {
    /** List sends of all accounts, newest first. */
    readonly list: (input?: {
      /** Only this account, acc_…. */
      readonly account_id?: string | undefined
      /** live or sandbox; both by default. */
      readonly mode?: "live" | "sandbox" | undefined
      /** Only records with this status. */
      readonly status?: string | undefined
      /** Only records with a number in this country. */
      readonly country?: string | undefined
      /** Only records with a number that begins so; a whole number is looked up by why. */
      readonly prefix?: string | undefined
      /** Only records requested since this time, ISO 8601. */
      readonly since?: string | undefined
      /** Only records requested before this time, ISO 8601. */
      readonly until?: string | undefined
      /** How many to show, up to 100; 50 by default. */
      readonly limit?: number | undefined
      /** Only this channel, such as sms. */
      readonly channel?: string | undefined
      /** Only the carrier with this name. */
      readonly carrier?: string | undefined
      /** Records after this one: the previous page's next. */
      readonly after?: string | undefined
    }) => Promise<Output<typeof DeliveryCommands.list>>
    /** List the service's channels, and the countries and carriers that sends had in the last 30 days. */
    readonly filters: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof DeliveryCommands.listFilters>>
  }
  /** Interfaces of other services that apps already call. */
  readonly door: {
    /** Add a public key that verifies the tokens of an account's application, and replace its earlier keys. */
    readonly key: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
      /** The application's id, as the app's tokens name it. */
      readonly application: string
      /** A file with a public key of RSA, PEM. */
      readonly public_key: string
      /** Tokens reach no carrier and cost nothing. */
      readonly sandbox?: boolean | undefined
      /** How long earlier keys stay valid, in seconds; 24h by default. */
      readonly overlap?: number | undefined
    }) => Promise<Output<typeof DoorCommands.key>>
    /** List the applications of an account and their public keys. */
    readonly keys: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
    }) => Promise<Output<typeof DoorCommands.keys>>
    /** Permanently revoke the public keys of an application, or one key. */
    readonly revoke: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
      /** The application's id, as the app's tokens name it. */
      readonly application: string
      /** Only the key of this fingerprint, as door keys lists it; all keys unless given. */
      readonly fingerprint?: string | undefined
    }) => Promise<Output<typeof DoorCommands.revoke>>
  }
  /** Erase a number's owner from all records; amounts stay. */
  readonly erase: (input: {
    /** A phone number in E.164 form, +49…, or as people type it. */
    readonly number: string
    /** The ISO 3166-1 country of a number that has no calling code. */
    readonly default_country?: string | undefined
    /** Rewrite the tables, so that no unused byte contains the number; sends wait while this runs. */
    readonly rewrite?: boolean | undefined
  }) => Promise<Output<typeof PrivacyCommands.erase>>
  /** Rules against pumping and flooding, blocks and exemptions. */
  readonly guard: {
    /** Show guards' current state: blocks, refusals by rule, countries and prefixes with unused codes. */
    readonly look: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof GuardLookCommand.look>>
    /** Set the rules of an account. */
    readonly set: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
      /** The rules. */
      readonly rules: Field<typeof GuardCommands.set, "rules">
    }) => Promise<Output<typeof GuardCommands.set>>
    /** Say how many of an account's requests of the last hour rules would have refused. */
    readonly try: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
      /** The rules. */
      readonly rules: Field<typeof GuardTryCommand.tryRules, "rules">
    }) => Promise<Output<typeof GuardTryCommand.tryRules>>
    /** Show an account's rules, blocks and exemptions. */
    readonly show: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
    }) => Promise<Output<typeof GuardCommands.show>>
    /** Refuse sends to a prefix or a country for a time. */
    readonly block: (input: {
      /** First digits such as +2348, a country such as NG, or 001 for numbers of no country. */
      readonly place: string
      /** How long, in seconds. */
      readonly for: number
      /** Only for this account's sends; for all accounts by default. */
      readonly account_id?: string | null | undefined
    }) => Promise<Output<typeof GuardCommands.block>>
    /** Exempt a number from rules and blocks, within wider limits per number. */
    readonly allow: (input: {
      /** A phone number in E.164 form, +49…, or as people type it. */
      readonly number: string
      /** The ISO 3166-1 country of a number that has no calling code. */
      readonly default_country?: string | undefined
      /** How long, in seconds; until you remove it by default. */
      readonly for?: number | undefined
      /** Only for this account's sends; for all accounts by default. */
      readonly account_id?: string | null | undefined
    }) => Promise<Output<typeof GuardCommands.allow>>
    /** Exempt a number from blocks, country rules and pumping rules for a day, within wider limits per number. */
    readonly pass: (input: {
      /** A phone number in E.164 form, +49…, or as people type it. */
      readonly number: string
      /** The ISO 3166-1 country of a number that has no calling code. */
      readonly default_country?: string | undefined
      /** Only for this account's sends; for all accounts by default. */
      readonly account_id?: string | null | undefined
    }) => Promise<Output<typeof GuardCommands.pass>>
    /** List blocks, exemptions, and accounts with rules of their own. */
    readonly list: (input?: {
      /** Only for this account's sends; for all accounts by default. */
      readonly account_id?: string | null | undefined
    }) => Promise<Output<typeof GuardCommands.list>>
    /** Remove a block, an exemption, or an account's rules. */
    readonly remove: (input: {
      /** A blocked prefix or country, an exempt number, or an account id to remove its rules. */
      readonly entry: string
      /** The ISO 3166-1 country of a number that has no calling code. */
      readonly default_country?: string | undefined
      /** Only for this account's sends; for all accounts by default. */
      readonly account_id?: string | null | undefined
    }) => Promise<Output<typeof GuardCommands.remove>>
  }
  /** API keys. */
  readonly key: {
    /** Create an API key and show it once. */
    readonly create: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
      /** A key that reaches no carrier and costs nothing. */
      readonly sandbox?: boolean | undefined
      /**
       * Permissions; all by default: call:send, call:read, call:report, sms:send, sms:read, sms:report, chatgw:send,
       * chatgw:read, chatgw:report, bizchat:send, bizchat:read, bizchat:report, verify:send, verify:check, verify:read,
       * verify:report, sandbox:read, requests:read.
       */
      readonly scopes?: ReadonlyArray<string> | undefined
      /** Addresses and CIDR ranges allowed to use it. */
      readonly allow?: ReadonlyArray<string> | undefined
      /** When it expires, ISO 8601. */
      readonly expires?: string | undefined
    }) => Promise<Output<typeof KeyCommands.create>>
    /** Create a key with another key's permissions, and let the other key expire. */
    readonly rotate: (input: {
      /** The key's id, key_…. */
      readonly key_id: string
      /** How long the old key keeps working, in seconds; 24h by default. */
      readonly overlap?: number | undefined
      /** When the new key expires, ISO 8601. */
      readonly expires?: string | undefined
    }) => Promise<Output<typeof KeyCommands.rotate>>
    /** Permanently revoke an API key. */
    readonly revoke: (input: {
      /** The key's id, key_…. */
      readonly key_id: string
    }) => Promise<Output<typeof KeyCommands.revoke>>
    /** List an account's API keys. */
    readonly list: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
    }) => Promise<Output<typeof KeyCommands.list>>
  }
  /** Numbers as their users write them. */
  readonly number: {
    /** Read a number as its user wrote it, in the countries of most sends. */
    readonly read: (input: {
      /** A phone number as people write it. */
      readonly number: string
    }) => Promise<Output<typeof NumberCommands.read>>
  }
  /** Operator tokens, for the API and the console. */
  readonly operator: {
    /** Create a token for the operators' API and the console, and show it once. */
    readonly grant: (input: {
      /** The person's name, as the operators' log records it. */
      readonly name: string
      /** Its role: support reads, operator also changes, admin also revokes and erases. */
      readonly role: "support" | "operator" | "admin"
      /** How long it works, in seconds; 90d by default. */
      readonly for?: number | undefined
    }) => Promise<Output<typeof OperatorCommands.grant>>
    /** List operator tokens, and sessions opened by links. */
    readonly list: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof OperatorCommands.list>>
    /** Revoke an operator's token and the sessions that it opened. */
    readonly revoke: (input: {
      /** The token's id, opr_…. */
      readonly id: string
    }) => Promise<Output<typeof OperatorCommands.revoke>>
    /** Show operators' changes, one line of JSON each, newest first. */
    readonly log: (input?: {
      /** Only entries from this time on, ISO 8601. */
      readonly since?: string | undefined
      /** Only entries before this id: `next` of the previous page. */
      readonly before?: string | undefined
      /** How many to show, up to 200, which is the default. */
      readonly limit?: number | undefined
    }) => Promise<Output<typeof OperatorCommands.log>>
  }
  /** The console, a page of the operators' API. */
  readonly console: {
    /** Print a link that signs a browser in to the console; it works once, for a minute. */
    readonly open: (input?: {
      /** The name for the operators' log; by default the user of the machine. */
      readonly name?: string | undefined
      /** The session's role; admin by default. */
      readonly role?: "support" | "operator" | "admin" | undefined
    }) => Promise<Output<typeof OperatorCommands.openConsole>>
  }
  /** Show the last hour compared with the same hour a week ago, and current problems. */
  readonly overview: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof OverviewCommand.overview>>
  /** The serving processes. */
  readonly process: {
    /** List the serving processes and their leases. */
    readonly list: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof ProcessCommand.list>>
  }
  /** List refused and failed requests of customers, newest first, of the last seven days. */
  readonly requests: (input?: {
    /** Only this account, acc_…. */
    readonly account_id?: string | undefined
    /** live or sandbox; both by default. */
    readonly mode?: "live" | "sandbox" | undefined
    /** Only answers with this status. */
    readonly status?: number | undefined
    /** Only errors with this code, such as UNAUTHORIZED. */
    readonly code?: string | undefined
    /** Only this operation, such as "POST /verifications". */
    readonly operation?: string | undefined
    /** Only records requested since this time, ISO 8601. */
    readonly since?: string | undefined
    /** Only records requested before this time, ISO 8601. */
    readonly until?: string | undefined
    /** How many to show, up to 100; 50 by default. */
    readonly limit?: number | undefined
    /** Requests after this one: the previous page's next. */
    readonly after?: string | undefined
  }) => Promise<Output<typeof RequestsCommand.requests>>
  /** How long records and texts are kept. */
  readonly retention: {
    /** Show how long records and texts are kept. */
    readonly show: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof PrivacyCommands.show>>
    /** Set how long records and texts are kept; running servers apply it within minutes. */
    readonly set: (input?: {
      /** The number of days after which records are deleted, such as 90d, or forever. */
      readonly records?: number | null | undefined
      /** The number of days after which texts and codes are removed from records, such as 90d, or forever. */
      readonly texts?: number | null | undefined
    }) => Promise<Output<typeof PrivacyCommands.set>>
  }
  /** An account's routes to carriers. */
  readonly route: {
    /** Set an account's routes to carriers. */
    readonly set: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
      /** A list of routes. */
      readonly routes: Field<typeof RouteCommands.set, "routes">
    }) => Promise<Output<typeof RouteCommands.set>>
    /** Show the routes of an account. */
    readonly show: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
    }) => Promise<Output<typeof RouteCommands.show>>
    /** Remove an account's routes. */
    readonly remove: (input: {
      /** The account's id, acc_…. */
      readonly account_id: string
    }) => Promise<Output<typeof RouteCommands.remove>>
  }
  /** Show the settings of the server asked, or of this command otherwise, without secrets. */
  readonly settings: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof SettingsCommand.list>>
  /** Verification texts, by name and language. */
  readonly template: {
    /** Set a verification text in one language. */
    readonly set: (input: {
      /** The name that clients use; default applies if a client names no template. */
      readonly name: string
      /** The language of the text, such as de or pt-BR. */
      readonly locale: string
      /** The text, with {{code}}, and optionally {{brand}}, {{minutes}} or clients' variables. */
      readonly text: string
      /** The account's id, acc_…; all accounts by default. */
      readonly account_id?: string | null | undefined
    }) => Promise<Output<typeof TemplateCommands.set>>
    /** Show the text that is sent in a language, with example values. */
    readonly show: (input: {
      /** The name that clients use; default applies if a client names no template. */
      readonly name: string
      /** The language of the text, such as de or pt-BR. */
      readonly locale: string
      /** The account's id, acc_…; all accounts by default. */
      readonly account_id?: string | null | undefined
    }) => Promise<Output<typeof TemplateCommands.show>>
    /** List the texts that were set for an account or for all accounts. */
    readonly list: (input?: {
      /** The account's id, acc_…; all accounts by default. */
      readonly account_id?: string | null | undefined
    }) => Promise<Output<typeof TemplateCommands.list>>
    /** Remove a verification text. */
    readonly remove: (input: {
      /** The name that clients use; default applies if a client names no template. */
      readonly name: string
      /** The language of the text, such as de or pt-BR. */
      readonly locale: string
      /** The account's id, acc_…; all accounts by default. */
      readonly account_id?: string | null | undefined
    }) => Promise<Output<typeof TemplateCommands.remove>>
  }
  /** Verifications of all accounts. */
  readonly verification: {
    /** List verifications of all accounts, newest first. */
    readonly list: (input?: {
      /** Only this account, acc_…. */
      readonly account_id?: string | undefined
      /** live or sandbox; both by default. */
      readonly mode?: "live" | "sandbox" | undefined
      /** Only records with this status. */
      readonly status?: "pending" | "approved" | "failed" | "expired" | "canceled" | "blocked" | undefined
      /** Only records with a number in this country. */
      readonly country?: string | undefined
      /** Only records with a number that begins so; a whole number is looked up by why. */
      readonly prefix?: string | undefined
      /** Only records requested since this time, ISO 8601. */
      readonly since?: string | undefined
      /** Only records requested before this time, ISO 8601. */
      readonly until?: string | undefined
      /** How many to show, up to 100; 50 by default. */
      readonly limit?: number | undefined
      /** Records after this one: the previous page's next. */
      readonly after?: string | undefined
    }) => Promise<Output<typeof VerificationCommands.list>>
    /** Show a verification and its sends. */
    readonly show: (input: {
      /** The verification's id, vrf_…. */
      readonly verification_id: string
    }) => Promise<Output<typeof VerificationCommands.show>>
    /** End a pending verification; servers revoke its sent messages. */
    readonly cancel: (input: {
      /** The verification's id, vrf_…. */
      readonly verification_id: string
    }) => Promise<Output<typeof VerificationCommands.cancel>>
  }
  /** Webhooks: the endpoints that events are posted to. */
  readonly webhook: {
    /** Post events to a URL. */
    readonly add: (input: {
      /** Only for this account's events; for all accounts by default. */
      readonly account_id?: string | null | undefined
      /** The URL that events are posted to, https://…. */
      readonly url: string
      /** Types and patterns such as verification.*,delivery.updated; all by default. */
      readonly events?: ReadonlyArray<string> | undefined
      /** Allow a private address if only the servers have WEBHOOK_ALLOW_PRIVATE set. */
      readonly anyway?: boolean | undefined
    }) => Promise<Output<typeof WebhookCommands.add>>
    /** List webhooks, their waiting events, and their last answers. */
    readonly list: (input?: {
      /** Only for this account's events; for all accounts by default. */
      readonly account_id?: string | null | undefined
    }) => Promise<Output<typeof WebhookCommands.list>>
    /** Set how many requests a webhook gets at once, and how many events a request carries. */
    readonly throughput: (input: {
      /** The webhook's id, whk_…. */
      readonly webhook_id: string
      /** Concurrent requests, 1 to 64; 8 by default. */
      readonly concurrency?: number | null | undefined
      /** The most events in a request, 1 to 100, as a list; by default each event has its own request. */
      readonly batch?: number | null | undefined
    }) => Promise<Output<typeof WebhookCommands.throughput>>
    /** Remove a webhook. */
    readonly remove: (input: {
      /** The webhook's id, whk_…. */
      readonly webhook_id: string
    }) => Promise<Output<typeof WebhookCommands.remove>>
    /** Give a webhook a new secret; the old secret also works for a day. */
    readonly rotate: (input: {
      /** The webhook's id, whk_…. */
      readonly webhook_id: string
    }) => Promise<Output<typeof WebhookCommands.rotate>>
    /** Enable a disabled webhook again. */
    readonly enable: (input: {
      /** The webhook's id, whk_…. */
      readonly webhook_id: string
    }) => Promise<Output<typeof WebhookCommands.enable>>
    /** Make a running server post the event webhook.test, and show the answer. */
    readonly test: (input: {
      /** The webhook's id, whk_…. */
      readonly webhook_id: string
    }) => Promise<Output<typeof WebhookCommands.test>>
    /** Resend the events since a time. */
    readonly replay: (input: {
      /** The webhook's id, whk_…. */
      readonly webhook_id: string
      /** A time in ISO 8601, at most a week ago. */
      readonly since: string
    }) => Promise<Output<typeof WebhookCommands.replay>>
    /** Set the balance below which balance.low is sent to webhooks. */
    readonly lowBalance: (input: {
      /** The account's id, acc_…, or all for the installation's own. */
      readonly account_id: string | null
      /** The available balance, in EUR, below which balance.low is sent; null for none. */
      readonly euros: string | number | null
    }) => Promise<Output<typeof WebhookCommands.lowBalance>>
    /** Show a webhook's events, their attempts and its last answers. */
    readonly events: (input: {
      /** The webhook's id, whk_…. */
      readonly webhook_id: string
      /** pending, sent or failed; pending by default. */
      readonly state?: "pending" | "sent" | "failed" | undefined
      /** How many to show, up to 100; 50 by default. */
      readonly limit?: number | undefined
    }) => Promise<Output<typeof WebhookCommands.events>>
    /** Show an event of a webhook, the body that is posted, and the last answer. */
    readonly event: (input: {
      /** The webhook's id, whk_…. */
      readonly webhook_id: string
      /** The event's id, as listed or received. */
      readonly event_id: string
    }) => Promise<Output<typeof WebhookEventCommand.event>>
    /** Resend one event, whatever its state. */
    readonly sendAgain: (input: {
      /** The webhook's id, whk_…. */
      readonly webhook_id: string
      /** The event's id, as listed or received. */
      readonly event_id: string
    }) => Promise<Output<typeof WebhookCommands.sendAgain>>
  }
  /** Say what happened for a number, and why its user got no code. */
  readonly why: (input: {
    /** A phone number in E.164 form, +49…, or as people type it. */
    readonly number: string
    /** The ISO 3166-1 country of a number that has no calling code. */
    readonly default_country?: string | undefined
    /** A time in ISO 8601, at most a year ago; a week ago by default. */
    readonly since?: string | undefined
  }) => Promise<Output<typeof PrivacyCommands.why>>
  /** Show sends, their outcomes, costs and prices, by hour, day, account, channel, carrier or country. */
  readonly traffic: ((input?: {
    /** The start: a duration such as 24h or 30d, or a time in ISO 8601; 24h by default. */
    readonly since?: string | undefined
    /** The end, in the same form; now by default. */
    readonly until?: string | undefined
    /** Only this account's figures. */
    readonly account_id?: string | undefined
    /** Only this channel's figures. */
    readonly channel?: string | undefined
    /** Only the figures of the carrier with this name. */
    readonly carrier?: string | undefined
    /** Only the figures of this country. */
    readonly country?: string | undefined
    /** How to group: any of hour, day, account, channel, carrier, country; channel,carrier,country by default. */
    readonly by?: ReadonlyArray<"hour" | "day" | "account" | "channel" | "carrier" | "country"> | undefined
    /** Show sandbox sends instead of live sends. */
    readonly sandbox?: boolean | undefined
  }) => Promise<Output<typeof TrafficCommands.traffic>>) & {
    /** Recount past hours from the records. */
    readonly rebuild: (input: {
      /** The start: a duration such as 48h, or a time in ISO 8601. */
      readonly since: string
    }) => Promise<Output<typeof TrafficCommands.rebuild>>
  }
  /**
   * Show the expected charges of a carrier for a month, by day and prefix, or compare them with the carrier's own
   * file.
   */
  readonly invoice: (input: {
    /** The carrier's name; the channel's name for an unnamed carrier. */
    readonly carrier: string
    /** The month, in UTC. */
    readonly month: string
    /** Print CSV. */
    readonly csv?: boolean | undefined
    /** The carrier's CSV file with a column message_id; lists the messages that differ. */
    readonly against?: string | undefined
  }) => Promise<Output<typeof TrafficCommands.invoice>>
  /** Show an account's statement of a month: balances, credits, sends by channel and country, refunds. */
  readonly statement: (input: {
    /** The account's id, acc_…. */
    readonly account_id: string
    /** The month, in UTC. */
    readonly month: string
    /** Print CSV. */
    readonly csv?: boolean | undefined
  }) => Promise<Output<typeof StatementCommand.statement>>
  /**
   * Check every rule about money and messages on the database, even while a server uses it: `watchword audit`. It is
   * not available here, because it reads a snapshot of the whole database.
   */
  readonly audit: () => Promise<never>
  /**
   * Write a backup of the SQLite database to a file, even while a server uses it: `watchword backup`. It is not
   * available here, because it writes a copy of the whole database to a file on the database's machine.
   */
  readonly backup: () => Promise<never>
  /**
   * Migrate the database to this program's version while older servers use it: `watchword migrate`. It is not
   * available here, because a service starts only on a migrated database.
   */
  readonly migrate: () => Promise<never>
  /**
   * Move an account to another cell's PostgreSQL; run it again if it was interrupted: `watchword move`. It is not
   * available here, because it needs the databases of two cells.
   */
  readonly move: () => Promise<never>
  /**
   * Replace the SQLite database with a backup, while no server uses it: `watchword restore`. It is not available
   * here, because no service may use the database while it runs.
   */
  readonly restore: () => Promise<never>
}

/**
 * The commands as functions.
 *
 * @param run runs an effect with the services of a running Watchword
 * @param who whom the operators' log names
 */
export const operatorOf = (run: Run, who = "program"): Operator => {
  const call = caller(run, who)
  const refuse = refuser(run)
  return {
    as: (name) => operatorOf(run, name),
    account: {
      create: call((all) => all.AccountCommands.create),
      show: call((all) => all.AccountCommands.show),
      list: call((all) => all.AccountCommands.list),
      credit: call((all) => all.MoneyCommands.credit),
      debit: call((all) => all.MoneyCommands.debit),
      entries: call((all) => all.MoneyCommands.entries),
      suspend: call((all) => all.AccountCommands.suspend),
      resume: call((all) => all.AccountCommands.resume),
      allow: call((all) => all.AccountCommands.allow),
      callers: call((all) => all.CallersCommand.callers),
      verify: call((all) => all.VerifyCommands.verify),
      texts: call((all) => all.VerifyCommands.texts),
      workflow: {
        set: call((all) => all.VerifyCommands.setWorkflow),
        list: call((all) => all.VerifyCommands.listWorkflows),
        remove: call((all) => all.VerifyCommands.removeWorkflow)
      },
      testNumber: {
        add: call((all) => all.VerifyCommands.addTestNumber),
        list: call((all) => all.VerifyCommands.listTestNumbers),
        remove: call((all) => all.VerifyCommands.removeTestNumber)
      }
    },
    alarm: {
      test: call((all) => all.AlarmCommands.test)
    },
    carrier: {
      list: call((all) => all.CarrierCommands.list),
      drain: call((all) => all.CarrierCommands.drain),
      resume: call((all) => all.CarrierCommands.resume),
      try: call((all) => all.TryCommand.tryCarrier)
    },
    delivery: {
      list: call((all) => all.DeliveryCommands.list),
      filters: call((all) => all.DeliveryCommands.listFilters)
    },
    door: {
      key: call((all) => all.DoorCommands.key),
      keys: call((all) => all.DoorCommands.keys),
      revoke: call((all) => all.DoorCommands.revoke)
    },
    erase: call((all) => all.PrivacyCommands.erase),
    guard: {
      look: call((all) => all.GuardLookCommand.look),
      set: call((all) => all.GuardCommands.set),
      try: call((all) => all.GuardTryCommand.tryRules),
      show: call((all) => all.GuardCommands.show),
      block: call((all) => all.GuardCommands.block),
      allow: call((all) => all.GuardCommands.allow),
      pass: call((all) => all.GuardCommands.pass),
      list: call((all) => all.GuardCommands.list),
      remove: call((all) => all.GuardCommands.remove)
    },
    key: {
      create: call((all) => all.KeyCommands.create),
      rotate: call((all) => all.KeyCommands.rotate),
      revoke: call((all) => all.KeyCommands.revoke),
      list: call((all) => all.KeyCommands.list)
    },
    number: {
      read: call((all) => all.NumberCommands.read)
    },
    operator: {
      grant: call((all) => all.OperatorCommands.grant),
      list: call((all) => all.OperatorCommands.list),
      revoke: call((all) => all.OperatorCommands.revoke),
      log: call((all) => all.OperatorCommands.log)
    },
    console: {
      open: call((all) => all.OperatorCommands.openConsole)
    },
    overview: call((all) => all.OverviewCommand.overview),
    process: {
      list: call((all) => all.ProcessCommand.list)
    },
    requests: call((all) => all.RequestsCommand.requests),
    retention: {
      show: call((all) => all.PrivacyCommands.show),
      set: call((all) => all.PrivacyCommands.set)
    },
    route: {
      set: call((all) => all.RouteCommands.set),
      show: call((all) => all.RouteCommands.show),
      remove: call((all) => all.RouteCommands.remove)
    },
    settings: call((all) => all.SettingsCommand.list),
    template: {
      set: call((all) => all.TemplateCommands.set),
      show: call((all) => all.TemplateCommands.show),
      list: call((all) => all.TemplateCommands.list),
      remove: call((all) => all.TemplateCommands.remove)
    },
    verification: {
      list: call((all) => all.VerificationCommands.list),
      show: call((all) => all.VerificationCommands.show),
      cancel: call((all) => all.VerificationCommands.cancel)
    },
    webhook: {
      add: call((all) => all.WebhookCommands.add),
      list: call((all) => all.WebhookCommands.list),
      throughput: call((all) => all.WebhookCommands.throughput),
      remove: call((all) => all.WebhookCommands.remove),
      rotate: call((all) => all.WebhookCommands.rotate),
      enable: call((all) => all.WebhookCommands.enable),
      test: call((all) => all.WebhookCommands.test),
      replay: call((all) => all.WebhookCommands.replay),
      lowBalance: call((all) => all.WebhookCommands.lowBalance),
      events: call((all) => all.WebhookCommands.events),
      event: call((all) => all.WebhookEventCommand.event),
      sendAgain: call((all) => all.WebhookCommands.sendAgain)
    },
    why: call((all) => all.PrivacyCommands.why),
    traffic: Object.assign(
      call((all) => all.TrafficCommands.traffic),
      {
        rebuild: call((all) => all.TrafficCommands.rebuild)
      }
    ),
    invoice: call((all) => all.TrafficCommands.invoice),
    statement: call((all) => all.StatementCommand.statement),
    audit: refuse((all) => all.DatabaseCommands.audit),
    backup: refuse((all) => all.DatabaseCommands.backup),
    migrate: refuse((all) => all.DatabaseCommands.migrate),
    move: refuse((all) => all.DatabaseCommands.move),
    restore: refuse((all) => all.DatabaseCommands.restore)
  }
}
