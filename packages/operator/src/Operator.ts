/**
 * The commands of operators for programs: `service.operator`. Each function has its command's words, takes its input
 * as one object, and is in the operators' log where it changes something. Written by scripts/contract.ts.
 */
import type * as AccountCommands from "./commands/AccountCommands.ts"
import type * as CallersCommand from "./commands/CallersCommand.ts"
import type * as CarrierCommands from "./commands/CarrierCommands.ts"
import type * as DeliveryCommands from "./commands/DeliveryCommands.ts"
import type * as GuardCommands from "./commands/GuardCommands.ts"
import type * as GuardLookCommand from "./commands/GuardLookCommand.ts"
import type * as KeyCommands from "./commands/KeyCommands.ts"
import type * as MoneyCommands from "./commands/MoneyCommands.ts"
import type * as OperatorCommands from "./commands/OperatorCommands.ts"
import type * as OverviewCommand from "./commands/OverviewCommand.ts"
import type * as PrivacyCommands from "./commands/PrivacyCommands.ts"
import type * as ProcessCommand from "./commands/ProcessCommand.ts"
import type * as RouteCommands from "./commands/RouteCommands.ts"
import type * as SettingsCommand from "./commands/SettingsCommand.ts"
import type * as TemplateCommands from "./commands/TemplateCommands.ts"
import type * as TrafficCommands from "./commands/TrafficCommands.ts"
import type * as TryCommand from "./commands/TryCommand.ts"
import type * as VerificationCommands from "./commands/VerificationCommands.ts"
import type * as VerifyCommands from "./commands/VerifyCommands.ts"
import type * as WebhookCommands from "./commands/WebhookCommands.ts"
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
      /** What people call it, and what texts of verifications name until account verify sets a brand. */
      readonly name?: Field<typeof AccountCommands.create, "name"> | undefined
      /** A first credit, in EUR. */
      readonly balance?: Field<typeof AccountCommands.create, "balance"> | undefined
      /** Default caller id of flash calls, E.164. */
      readonly caller?: Field<typeof AccountCommands.create, "caller"> | undefined
      /** Default sender of SMS; Watchword unless given. */
      readonly smsSender?: Field<typeof AccountCommands.create, "smsSender"> | undefined
      /** Default sender of chat-gateway codes. */
      readonly senderUsername?: Field<typeof AccountCommands.create, "senderUsername"> | undefined
      /** Shortest default ring time, seconds. */
      readonly minRing?: Field<typeof AccountCommands.create, "minRing"> | undefined
      /** Longest default ring time, seconds. */
      readonly maxRing?: Field<typeof AccountCommands.create, "maxRing"> | undefined
      /** Keep the texts of messages, which hold codes, with their records. */
      readonly storeText?: Field<typeof AccountCommands.create, "storeText"> | undefined
    }) => Promise<Output<typeof AccountCommands.create>>
    /** Show an account, its balance, its rules and its settings. */
    readonly show: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof AccountCommands.show, "account">
    }) => Promise<Output<typeof AccountCommands.show>>
    /** List all accounts. */
    readonly list: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof AccountCommands.list>>
    /** Add money to an account's balance. */
    readonly credit: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof MoneyCommands.credit, "account">
      /** EUR, for example 25 or 0.50. */
      readonly euros: Field<typeof MoneyCommands.credit, "euros">
      /** A text of your own, such as the number of an invoice: repeated with the same id nothing changes. */
      readonly id?: Field<typeof MoneyCommands.credit, "id"> | undefined
      /** Why, for the ledger. */
      readonly reason?: Field<typeof MoneyCommands.credit, "reason"> | undefined
    }) => Promise<Output<typeof MoneyCommands.credit>>
    /** Take money that is available from an account's balance. */
    readonly debit: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof MoneyCommands.debit, "account">
      /** EUR, for example 25 or 0.50. */
      readonly euros: Field<typeof MoneyCommands.debit, "euros">
      /** Why, for the ledger. */
      readonly reason: Field<typeof MoneyCommands.debit, "reason">
      /** A text of your own, such as the number of an invoice: repeated with the same id nothing changes. */
      readonly id?: Field<typeof MoneyCommands.debit, "id"> | undefined
    }) => Promise<Output<typeof MoneyCommands.debit>>
    /** Show an account's ledger, oldest entry first. */
    readonly entries: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof MoneyCommands.entries, "account">
      /** Only so many entries, the newest. */
      readonly newest?: Field<typeof MoneyCommands.entries, "newest"> | undefined
    }) => Promise<Output<typeof MoneyCommands.entries>>
    /** Stop all sends of an account, and refuse its keys. */
    readonly suspend: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof AccountCommands.suspend, "account">
    }) => Promise<Output<typeof AccountCommands.suspend>>
    /** Let a suspended account act again. */
    readonly resume: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof AccountCommands.resume, "account">
    }) => Promise<Output<typeof AccountCommands.resume>>
    /** Bound the senders, callers and usernames of an account's live sends. */
    readonly allow: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof AccountCommands.allow, "account">
      /** The only senders of its live SMS, separated by commas. */
      readonly senders?: Field<typeof AccountCommands.allow, "senders"> | undefined
      /** The only callers of its live calls: numbers, and ranges such as +4930…00-+4930…99, separated by commas. */
      readonly callers?: Field<typeof AccountCommands.allow, "callers"> | undefined
      /** The only usernames of its live chat-gateway codes, separated by commas. */
      readonly usernames?: Field<typeof AccountCommands.allow, "usernames"> | undefined
    }) => Promise<Output<typeof AccountCommands.allow>>
    /** Set, show or clear the numbers that an account's calls come from, at random. */
    readonly callers: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof CallersCommand.callers, "account">
      /** Numbers and ranges such as +4930…000-+4930…999, separated by commas; without, the pool is shown. */
      readonly numbers?: Field<typeof CallersCommand.callers, "numbers"> | undefined
      /** Verify by calls although the numbers have fewer than 1,000 endings. */
      readonly allowSmall?: Field<typeof CallersCommand.callers, "allowSmall"> | undefined
      /** Take the pool away. */
      readonly clear?: Field<typeof CallersCommand.callers, "clear"> | undefined
    }) => Promise<Output<typeof CallersCommand.callers>>
    /** Set or show the defaults of verifications, of an account or of all. */
    readonly verify: (input: {
      /** The account's id, acc_…, or all for what holds for all accounts. */
      readonly account: Field<typeof VerifyCommands.verify, "account">
      /** The name in texts, at most 20 characters. */
      readonly brand?: Field<typeof VerifyCommands.verify, "brand"> | undefined
      /** The language of texts where a client names none, such as de or pt-BR. */
      readonly locale?: Field<typeof VerifyCommands.verify, "locale"> | undefined
      /** The workflow of clients that name none, by its name. */
      readonly workflow?: Field<typeof VerifyCommands.verify, "workflow"> | undefined
    }) => Promise<Output<typeof VerifyCommands.verify>>
    /** Steps of verifications, by the name that clients use. */
    readonly workflow: {
      /** Set the steps of a workflow. */
      readonly set: (input: {
        /** The account's id, acc_…, or all for what holds for all accounts. */
        readonly account: Field<typeof VerifyCommands.setWorkflow, "account">
        /** The name that clients use, such as cheap. */
        readonly name: Field<typeof VerifyCommands.setWorkflow, "name">
        /** Channels, each with the seconds until the next one, such as chatgw:30,sms:60,call:60. */
        readonly steps: Field<typeof VerifyCommands.setWorkflow, "steps">
      }) => Promise<Output<typeof VerifyCommands.setWorkflow>>
      /** List the workflows of an account or of all. */
      readonly list: (input: {
        /** The account's id, acc_…, or all for what holds for all accounts. */
        readonly account: Field<typeof VerifyCommands.listWorkflows, "account">
      }) => Promise<Output<typeof VerifyCommands.listWorkflows>>
      /** Take a workflow away; pending verifications keep its steps. */
      readonly remove: (input: {
        /** The account's id, acc_…, or all for what holds for all accounts. */
        readonly account: Field<typeof VerifyCommands.removeWorkflow, "account">
        /** The name that clients use, such as cheap. */
        readonly name: Field<typeof VerifyCommands.removeWorkflow, "name">
      }) => Promise<Output<typeof VerifyCommands.removeWorkflow>>
    }
    /** At most ten exact numbers with a fixed code, for reviewers of app stores and tests of live systems. */
    readonly testNumber: {
      /** Add a number that nothing is sent to, or change its code and its end. */
      readonly add: (input: {
        /** The account's id, acc_…. */
        readonly account: Field<typeof VerifyCommands.addTestNumber, "account">
        /** A phone number in E.164 form, +49…, or as people type it. */
        readonly number: Field<typeof VerifyCommands.addTestNumber, "number">
        /** The country, by ISO 3166-1, in which a number without a calling code is dialled. */
        readonly defaultCountry?: Field<typeof VerifyCommands.addTestNumber, "defaultCountry"> | undefined
        /** The code that is right, 6 to 8 digits. */
        readonly code: Field<typeof VerifyCommands.addTestNumber, "code">
        /** When it ends, ISO 8601, at most 90 days from now. */
        readonly until: Field<typeof VerifyCommands.addTestNumber, "until">
        /** Also where the account has sent to the number in the last 90 days. */
        readonly anyway?: Field<typeof VerifyCommands.addTestNumber, "anyway"> | undefined
      }) => Promise<Output<typeof VerifyCommands.addTestNumber>>
      /** List an account's test numbers. */
      readonly list: (input: {
        /** The account's id, acc_…. */
        readonly account: Field<typeof VerifyCommands.listTestNumbers, "account">
      }) => Promise<Output<typeof VerifyCommands.listTestNumbers>>
      /** End a test number. */
      readonly remove: (input: {
        /** The account's id, acc_…. */
        readonly account: Field<typeof VerifyCommands.removeTestNumber, "account">
        /** A phone number in E.164 form, +49…, or as people type it. */
        readonly number: Field<typeof VerifyCommands.removeTestNumber, "number">
        /** The country, by ISO 3166-1, in which a number without a calling code is dialled. */
        readonly defaultCountry?: Field<typeof VerifyCommands.removeTestNumber, "defaultCountry"> | undefined
      }) => Promise<Output<typeof VerifyCommands.removeTestNumber>>
    }
  }
  /** Carriers: states, drains and rehearsals. */
  readonly carrier: {
    /** List the carriers of running servers: state, window, cost, refusals, conversion. */
    readonly list: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof CarrierCommands.list>>
    /** Have a carrier take no more messages; those under way go on. */
    readonly drain: (input: {
      /** The carrier's name. */
      readonly carrier: Field<typeof CarrierCommands.drain, "carrier">
      /** How long: 30m, 12h, 2d; until `carrier resume` unless given. */
      readonly for?: Field<typeof CarrierCommands.drain, "for"> | undefined
    }) => Promise<Output<typeof CarrierCommands.drain>>
    /** Have a drained carrier take messages again. */
    readonly resume: (input: {
      /** The carrier's name. */
      readonly carrier: Field<typeof CarrierCommands.resume, "carrier">
    }) => Promise<Output<typeof CarrierCommands.resume>>
    /** Rehearse with a carrier: three texts, or a call, to your own phone, and the options that follow from it. */
    readonly try: (input: {
      /** The carrier's name; the host of SMPP_URL or SIP_URL without one. */
      readonly carrier: Field<typeof TryCommand.tryCarrier, "carrier">
      /** The number of a phone of yours, +49…. */
      readonly to?: Field<typeof TryCommand.tryCarrier, "to"> | undefined
      /** The sender of the texts, Watchword unless given; the caller, +49…. */
      readonly from?: Field<typeof TryCommand.tryCarrier, "from"> | undefined
      /** sms or call, where both have a carrier of this name. */
      readonly channel?: Field<typeof TryCommand.tryCarrier, "channel"> | undefined
      /**
       * What the phone shows, in place of questions, such as "@ _ $ £ é|Ж € 漢|one"; without a number, of the last
       * rehearsal.
       */
      readonly shown?: Field<typeof TryCommand.tryCarrier, "shown"> | undefined
      /** How long to wait for receipts; 90s unless given. */
      readonly wait?: Field<typeof TryCommand.tryCarrier, "wait"> | undefined
      /** Send without being asked. */
      readonly yes?: Field<typeof TryCommand.tryCarrier, "yes"> | undefined
    }) => Promise<Output<typeof TryCommand.tryCarrier>>
  }
  /** Sends of all accounts. */
  readonly delivery: {
    /** List sends of all accounts, the newest first. */
    readonly list: (input?: {
      /** Of this account only, acc_…. */
      readonly account?: Field<typeof DeliveryCommands.list, "account"> | undefined
      /** live or sandbox; both unless given. */
      readonly mode?: Field<typeof DeliveryCommands.list, "mode"> | undefined
      /** Those with this status. */
      readonly status?: Field<typeof DeliveryCommands.list, "status"> | undefined
      /** Those to numbers of this country. */
      readonly country?: Field<typeof DeliveryCommands.list, "country"> | undefined
      /** Those asked for since a time, ISO 8601. */
      readonly since?: Field<typeof DeliveryCommands.list, "since"> | undefined
      /** Those asked for before a time, ISO 8601. */
      readonly until?: Field<typeof DeliveryCommands.list, "until"> | undefined
      /** The most that are shown, up to 100; 50 unless given. */
      readonly limit?: Field<typeof DeliveryCommands.list, "limit"> | undefined
      /** Of this channel only, such as sms. */
      readonly channel?: Field<typeof DeliveryCommands.list, "channel"> | undefined
      /** By this carrier only, by its name. */
      readonly carrier?: Field<typeof DeliveryCommands.list, "carrier"> | undefined
      /** Those behind this one: the next of the page before. */
      readonly after?: Field<typeof DeliveryCommands.list, "after"> | undefined
    }) => Promise<Output<typeof DeliveryCommands.list>>
  }
  /** Take the person of a number out of all records; amounts stay. */
  readonly erase: (input: {
    /** A phone number in E.164 form, +49…, or as people type it. */
    readonly number: Field<typeof PrivacyCommands.erase, "number">
    /** The country, by ISO 3166-1, in which a number without a calling code is dialled. */
    readonly defaultCountry?: Field<typeof PrivacyCommands.erase, "defaultCountry"> | undefined
    /** Write the tables again, so that no unused byte has the number; sends wait meanwhile. */
    readonly rewrite?: Field<typeof PrivacyCommands.erase, "rewrite"> | undefined
  }) => Promise<Output<typeof PrivacyCommands.erase>>
  /** Rules against pumping and flooding, blocks and exceptions. */
  readonly guard: {
    /** Show what guards do now: blocks, refusals by rule, prefixes whose codes are not entered. */
    readonly look: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof GuardLookCommand.look>>
    /** Set the rules of an account. */
    readonly set: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof GuardCommands.set, "account">
      /** A file with the rules as JSON; - for standard input, none for no rules at all. */
      readonly rules: Field<typeof GuardCommands.set, "rules">
    }) => Promise<Output<typeof GuardCommands.set>>
    /** Show the rules, blocks and exceptions of an account. */
    readonly show: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof GuardCommands.show, "account">
    }) => Promise<Output<typeof GuardCommands.show>>
    /** Send nothing to a prefix or a country for a time. */
    readonly block: (input: {
      /** First digits such as +2348, a country such as NG, or 001 for numbers of no country. */
      readonly place: Field<typeof GuardCommands.block, "place">
      /** How long: 30m, 12h, 2d. */
      readonly for: Field<typeof GuardCommands.block, "for">
      /** For the sends of this account only; all accounts unless given. */
      readonly account?: Field<typeof GuardCommands.block, "account"> | undefined
    }) => Promise<Output<typeof GuardCommands.block>>
    /** Let a number pass rules and blocks, within wider limits by number. */
    readonly allow: (input: {
      /** A phone number in E.164 form, +49…, or as people type it. */
      readonly number: Field<typeof GuardCommands.allow, "number">
      /** The country, by ISO 3166-1, in which a number without a calling code is dialled. */
      readonly defaultCountry?: Field<typeof GuardCommands.allow, "defaultCountry"> | undefined
      /** How long: 30m, 12h, 2d; until it is removed unless given. */
      readonly for?: Field<typeof GuardCommands.allow, "for"> | undefined
      /** For the sends of this account only; all accounts unless given. */
      readonly account?: Field<typeof GuardCommands.allow, "account"> | undefined
    }) => Promise<Output<typeof GuardCommands.allow>>
    /** Let a number pass blocks, countries and pumping for a day, within wider limits by number. */
    readonly pass: (input: {
      /** A phone number in E.164 form, +49…, or as people type it. */
      readonly number: Field<typeof GuardCommands.pass, "number">
      /** The country, by ISO 3166-1, in which a number without a calling code is dialled. */
      readonly defaultCountry?: Field<typeof GuardCommands.pass, "defaultCountry"> | undefined
      /** For the sends of this account only; all accounts unless given. */
      readonly account?: Field<typeof GuardCommands.pass, "account"> | undefined
    }) => Promise<Output<typeof GuardCommands.pass>>
    /** List blocks, exceptions, and the accounts that have rules. */
    readonly list: (input?: {
      /** For the sends of this account only; all accounts unless given. */
      readonly account?: Field<typeof GuardCommands.list, "account"> | undefined
    }) => Promise<Output<typeof GuardCommands.list>>
    /** Take away a block, an exception, or the rules of an account. */
    readonly remove: (input: {
      /** A blocked prefix or country, a number that was allowed, or an account: its rules. */
      readonly entry: Field<typeof GuardCommands.remove, "entry">
      /** The country, by ISO 3166-1, in which a number without a calling code is dialled. */
      readonly defaultCountry?: Field<typeof GuardCommands.remove, "defaultCountry"> | undefined
      /** For the sends of this account only; all accounts unless given. */
      readonly account?: Field<typeof GuardCommands.remove, "account"> | undefined
    }) => Promise<Output<typeof GuardCommands.remove>>
  }
  /** API keys. */
  readonly key: {
    /** Create an API key and show it, once. */
    readonly create: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof KeyCommands.create, "account">
      /** A key that reaches no carrier and costs nothing. */
      readonly sandbox?: Field<typeof KeyCommands.create, "sandbox"> | undefined
      /**
       * What it may do, separated by commas; all unless given: call:send, call:read, call:report, sms:send, sms:read,
       * sms:report, chatgw:send, chatgw:read, chatgw:report, bizchat:send, bizchat:read, bizchat:report, verify:send,
       * verify:check, verify:read, verify:report, sandbox:read.
       */
      readonly scopes?: Field<typeof KeyCommands.create, "scopes"> | undefined
      /** Addresses and CIDR ranges it may be used from, separated by commas. */
      readonly allow?: Field<typeof KeyCommands.create, "allow"> | undefined
      /** When it ends, ISO 8601. */
      readonly expires?: Field<typeof KeyCommands.create, "expires"> | undefined
    }) => Promise<Output<typeof KeyCommands.create>>
    /** Create a key with the rights of another one, and let that one end. */
    readonly rotate: (input: {
      /** The key's id, key_…. */
      readonly keyId: Field<typeof KeyCommands.rotate, "keyId">
      /** How long the old key works beside the new one: 0, or 10m, 24h, 7d; 24h unless given. */
      readonly overlap?: Field<typeof KeyCommands.rotate, "overlap"> | undefined
      /** When the new key ends, ISO 8601. */
      readonly expires?: Field<typeof KeyCommands.rotate, "expires"> | undefined
    }) => Promise<Output<typeof KeyCommands.rotate>>
    /** End an API key for good. */
    readonly revoke: (input: {
      /** The key's id, key_…. */
      readonly keyId: Field<typeof KeyCommands.revoke, "keyId">
    }) => Promise<Output<typeof KeyCommands.revoke>>
    /** List an account's API keys. */
    readonly list: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof KeyCommands.list, "account">
    }) => Promise<Output<typeof KeyCommands.list>>
  }
  /** Tokens of operators, for their API and the console. */
  readonly operator: {
    /** Create a token for the operators' API and the console, and show it, once. */
    readonly grant: (input: {
      /** The person's name, as the operator's log has it. */
      readonly name: Field<typeof OperatorCommands.grant, "name">
      /** What it may do: support looks, operator also mends, admin also ends and erases. */
      readonly role: Field<typeof OperatorCommands.grant, "role">
      /** How long it works; 90d unless given. */
      readonly for?: Field<typeof OperatorCommands.grant, "for"> | undefined
    }) => Promise<Output<typeof OperatorCommands.grant>>
    /** List the tokens of operators, and sessions that links have opened. */
    readonly list: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof OperatorCommands.list>>
    /** End an operator's token, and the sessions that it has opened. */
    readonly revoke: (input: {
      /** The token's id, opr_…. */
      readonly id: Field<typeof OperatorCommands.revoke, "id">
    }) => Promise<Output<typeof OperatorCommands.revoke>>
    /** Show what operators have changed, a line of JSON each, the newest first. */
    readonly log: (input?: {
      /** Entries of this time and later, ISO 8601. */
      readonly since?: Field<typeof OperatorCommands.log, "since"> | undefined
      /** Entries before this one, by its id: `next` of the last page. */
      readonly before?: Field<typeof OperatorCommands.log, "before"> | undefined
      /** How many, at most 200, which it is unless given. */
      readonly limit?: Field<typeof OperatorCommands.log, "limit"> | undefined
    }) => Promise<Output<typeof OperatorCommands.log>>
  }
  /** The console, a page of the operators' API. */
  readonly console: {
    /** Print a link that signs a browser in to the console, once and within a minute. */
    readonly open: (input?: {
      /** Who signs in, as the operator's log has it; console unless given. */
      readonly name?: Field<typeof OperatorCommands.openConsole, "name"> | undefined
      /** What the session may do; admin unless given. */
      readonly role?: Field<typeof OperatorCommands.openConsole, "role"> | undefined
    }) => Promise<Output<typeof OperatorCommands.openConsole>>
  }
  /** Show the last hour beside the same hour a week ago, and what is wrong now. */
  readonly overview: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof OverviewCommand.overview>>
  /** The processes that serve. */
  readonly process: {
    /** List the processes that serve, and their leases. */
    readonly list: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof ProcessCommand.list>>
  }
  /** How long records and texts are kept. */
  readonly retention: {
    /** Show how long records and texts are kept. */
    readonly show: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof PrivacyCommands.show>>
    /** Set how long records and texts are kept; running servers follow within minutes. */
    readonly set: (input?: {
      /** After how many days records are deleted, such as 90d, or forever. */
      readonly records?: Field<typeof PrivacyCommands.set, "records"> | undefined
      /** After how many days texts and codes go from records, such as 90d, or forever. */
      readonly texts?: Field<typeof PrivacyCommands.set, "texts"> | undefined
    }) => Promise<Output<typeof PrivacyCommands.set>>
  }
  /** Routes of an account among the carriers. */
  readonly route: {
    /** Set the routes of an account among the carriers. */
    readonly set: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof RouteCommands.set, "account">
      /** A file with a list of routes as JSON; - for standard input. */
      readonly routes: Field<typeof RouteCommands.set, "routes">
    }) => Promise<Output<typeof RouteCommands.set>>
    /** Show the routes of an account. */
    readonly show: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof RouteCommands.show, "account">
    }) => Promise<Output<typeof RouteCommands.show>>
    /** Take the routes of an account away. */
    readonly remove: (input: {
      /** The account's id, acc_…. */
      readonly account: Field<typeof RouteCommands.remove, "account">
    }) => Promise<Output<typeof RouteCommands.remove>>
  }
  /** Show the settings of the server that is asked, or else of this command, without secrets. */
  readonly settings: (input?: Readonly<Record<string, never>>) => Promise<Output<typeof SettingsCommand.list>>
  /** Texts of verifications, by name and language. */
  readonly template: {
    /** Set a text of verifications in one language. */
    readonly set: (input: {
      /** The name that clients use; default is the one of clients that name none. */
      readonly name: Field<typeof TemplateCommands.set, "name">
      /** The language of the text, such as de or pt-BR. */
      readonly locale: Field<typeof TemplateCommands.set, "locale">
      /** The text, with {{code}}, and {{brand}}, {{minutes}} or variables of clients where wanted. */
      readonly text: Field<typeof TemplateCommands.set, "text">
      /** The account's id, acc_…; all accounts unless given. */
      readonly account?: Field<typeof TemplateCommands.set, "account"> | undefined
    }) => Promise<Output<typeof TemplateCommands.set>>
    /** Show the text that is sent in a language, with example values. */
    readonly show: (input: {
      /** The name that clients use; default is the one of clients that name none. */
      readonly name: Field<typeof TemplateCommands.show, "name">
      /** The language of the text, such as de or pt-BR. */
      readonly locale: Field<typeof TemplateCommands.show, "locale">
      /** The account's id, acc_…; all accounts unless given. */
      readonly account?: Field<typeof TemplateCommands.show, "account"> | undefined
    }) => Promise<Output<typeof TemplateCommands.show>>
    /** List the texts that were set, of an account or for all of them. */
    readonly list: (input?: {
      /** The account's id, acc_…; all accounts unless given. */
      readonly account?: Field<typeof TemplateCommands.list, "account"> | undefined
    }) => Promise<Output<typeof TemplateCommands.list>>
    /** Take a text of verifications away. */
    readonly remove: (input: {
      /** The name that clients use; default is the one of clients that name none. */
      readonly name: Field<typeof TemplateCommands.remove, "name">
      /** The language of the text, such as de or pt-BR. */
      readonly locale: Field<typeof TemplateCommands.remove, "locale">
      /** The account's id, acc_…; all accounts unless given. */
      readonly account?: Field<typeof TemplateCommands.remove, "account"> | undefined
    }) => Promise<Output<typeof TemplateCommands.remove>>
  }
  /** Verifications of all accounts. */
  readonly verification: {
    /** List verifications of all accounts, the newest first. */
    readonly list: (input?: {
      /** Of this account only, acc_…. */
      readonly account?: Field<typeof VerificationCommands.list, "account"> | undefined
      /** live or sandbox; both unless given. */
      readonly mode?: Field<typeof VerificationCommands.list, "mode"> | undefined
      /** Those with this status. */
      readonly status?: Field<typeof VerificationCommands.list, "status"> | undefined
      /** Those to numbers of this country. */
      readonly country?: Field<typeof VerificationCommands.list, "country"> | undefined
      /** Those asked for since a time, ISO 8601. */
      readonly since?: Field<typeof VerificationCommands.list, "since"> | undefined
      /** Those asked for before a time, ISO 8601. */
      readonly until?: Field<typeof VerificationCommands.list, "until"> | undefined
      /** The most that are shown, up to 100; 50 unless given. */
      readonly limit?: Field<typeof VerificationCommands.list, "limit"> | undefined
      /** Those behind this one: the next of the page before. */
      readonly after?: Field<typeof VerificationCommands.list, "after"> | undefined
    }) => Promise<Output<typeof VerificationCommands.list>>
    /** Show a verification and its sends. */
    readonly show: (input: {
      /** The verification's id, vrf_…. */
      readonly id: Field<typeof VerificationCommands.show, "id">
    }) => Promise<Output<typeof VerificationCommands.show>>
    /** End a pending verification; servers take back what was sent of it. */
    readonly cancel: (input: {
      /** The verification's id, vrf_…. */
      readonly id: Field<typeof VerificationCommands.cancel, "id">
    }) => Promise<Output<typeof VerificationCommands.cancel>>
  }
  /** Webhooks: endpoints that events are posted to. */
  readonly webhook: {
    /** Have events posted to an address. */
    readonly add: (input: {
      /** For the events of this account only; of all accounts unless given. */
      readonly account?: Field<typeof WebhookCommands.add, "account"> | undefined
      /** Where events are posted to, https://…. */
      readonly url: Field<typeof WebhookCommands.add, "url">
      /** Types and patterns such as verification.*,delivery.updated; all unless given. */
      readonly events?: Field<typeof WebhookCommands.add, "events"> | undefined
      /** Also a private address, where the servers alone have WEBHOOK_ALLOW_PRIVATE. */
      readonly anyway?: Field<typeof WebhookCommands.add, "anyway"> | undefined
    }) => Promise<Output<typeof WebhookCommands.add>>
    /** List webhooks, what waits for them, and what they answered last. */
    readonly list: (input?: {
      /** For the events of this account only; of all accounts unless given. */
      readonly account?: Field<typeof WebhookCommands.list, "account"> | undefined
    }) => Promise<Output<typeof WebhookCommands.list>>
    /** Set how many requests of a webhook are under way at once, and how many events one carries. */
    readonly throughput: (input: {
      /** The webhook's id, whk_…. */
      readonly id: Field<typeof WebhookCommands.throughput, "id">
      /** Requests under way at once, 1 to 64; 8 unless set. */
      readonly concurrency?: Field<typeof WebhookCommands.throughput, "concurrency"> | undefined
      /** The most events of a request, 1 to 100, whose body is a list then; each has its own request unless set. */
      readonly batch?: Field<typeof WebhookCommands.throughput, "batch"> | undefined
    }) => Promise<Output<typeof WebhookCommands.throughput>>
    /** Remove a webhook. */
    readonly remove: (input: {
      /** The webhook's id, whk_…. */
      readonly id: Field<typeof WebhookCommands.remove, "id">
    }) => Promise<Output<typeof WebhookCommands.remove>>
    /** Give a webhook a new secret; the old one works beside it for a day. */
    readonly rotate: (input: {
      /** The webhook's id, whk_…. */
      readonly id: Field<typeof WebhookCommands.rotate, "id">
    }) => Promise<Output<typeof WebhookCommands.rotate>>
    /** Send events to a webhook again that was disabled. */
    readonly enable: (input: {
      /** The webhook's id, whk_…. */
      readonly id: Field<typeof WebhookCommands.enable, "id">
    }) => Promise<Output<typeof WebhookCommands.enable>>
    /** Have a running server post the event webhook.test, and show the answer. */
    readonly test: (input: {
      /** The webhook's id, whk_…. */
      readonly id: Field<typeof WebhookCommands.test, "id">
    }) => Promise<Output<typeof WebhookCommands.test>>
    /** Send events again that happened since a time. */
    readonly replay: (input: {
      /** The webhook's id, whk_…. */
      readonly id: Field<typeof WebhookCommands.replay, "id">
      /** A time in ISO 8601, at most a week ago. */
      readonly since: Field<typeof WebhookCommands.replay, "since">
    }) => Promise<Output<typeof WebhookCommands.replay>>
    /** Set the balance below which webhooks get balance.low. */
    readonly lowBalance: (input: {
      /** The account's id, acc_…, or all for what holds for all accounts. */
      readonly account: Field<typeof WebhookCommands.lowBalance, "account">
      /** The available balance, in EUR, below which an account has balance.low; - for none. */
      readonly euros: Field<typeof WebhookCommands.lowBalance, "euros">
    }) => Promise<Output<typeof WebhookCommands.lowBalance>>
    /** Show the events of a webhook, what was tried, and what it answered last. */
    readonly events: (input: {
      /** The webhook's id, whk_…. */
      readonly id: Field<typeof WebhookCommands.events, "id">
      /** pending, sent or failed; pending unless given. */
      readonly state?: Field<typeof WebhookCommands.events, "state"> | undefined
      /** The most that are shown, up to 100; 50 unless given. */
      readonly limit?: Field<typeof WebhookCommands.events, "limit"> | undefined
    }) => Promise<Output<typeof WebhookCommands.events>>
    /** Send one event again, whatever became of it. */
    readonly sendAgain: (input: {
      /** The webhook's id, whk_…. */
      readonly id: Field<typeof WebhookCommands.sendAgain, "id">
      /** The event's id, as it is listed or was received. */
      readonly event: Field<typeof WebhookCommands.sendAgain, "event">
    }) => Promise<Output<typeof WebhookCommands.sendAgain>>
  }
  /** Say what happened for a number, and why its user got no code. */
  readonly why: (input: {
    /** A phone number in E.164 form, +49…, or as people type it. */
    readonly number: Field<typeof PrivacyCommands.why, "number">
    /** The country, by ISO 3166-1, in which a number without a calling code is dialled. */
    readonly defaultCountry?: Field<typeof PrivacyCommands.why, "defaultCountry"> | undefined
    /** A time in ISO 8601, at most a year ago; a week ago unless given. */
    readonly since?: Field<typeof PrivacyCommands.why, "since"> | undefined
  }) => Promise<Output<typeof PrivacyCommands.why>>
  /** Show sends, their outcomes, costs and prices, by hour, account, channel, carrier or country. */
  readonly traffic: ((input?: {
    /** Since when: a duration such as 24h or 30d, or a time in ISO 8601; 24h unless given. */
    readonly since?: Field<typeof TrafficCommands.traffic, "since"> | undefined
    /** The figures of this account alone. */
    readonly account?: Field<typeof TrafficCommands.traffic, "account"> | undefined
    /** What to keep apart: some of hour, account, channel, carrier, country; channel,carrier,country unless given. */
    readonly by?: Field<typeof TrafficCommands.traffic, "by"> | undefined
    /** Show sends of the sandbox, and not the live ones. */
    readonly sandbox?: Field<typeof TrafficCommands.traffic, "sandbox"> | undefined
  }) => Promise<Output<typeof TrafficCommands.traffic>>) & {
    /** Count the hours that have ended again from the records. */
    readonly rebuild: (input: {
      /** Since when: a duration such as 48h, or a time in ISO 8601. */
      readonly since: Field<typeof TrafficCommands.rebuild, "since">
    }) => Promise<Output<typeof TrafficCommands.rebuild>>
  }
  /** Show what a carrier may charge for a month, by day and prefix, or how that differs from its own file. */
  readonly invoice: (input: {
    /** The carrier's name; that of the channel for a carrier without one. */
    readonly carrier: Field<typeof TrafficCommands.invoice, "carrier">
    /** The month, in UTC. */
    readonly month: Field<typeof TrafficCommands.invoice, "month">
    /** Print CSV. */
    readonly csv?: Field<typeof TrafficCommands.invoice, "csv"> | undefined
    /** The carrier's file, CSV with a column message_id: name the messages that differ. */
    readonly against?: Field<typeof TrafficCommands.invoice, "against"> | undefined
  }) => Promise<Output<typeof TrafficCommands.invoice>>
  /**
   * Check every rule of money and messages on the database, also while a server works on it: `watchword audit`. It is
   * not here, because it reads a snapshot of the whole database.
   */
  readonly audit: () => Promise<never>
  /**
   * Write a backup of the SQLite database to a file, also while a server works on it: `watchword backup`. It is not
   * here, because it writes a file beside the database, with all that is in there.
   */
  readonly backup: () => Promise<never>
  /**
   * Bring the database to the version of this program, while older servers work on it: `watchword migrate`. It is not
   * here, because a service starts on a database that has been migrated.
   */
  readonly migrate: () => Promise<never>
  /**
   * Move an account to the PostgreSQL of another cell; run it again where it was ended: `watchword move`. It is not
   * here, because it works on the databases of two cells.
   */
  readonly move: () => Promise<never>
  /**
   * Put a backup in the place of the SQLite database, while no server works on it: `watchword restore`. It is not
   * here, because no service may work on the database meanwhile.
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
    carrier: {
      list: call((all) => all.CarrierCommands.list),
      drain: call((all) => all.CarrierCommands.drain),
      resume: call((all) => all.CarrierCommands.resume),
      try: call((all) => all.TryCommand.tryCarrier)
    },
    delivery: {
      list: call((all) => all.DeliveryCommands.list)
    },
    erase: call((all) => all.PrivacyCommands.erase),
    guard: {
      look: call((all) => all.GuardLookCommand.look),
      set: call((all) => all.GuardCommands.set),
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
    audit: refuse((all) => all.DatabaseCommands.audit),
    backup: refuse((all) => all.DatabaseCommands.backup),
    migrate: refuse((all) => all.DatabaseCommands.migrate),
    move: refuse((all) => all.DatabaseCommands.move),
    restore: refuse((all) => all.DatabaseCommands.restore)
  }
}
