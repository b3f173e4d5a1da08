/**
 * The commands of operators, by their names. Written by scripts/contract.ts.
 */

/** One step of a workflow. Where nothing was heard for `timeout` seconds, the next one is taken. */
export interface Step {
  /** The channel that the code is sent by, or `receive`: the user writes, calls or signs in, and no code is needed. */
  readonly channel: StepChannel
  /** Seconds without news after which the next step is taken, 10 to 900. */
  readonly timeout: number
  /**
   * `other` for a carrier that no earlier step has used, where the service has several: a second try by it. Without
   * one the step is passed over.
   */
  readonly carrier?: "other"
  /** How the user may act, for a `receive` step only. Forms that do not serve the number are left out. */
  readonly by?: ReadonlyArray<ReceiveForm>
  /**
   * Whether a text that a user sends is answered by a code, which the user enters: a token that someone was talked
   * into sending proves nothing then. True unless given; for a `receive` step only.
   */
  readonly reply?: boolean
}

export type StepChannel = "chatgw" | "sms" | "call" | "bizchat" | (string & {})

/**
 * A way in which a user acts first: `telegram_login` signs in with Telegram, `sms` writes a text to a number of the
 * service, `call` calls one, `bizchat` writes to it in WhatsApp.
 */
export type ReceiveForm = "telegram_login" | "sms" | "call" | "bizchat"

export interface GuardRules {
  readonly for?: "verifications" | "sends"
  readonly action?: "record" | "deny"
  readonly countries?: {
    readonly allow?: ReadonlyArray<string>
    readonly deny?: ReadonlyArray<string>
  }
  readonly numbers?: {
    readonly deny_types?: ReadonlyArray<
      | "fixed_line"
      | "mobile"
      | "fixed_line_or_mobile"
      | "premium_rate"
      | "toll_free"
      | "shared_cost"
      | "voip"
      | "personal_number"
      | "pager"
      | "uan"
      | "voicemail"
      | "unknown"
    >
    readonly deny_prefixes?: ReadonlyArray<string>
    readonly always_allow?: ReadonlyArray<string>
  }
  readonly limits?: ReadonlyArray<{
    readonly name: string
    readonly by: ReadonlyArray<"to" | "client_ip" | "client_ref" | "to_prefix" | "country" | "account" | "key" | string>
    readonly rates?: ReadonlyArray<string>
    readonly money?: string
    readonly action?: "record" | "deny"
    readonly for?: "verifications" | "sends"
  }>
  readonly pumping?: {
    readonly country?: {
      readonly floor: number
      readonly share: number
      readonly window: string
    }
    readonly prefix?: {
      readonly floor: number
      readonly share: number
      readonly window: string
    }
    readonly own_codes?: boolean
    readonly block: string
  }
  readonly sandbox_under_way?: number
}

/** How a verification stands; all but `pending` are final. */
export type VerificationStatus = "pending" | "approved" | "failed" | "expired" | "canceled" | "blocked"

export interface Commands {
  /** Open an account. */
  readonly "account create": {
    readonly input: {
      /** The account's display name, and the brand in verification texts until account verify sets one */
      readonly name?: string
      /** A first credit, in EUR */
      readonly balance?: string | number
      /** Default caller id of flash calls, E.164 */
      readonly caller?: string
      /** Default sender of SMS; Watchword unless given */
      readonly sms_sender?: string
      /** Default sender of chat-gateway codes */
      readonly sender_username?: string
      /** Shortest default ring time, seconds */
      readonly min_ring?: number
      /** Longest default ring time, seconds */
      readonly max_ring?: number
      /** Keep message texts, which contain codes, in their records */
      readonly store_text?: boolean
    }
    readonly output: {
      readonly account_id: string
    }
  }
  /** Show an account, its balance, its rules and its settings. */
  readonly "account show": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
    }
    readonly output: {
      readonly account_id: string
      readonly name: string
      /** EUR: credits minus spending. */
      readonly balance: number
      /** EUR of the balance held for sends in progress. */
      readonly held: number
      /** EUR available for sends. */
      readonly available: number
      readonly caller: string | null
      readonly sms_sender: string | null
      readonly sender_username: string | null
      readonly min_ring: number
      readonly max_ring: number
      readonly store_text: boolean
      readonly senders: ReadonlyArray<string> | null
      readonly callers: ReadonlyArray<string> | null
      readonly usernames: ReadonlyArray<string> | null
      readonly suspended_at: string | null
      readonly created_at: string
      readonly caller_pool: ReadonlyArray<string> | null
      readonly allow_small_pool: boolean
      readonly brand: string | null
      readonly locale: string | null
      readonly workflow: string | null
      readonly workflows: ReadonlyArray<string>
      readonly templates: ReadonlyArray<string>
      readonly test_numbers: ReadonlyArray<string>
    }
  }
  /** List all accounts. */
  readonly "account list": {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly accounts: ReadonlyArray<{
        readonly account_id: string
        readonly name: string
        /** EUR: credits minus spending. */
        readonly balance: number
        /** EUR of the balance held for sends in progress. */
        readonly held: number
        /** EUR available for sends. */
        readonly available: number
        readonly caller: string | null
        readonly sms_sender: string | null
        readonly sender_username: string | null
        readonly min_ring: number
        readonly max_ring: number
        readonly store_text: boolean
        readonly senders: ReadonlyArray<string> | null
        readonly callers: ReadonlyArray<string> | null
        readonly usernames: ReadonlyArray<string> | null
        readonly suspended_at: string | null
        readonly created_at: string
      }>
    }
  }
  /** Add money to an account's balance. */
  readonly "account credit": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** EUR, for example 25 or 0.50 */
      readonly amount: string | number
      /** An id of your own, such as an invoice number: a repeat with the same id changes nothing */
      readonly id?: string
      /** The reason, for the ledger */
      readonly reason?: string
    }
    readonly output: {
      readonly account_id: string
      /** EUR: credits minus spending. */
      readonly balance: number
      /** EUR of the balance held for sends in progress. */
      readonly held: number
      /** EUR available for sends. */
      readonly available: number
      readonly repeated: boolean
    }
  }
  /** Debit available money from an account's balance. */
  readonly "account debit": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** EUR, for example 25 or 0.50 */
      readonly amount: string | number
      /** The reason, for the ledger */
      readonly reason: string
      /** An id of your own, such as an invoice number: a repeat with the same id changes nothing */
      readonly id?: string
    }
    readonly output: {
      readonly account_id: string
      /** EUR: credits minus spending. */
      readonly balance: number
      /** EUR of the balance held for sends in progress. */
      readonly held: number
      /** EUR available for sends. */
      readonly available: number
      readonly repeated: boolean
    }
  }
  /** Show an account's ledger, oldest entry first. */
  readonly "account entries": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** How many of the newest entries to show */
      readonly newest?: number
    }
    readonly output: {
      readonly entries: ReadonlyArray<{
        readonly id: string
        readonly at: string
        readonly kind: "credit" | "hold" | "settle" | "release" | "refund" | "debit"
        /** The EUR that the entry moved. */
        readonly amount: number
        readonly from: "funding" | "available" | "held" | "revenue"
        readonly to: "funding" | "available" | "held" | "revenue"
        /** The send that it belongs to; null for credits and debits. */
        readonly delivery: string | null
        readonly reason: string | null
      }>
    }
  }
  /** Stop an account's sends and refuse its keys. */
  readonly "account suspend": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
    }
    readonly output: {
      readonly account_id: string
      readonly suspended: boolean
    }
  }
  /** Resume a suspended account. */
  readonly "account resume": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
    }
    readonly output: {
      readonly account_id: string
      readonly suspended: boolean
    }
  }
  /** Restrict the senders, callers and usernames of an account's live sends. */
  readonly "account allow": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** The senders allowed for its live SMS, separated by commas */
      readonly senders?: ReadonlyArray<string> | null
      /** The callers allowed for its live calls: numbers, and ranges such as +4930…00-+4930…99, separated by commas */
      readonly callers?: ReadonlyArray<string> | null
      /** The usernames allowed for its live chat-gateway codes, separated by commas */
      readonly usernames?: ReadonlyArray<string> | null
    }
    readonly output: {
      readonly account_id: string
      readonly senders: ReadonlyArray<string> | null
      readonly callers: ReadonlyArray<string> | null
      readonly usernames: ReadonlyArray<string> | null
    }
  }
  /** Set, show or clear the pool of numbers that an account's calls are placed from, at random. */
  readonly "account callers": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** Numbers and ranges such as +4930…000-+4930…999, separated by commas; shows the pool if omitted */
      readonly numbers?: ReadonlyArray<string>
      /** Allow verification calls even if the numbers have fewer than 1,000 endings */
      readonly allow_small?: boolean
      /** Remove the pool */
      readonly clear?: boolean
    }
    readonly output: {
      readonly account_id: string
      readonly caller_pool: ReadonlyArray<string> | null
      readonly allow_small_pool: boolean
      readonly numbers: number
      readonly endings: number
    }
  }
  /** Set or show the verification defaults of an account or of all accounts. */
  readonly "account verify": {
    readonly input: {
      /** The account's id, acc_…, or all for the installation's own */
      readonly account_id: string | null
      /** The name in texts, at most 20 characters */
      readonly brand?: string | null
      /** The default language of texts, such as de or pt-BR */
      readonly locale?: string | null
      /** The name of the default workflow */
      readonly workflow?: string | null
    }
    readonly output: {
      readonly account_id: string | null
      readonly brand: string | null
      readonly locale: string | null
      readonly workflow: string | null
    }
  }
  /** Allow an account's clients to give texts of their own, or show whether they may. */
  readonly "account texts": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** own for texts of its clients, templates for templates only */
      readonly texts?: "own" | "templates"
    }
    readonly output: {
      readonly account_id: string
      readonly texts: "own" | "templates"
    }
  }
  /** Set a workflow's steps. */
  readonly "account workflow set": {
    readonly input: {
      /** The account's id, acc_…, or all for the installation's own */
      readonly account_id: string | null
      /** The name that clients use, such as cheap */
      readonly name: string
      readonly steps: string
    }
    readonly output: {
      readonly account_id: string | null
      readonly name: string
      readonly steps: ReadonlyArray<Step>
    }
  }
  /** List the workflows of an account or of all accounts. */
  readonly "account workflow list": {
    readonly input: {
      /** The account's id, acc_…, or all for the installation's own */
      readonly account_id: string | null
    }
    readonly output: {
      readonly account_id: string | null
      readonly workflows: ReadonlyArray<{
        readonly name: string
        readonly steps: ReadonlyArray<Step>
      }>
    }
  }
  /** Remove a workflow; pending verifications keep its steps. */
  readonly "account workflow remove": {
    readonly input: {
      /** The account's id, acc_…, or all for the installation's own */
      readonly account_id: string | null
      /** The name that clients use, such as cheap */
      readonly name: string
    }
    readonly output: {
      readonly account_id: string | null
      readonly name: string
      readonly removed: boolean
    }
  }
  /** Add a test number, to which nothing is sent, or change its code and expiry. */
  readonly "account test-number add": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** A phone number in E.164 form, +49…, or as people type it */
      readonly number: string
      /** The ISO 3166-1 country of a number that has no calling code */
      readonly default_country?: string
      /** The valid code, 6 to 8 digits */
      readonly code: string
      readonly until: string
      /** Add it even if the account has sent to the number in the last 90 days */
      readonly anyway?: boolean
    }
    readonly output: {
      readonly account_id: string
      readonly number: string
      readonly code: string
      readonly until: string
    }
  }
  /** List an account's test numbers. */
  readonly "account test-number list": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
    }
    readonly output: {
      readonly account_id: string
      readonly test_numbers: ReadonlyArray<{
        readonly number: string
        readonly code: string
        readonly until: string
        readonly ended: boolean
        readonly locked: boolean
      }>
    }
  }
  /** Remove a test number. */
  readonly "account test-number remove": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** A phone number in E.164 form, +49…, or as people type it */
      readonly number: string
      /** The ISO 3166-1 country of a number that has no calling code */
      readonly default_country?: string
    }
    readonly output: {
      readonly account_id: string
      readonly number: string
      readonly removed: boolean
    }
  }
  /** Send a test to each destination of alarms, and show the answers. */
  readonly "alarm test": {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly destinations: ReadonlyArray<{
        readonly destination: "webhook" | "slack" | "email"
        /** Whether the destination took it. */
        readonly taken: boolean
        /** The answer in a few words, such as 204 or timeout. */
        readonly answer: string
      }>
    }
  }
  /** List the carriers of running servers: state, window, cost, refusals, conversion. */
  readonly "carrier list": {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly carriers: ReadonlyArray<{
        readonly carrier: string
        /** Null for a drained carrier that is on no running server. */
        readonly channel: string | null
        /** How many running servers have it. */
        readonly servers: number
        /** How many of those servers are connected to it. */
        readonly up: number
        /** How many of those servers have paused it after refusals. */
        readonly resting: number
        readonly drained: boolean
        /** Null if it is not drained, or if it is drained until it is resumed. */
        readonly drained_until: string | null
        /** Messages that it has not answered yet, and the maximum. */
        readonly window: {
          readonly used: number
          readonly size: number
        } | null
        /** The messages per second learned from its throttling; null until it throttles. */
        readonly rate: number | null
        /** EUR per part or call to numbers that have no cost of their own. */
        readonly cost: number | null
        /** The last refusal. */
        readonly refusal: {
          readonly at: string
          readonly message: string
        } | null
        /** Messages that it accepted in the last hour. */
        readonly sent: number
        /** How many of those messages' codes were entered. */
        readonly approved: number
        /**
         * Words of the carrier that no running server recognized since it started: at most ten of each kind, the most
         * recent first.
         */
        readonly unrecognized: ReadonlyArray<{
          readonly kind: string
          readonly word: string
          readonly count: number
          readonly at: string
        }>
      }>
    }
  }
  /** Send no more messages to a carrier; messages under way are completed. */
  readonly "carrier drain": {
    readonly input: {
      /** The carrier's name */
      readonly carrier: string
      readonly for?: string
    }
    readonly output: {
      readonly carrier: string
      readonly drained_until: string | null
    }
  }
  /** Resume a drained carrier. */
  readonly "carrier resume": {
    readonly input: {
      /** The carrier's name */
      readonly carrier: string
    }
    readonly output: {
      readonly carrier: string
    }
  }
  /** Rehearse with a carrier: three texts, or a call, to your own phone, and the options that follow from it. */
  readonly "carrier try": {
    readonly input: {
      /** The carrier's name; the host of SMPP_URL or SIP_URL without one */
      readonly carrier: string
      /** The number of your own phone, +49… */
      readonly to?: string
      /** The sender of the texts, Watchword by default; or the caller, +49… */
      readonly from?: string
      /** sms or call, if both have a carrier with this name */
      readonly channel?: "sms" | "call"
      /**
       * The text on the phone, such as "@ _ $ £ é|Ж € 漢|one", instead of questions; without a number, for the last
       * rehearsal
       */
      readonly shown?: string
      readonly wait?: string
      /** Send without asking first */
      readonly yes?: boolean
    }
    readonly output: {
      readonly id: string
      readonly carrier: string
      readonly channel: string
      /** The phone's, masked. */
      readonly number: string
      /** EUR that the carrier charges; null if unknown. */
      readonly cost: number | null
      readonly heard: ReadonlyArray<{
        readonly at: string
        readonly kind: "sent" | "answer" | "receipt" | "stray" | "ring" | "end" | "note"
        /** As received. */
        readonly raw: string
        /** As interpreted. */
        readonly read: string
        readonly facts: Readonly<Record<string, string | number | boolean | null>>
      }>
      /** The carrier's dialect. */
      readonly findings: ReadonlyArray<{
        readonly about: string
        readonly found: string
      }>
      /** Options of the carrier's URL. */
      readonly advice: ReadonlyArray<{
        readonly option: string
        readonly value: string
        readonly why: string
      }>
      /** The same options as written in the URL; empty if the URL needs no more. */
      readonly options: string
    }
  }
  /** List sends of all accounts, newest first. */
  readonly "delivery list": {
    readonly input: {
      /** Only this account, acc_… */
      readonly account_id?: string
      /** live or sandbox; both by default */
      readonly mode?: "live" | "sandbox"
      /** Only records with this status */
      readonly status?: string
      /** Only records with a number in this country */
      readonly country?: string
      /** Only records with a number that begins so; a whole number is looked up by why */
      readonly prefix?: string
      readonly since?: string
      readonly until?: string
      /** How many to show, up to 100; 50 by default */
      readonly limit?: number
      /** Only this channel, such as sms */
      readonly channel?: string
      /** Only the carrier with this name */
      readonly carrier?: string
      /** Records after this one: the previous page's next */
      readonly after?: string
    }
    readonly output: {
      readonly deliveries: ReadonlyArray<{
        readonly id: string
        readonly account_id: string
        readonly mode: "live" | "sandbox"
        readonly channel: string
        /** The number as stored: `erased` after its person was erased. */
        readonly to: string
        readonly status: string
        readonly phase: "pending" | "unknown" | "accepted" | "rejected" | "refunded"
        /** The guard's rules, or the message of the gateway or the network. */
        readonly reason: string | null
        /** The gateway that accepted it, if a channel has several. */
        readonly carrier: string | null
        /** EUR that the account paid: 0 until the gateway has accepted, and after a refund. */
        readonly price: number
        /** EUR that the carrier asks; null if it is not known. */
        readonly cost: number | null
        /** The price less the cost, in EUR. */
        readonly margin: number | null
        /** The verification whose code it sends. */
        readonly verification_id: string | null
        readonly created_at: string
        readonly updated_at: string
      }>
      /** The --after of the next page; null on the last page. A page may have fewer sends than its limit. */
      readonly next: string | null
    }
  }
  /** List the service's channels, and the countries and carriers that sends had in the last 30 days. */
  readonly "delivery filters": {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly channels: ReadonlyArray<string>
      /** ISO 3166-1 alpha-2. */
      readonly countries: ReadonlyArray<string>
      readonly carriers: ReadonlyArray<string>
    }
  }
  /** Add a public key that verifies the tokens of an account's application, and replace its earlier keys. */
  readonly "door key": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** The application's id, as the app's tokens name it */
      readonly application: string
      /** A file with a public key of RSA, PEM */
      readonly public_key: string
      /** Tokens reach no carrier and cost nothing */
      readonly sandbox?: boolean
      readonly overlap?: string
    }
    readonly output: {
      readonly account_id: string
      readonly application: string
      /** The beginning of the key's digest, which names it. */
      readonly fingerprint: string
      readonly sandbox: boolean
      readonly added_at: string
      readonly expires_at: string | null
    }
  }
  /** List the applications of an account and their public keys. */
  readonly "door keys": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
    }
    readonly output: {
      readonly keys: ReadonlyArray<{
        readonly application: string
        /** The beginning of the key's digest, which names it. */
        readonly fingerprint: string
        readonly sandbox: boolean
        readonly added_at: string
        readonly expires_at: string | null
      }>
    }
  }
  /** Permanently revoke the public keys of an application, or one key. */
  readonly "door revoke": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** The application's id, as the app's tokens name it */
      readonly application: string
      /** Only the key of this fingerprint, as door keys lists it; all keys unless given */
      readonly fingerprint?: string
    }
    readonly output: {
      readonly account_id: string
      readonly application: string
      readonly revoked: ReadonlyArray<string>
    }
  }
  /** Erase a number's owner from all records; amounts stay. */
  readonly erase: {
    readonly input: {
      /** A phone number in E.164 form, +49…, or as people type it */
      readonly number: string
      /** The ISO 3166-1 country of a number that has no calling code */
      readonly default_country?: string
      /** Rewrite the tables, so that no unused byte contains the number; sends wait while this runs */
      readonly rewrite?: boolean
    }
    readonly output: {
      readonly records: number
      readonly claims: number
      readonly reports: number
      readonly settings: number
      readonly blocks_kept: number
      readonly under_way: number
      readonly reclaimed: boolean
    }
  }
  /** Show guards' current state: blocks, refusals by rule, countries and prefixes with unused codes. */
  readonly "guard look": {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly at: string
      /** Ordered by end, soonest first. */
      readonly blocks: ReadonlyArray<{
        readonly account_id: string | null
        readonly place: string
        readonly until: string
        readonly seconds_left: number
        readonly by: "operator" | "pumping"
      }>
      /** Numbers that pass all rules and blocks. */
      readonly exceptions: number
      /** In the last hour and day, by rule and account, among at most the newest 2,000 sends. */
      readonly trips: ReadonlyArray<{
        readonly rule: string
        readonly account_id: string
        readonly hour: {
          /** Sends that the rule refused. */
          readonly refused: number
          /** Sends that it allowed, and would have refused with the action deny. */
          readonly noted: number
        }
        readonly day: {
          /** Sends that the rule refused. */
          readonly refused: number
          /** Sends that it allowed, and would have refused with the action deny. */
          readonly noted: number
        }
      }>
      readonly refused_since: string
      readonly noted_since: string
      /** Where codes of the last hour were not entered, the most first: countries and prefixes with five or more. */
      readonly countries: ReadonlyArray<{
        /** ISO 3166-1 alpha-2; 001 for numbers of no country. */
        readonly country: string
        readonly unverified: number
        readonly approved: number
        readonly prefixes: ReadonlyArray<{
          readonly prefix: string
          readonly unverified: number
          readonly approved: number
        }>
      }>
      /** Rules in force: the installation's rules, and the rules of each account that has its own. */
      readonly rules: ReadonlyArray<{
        readonly account_id: string | null
        readonly from: "account" | "installation" | "default"
        readonly rules: GuardRules
      }>
    }
  }
  /** Set the rules of an account. */
  readonly "guard set": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      readonly rules: unknown
    }
    readonly output: {
      readonly account_id: string
      readonly rules: GuardRules
    }
  }
  /** Say how many of an account's requests of the last hour rules would have refused. */
  readonly "guard try": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      readonly rules: unknown
    }
    readonly output: {
      readonly account_id: string
      /** Its live requests of the last hour, including requests that a guard refused. */
      readonly requests: number
      /** The requests among them that the rules would have refused with the action deny. */
      readonly refused: number
      /** By rule, the most refusals first. */
      readonly rules: ReadonlyArray<{
        readonly rule: string
        readonly refused: number
      }>
      readonly since: string
    }
  }
  /** Show an account's rules, blocks and exemptions. */
  readonly "guard show": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
    }
    readonly output: {
      readonly account_id: string
      readonly rules: GuardRules | null
      readonly in_force: {
        readonly from: "account" | "installation" | "default"
        readonly rules: GuardRules
      }
      readonly blocks: ReadonlyArray<{
        readonly place: string
        readonly until: string
        readonly by: "operator" | "pumping"
      }>
      readonly allowed: ReadonlyArray<{
        readonly number: string
        readonly until: string | null
        readonly by: "allow" | "pass"
      }>
    }
  }
  /** Refuse sends to a prefix or a country for a time. */
  readonly "guard block": {
    readonly input: {
      /** First digits such as +2348, a country such as NG, or 001 for numbers of no country */
      readonly place: string
      readonly for: string
      /** Only for this account's sends; for all accounts by default */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly place: string
      readonly until: string
      readonly account_id: string | null
    }
  }
  /** Exempt a number from rules and blocks, within wider limits per number. */
  readonly "guard allow": {
    readonly input: {
      /** A phone number in E.164 form, +49…, or as people type it */
      readonly number: string
      /** The ISO 3166-1 country of a number that has no calling code */
      readonly default_country?: string
      readonly for?: string
      /** Only for this account's sends; for all accounts by default */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly number: string
      readonly until: string | null
      readonly account_id: string | null
    }
  }
  /** Exempt a number from blocks, country rules and pumping rules for a day, within wider limits per number. */
  readonly "guard pass": {
    readonly input: {
      /** A phone number in E.164 form, +49…, or as people type it */
      readonly number: string
      /** The ISO 3166-1 country of a number that has no calling code */
      readonly default_country?: string
      /** Only for this account's sends; for all accounts by default */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly number: string
      readonly until: string | null
      readonly account_id: string | null
    }
  }
  /** List blocks, exemptions, and accounts with rules of their own. */
  readonly "guard list": {
    readonly input: {
      /** Only for this account's sends; for all accounts by default */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly guards: ReadonlyArray<{
        readonly account_id: string | null
        readonly action: "record" | "deny" | null
        readonly blocks: ReadonlyArray<{
          readonly place: string
          readonly until: string
          readonly by: "operator" | "pumping"
        }>
        readonly allowed: ReadonlyArray<{
          readonly number: string
          readonly until: string | null
          readonly by: "allow" | "pass"
        }>
      }>
    }
  }
  /** Remove a block, an exemption, or an account's rules. */
  readonly "guard remove": {
    readonly input: {
      /** A blocked prefix or country, an exempt number, or an account id to remove its rules */
      readonly entry: string
      /** The ISO 3166-1 country of a number that has no calling code */
      readonly default_country?: string
      /** Only for this account's sends; for all accounts by default */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly removed: string
      readonly account_id: string | null
    }
  }
  /** Create an API key and show it once. */
  readonly "key create": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** A key that reaches no carrier and costs nothing */
      readonly sandbox?: boolean
      /**
       * Permissions, separated by commas; all by default: call:send, call:read, call:report, sms:send, sms:read,
       * sms:report, chatgw:send, chatgw:read, chatgw:report, bizchat:send, bizchat:read, bizchat:report, verify:send,
       * verify:check, verify:read, verify:report, sandbox:read, requests:read
       */
      readonly scopes?: ReadonlyArray<string>
      /** Addresses and CIDR ranges allowed to use it, separated by commas */
      readonly allow?: ReadonlyArray<string>
      readonly expires?: string
    }
    readonly output: {
      readonly key_id: string
      readonly key: string
    }
  }
  /** Create a key with another key's permissions, and let the other key expire. */
  readonly "key rotate": {
    readonly input: {
      /** The key's id, key_… */
      readonly key_id: string
      readonly overlap?: string
      readonly expires?: string
    }
    readonly output: {
      readonly key_id: string
      readonly key: string
    }
  }
  /** Permanently revoke an API key. */
  readonly "key revoke": {
    readonly input: {
      /** The key's id, key_… */
      readonly key_id: string
    }
    readonly output: {
      readonly key_id: string
      readonly revoked: boolean
    }
  }
  /** List an account's API keys. */
  readonly "key list": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
    }
    readonly output: {
      readonly keys: ReadonlyArray<{
        readonly key_id: string
        /** Its beginning and its last four characters, so that people can recognise it. */
        readonly key: string
        readonly sandbox: boolean
        /** Its permissions; null for all. */
        readonly scopes: ReadonlyArray<string> | null
        /** Addresses and CIDR ranges allowed to use it; empty for all. */
        readonly allow: ReadonlyArray<string>
        readonly created_at: string
        readonly expires_at: string | null
        readonly revoked_at: string | null
        /** Updated every five minutes. */
        readonly last_used_at: string | null
      }>
    }
  }
  /** Read a number as its user wrote it, in the countries of most sends. */
  readonly "number read": {
    readonly input: {
      /** A phone number as people write it */
      readonly number: string
    }
    readonly output: {
      /** The number; null if it needs a country, or if the text is not a number. */
      readonly number: string | null
      /** Why it is not exactly one number. */
      readonly problem: string | null
      /** The numbers that may have been meant, with their countries, the most usual first. */
      readonly readings: ReadonlyArray<{
        readonly number: string
        readonly written: string
        readonly country: string | null
        readonly name: string | null
      }>
    }
  }
  /** Create a token for the operators' API and the console, and show it once. */
  readonly "operator grant": {
    readonly input: {
      /** The person's name, as the operators' log records it */
      readonly name: string
      /** Its role: support reads, operator also changes, admin also revokes and erases */
      readonly role: "support" | "operator" | "admin"
      readonly for?: string
    }
    readonly output: {
      readonly id: string
      readonly token: string
      readonly expires_at: string
    }
  }
  /** List operator tokens, and sessions opened by links. */
  readonly "operator list": {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly operators: ReadonlyArray<{
        readonly id: string
        readonly name: string
        readonly role: "support" | "operator" | "admin"
        /** A link signs a browser in once and works for a minute. */
        readonly kind: "token" | "link"
        readonly created_at: string
        readonly expires_at: string
      }>
    }
  }
  /** Revoke an operator's token and the sessions that it opened. */
  readonly "operator revoke": {
    readonly input: {
      /** The token's id, opr_… */
      readonly id: string
    }
    readonly output: {
      readonly id: string
      readonly revoked: boolean
    }
  }
  /** Show operators' changes, one line of JSON each, newest first. */
  readonly "operator log": {
    readonly input: {
      readonly since?: string
      /** Only entries before this id: `next` of the previous page */
      readonly before?: string
      /** How many to show, up to 200, which is the default */
      readonly limit?: number
    }
    readonly output: {
      readonly entries: ReadonlyArray<{
        readonly id: string
        readonly at: string
        /** The operator's name, which others may have too. */
        readonly who: string
        /** Unique, unlike the name: the id of a token or a link, or the user of the proxy, the app or the machine. */
        readonly identity: string | null
        /** Where the command ran: api, console, command or program. */
        readonly by: string
        readonly command: string
        readonly input: unknown
        /** `done`, or an error code; null while it runs, and if its process ended before it did. */
        readonly outcome: string | null
        readonly before: unknown
        readonly output: unknown
      }>
      /** The `before` of the next page; null on the last page. */
      readonly next: string | null
    }
  }
  /** Print a link that signs a browser in to the console; it works once, for a minute. */
  readonly "console open": {
    readonly input: {
      /** The name for the operators' log; by default the user of the machine */
      readonly name?: string
      /** The session's role; admin by default */
      readonly role?: "support" | "operator" | "admin"
    }
    readonly output: {
      /** The id of the session; `operator revoke` ends it. */
      readonly id: string
      readonly link: string
      readonly until: string
    }
  }
  /** Show the last hour compared with the same hour a week ago, and current problems. */
  readonly overview: {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly at: string
      /** The program's version; null if its host does not say. */
      readonly version: string | null
      /** The schema versions of the database and the program; null if the host does not say. */
      readonly migrations: {
        readonly database: number
        readonly program: number
      } | null
      readonly since: string
      readonly channels: ReadonlyArray<{
        readonly channel: string
        readonly hour: {
          /** Excludes sends that a guard blocked. */
          readonly sent: number
          readonly delivered: number
          readonly failed: number
          /** The network has not reported a final status for them. */
          readonly pending: number
          /** Blocked by a guard. */
          readonly blocked: number
        }
        readonly week_ago: {
          /** Excludes sends that a guard blocked. */
          readonly sent: number
          readonly delivered: number
          readonly failed: number
          /** The network has not reported a final status for them. */
          readonly pending: number
          /** Blocked by a guard. */
          readonly blocked: number
        }
      }>
      readonly verifications: {
        readonly hour: {
          readonly started: number
          readonly approved: number
          readonly pending: number
          readonly expired: number
          readonly failed: number
          readonly canceled: number
          /** Refused by a guard; not among the started ones. */
          readonly blocked: number
        }
        readonly week_ago: {
          readonly started: number
          readonly approved: number
          readonly pending: number
          readonly expired: number
          readonly failed: number
          readonly canceled: number
          /** Refused by a guard; not among the started ones. */
          readonly blocked: number
        }
      }
      readonly problems: ReadonlyArray<{
        /** The rule that it breaks: docs/operators/monitoring.md has all. */
        readonly kind: string
        /** Its subject, such as a country or an id. */
        readonly about: string
        readonly severity: "bad" | "warn"
        readonly text: string
        /** The console page with more details. */
        readonly link: string
        /** A command that may mend it, with some fields of its input. */
        readonly act:
          | {
              readonly label: string
              readonly command: "guard block"
              readonly input: {
                readonly place: string
                readonly for: string
              }
            }
          | {
              readonly label: string
              readonly command: "carrier drain"
              readonly input: {
                readonly carrier: string
              }
            }
          | {
              readonly label: string
              readonly command: "account credit"
              readonly input: {
                readonly account_id: string
              }
            }
          | {
              readonly label: string
              readonly command: "webhook enable"
              readonly input: {
                readonly webhook_id: string
              }
            }
          | null
      }>
      /** Events waiting for webhooks, counted up to 10,000. */
      readonly events: {
        readonly pending: number
        readonly oldest: string | null
      }
      /** Sends whose outcome at the gateway is unknown, counted up to 1,000. */
      readonly unknown: {
        readonly count: number
        readonly oldest: string | null
      }
      readonly low_balances: ReadonlyArray<{
        readonly account_id: string
        readonly name: string
        readonly available: number
        readonly threshold: number
      }>
      /** Whether there are more than 500 accounts; only the first 500 are checked for problems. */
      readonly truncated: boolean
    }
  }
  /** List the serving processes and their leases. */
  readonly "process list": {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly processes: ReadonlyArray<{
        readonly process_id: string
        readonly since: string
        readonly lease_until: string
      }>
    }
  }
  /** List refused and failed requests of customers, newest first, of the last seven days. */
  readonly requests: {
    readonly input: {
      /** Only this account, acc_… */
      readonly account_id?: string
      /** live or sandbox; both by default */
      readonly mode?: "live" | "sandbox"
      /** Only answers with this status */
      readonly status?: number
      /** Only errors with this code, such as UNAUTHORIZED */
      readonly code?: string
      /** Only this operation, such as "POST /verifications" */
      readonly operation?: string
      readonly since?: string
      readonly until?: string
      /** How many to show, up to 100; 50 by default */
      readonly limit?: number
      /** Requests after this one: the previous page's next */
      readonly after?: string
    }
    readonly output: {
      readonly requests: ReadonlyArray<{
        readonly id: string
        readonly at: string
        /** The account of its key; null if unknown. */
        readonly account_id: string | null
        readonly mode: "live" | "sandbox" | null
        /** The key, even if it was refused; null if unknown. */
        readonly key_id: string | null
        /** The method and the route, such as `POST /verifications`. */
        readonly operation: string
        /** The status of the answer. */
        readonly status: number
        /** The code of the error, such as `TOO_MANY_REQUESTS`. */
        readonly code: string
        /** The reason of the error; of a 401, why the key was refused, which no client is informed of. */
        readonly reason: string | null
        /** The `request_id` of the answer. */
        readonly request_id: string | null
        /** The client's address; of IPv6, its /64. */
        readonly client: string | null
        /** The number in the request, masked; `erased` after its person was erased. */
        readonly to: string | null
        /** How many requests it stands for: requests alike share an entry in a flood. */
        readonly count: number
      }>
      /** The --after of the next page; null on the last page. A page may have fewer requests than its limit. */
      readonly next: string | null
    }
  }
  /** Show how long records and texts are kept. */
  readonly "retention show": {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      /** Days; null for permanently. */
      readonly records: number | "Infinity" | "-Infinity" | "NaN" | null
      /** Days; null for permanently. */
      readonly texts: number | "Infinity" | "-Infinity" | "NaN" | null
    }
  }
  /** Set how long records and texts are kept; running servers apply it within minutes. */
  readonly "retention set": {
    readonly input: {
      readonly records?: string | null
      readonly texts?: string | null
    }
    readonly output: {
      /** Days; null for permanently. */
      readonly records: number | "Infinity" | "-Infinity" | "NaN" | null
      /** Days; null for permanently. */
      readonly texts: number | "Infinity" | "-Infinity" | "NaN" | null
    }
  }
  /** Set an account's routes to carriers. */
  readonly "route set": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      readonly routes: unknown
    }
    readonly output: {
      readonly account_id: string
      readonly routes: ReadonlyArray<{
        readonly channel?: string
        readonly to: string
        readonly via: ReadonlyArray<
          | string
          | {
              readonly carrier: string
              readonly weight?: number
            }
        >
        readonly choose?: "order" | "weight" | "cheapest" | "best"
        readonly max_cost?: number | "Infinity" | "-Infinity" | "NaN" | string
        readonly sender?: string
        readonly ttl?: number
        readonly tlvs?: Readonly<Record<string, string>>
      }>
    }
  }
  /** Show the routes of an account. */
  readonly "route show": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
    }
    readonly output: {
      readonly account_id: string
      readonly routes: ReadonlyArray<{
        readonly channel?: string
        readonly to: string
        readonly via: ReadonlyArray<
          | string
          | {
              readonly carrier: string
              readonly weight?: number
            }
        >
        readonly choose?: "order" | "weight" | "cheapest" | "best"
        readonly max_cost?: number | "Infinity" | "-Infinity" | "NaN" | string
        readonly sender?: string
        readonly ttl?: number
        readonly tlvs?: Readonly<Record<string, string>>
      }> | null
    }
  }
  /** Remove an account's routes. */
  readonly "route remove": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
    }
    readonly output: {
      readonly account_id: string
    }
  }
  /** Show the settings of the server asked, or of this command otherwise, without secrets. */
  readonly settings: {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly settings: ReadonlyArray<{
        readonly name: string
        /** Null if it is not set, or is a secret. */
        readonly value: string | null
        /** The default; empty if there is none. */
        readonly usual: string
        /** Whether it is set. */
        readonly set: boolean
      }>
    }
  }
  /** Set a verification text in one language. */
  readonly "template set": {
    readonly input: {
      /** The name that clients use; default applies if a client names no template */
      readonly name: string
      /** The language of the text, such as de or pt-BR */
      readonly locale: string
      /** The text, with {{code}}, and optionally {{brand}}, {{minutes}} or clients' variables */
      readonly text: string
      /** The account's id, acc_…; all accounts by default */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly account_id: string | null
      readonly name: string
      readonly locale: string
      readonly text: string
    }
  }
  /** Show the text that is sent in a language, with example values. */
  readonly "template show": {
    readonly input: {
      /** The name that clients use; default applies if a client names no template */
      readonly name: string
      /** The language of the text, such as de or pt-BR */
      readonly locale: string
      /** The account's id, acc_…; all accounts by default */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly account_id: string | null
      readonly name: string
      readonly locale: string
      readonly text: string
      readonly source: "account" | "installation" | "built-in"
      readonly example: string
      readonly characters: number
      readonly encoding: "gsm7" | "ucs2"
    }
  }
  /** List the texts that were set for an account or for all accounts. */
  readonly "template list": {
    readonly input: {
      /** The account's id, acc_…; all accounts by default */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly account_id: string | null
      readonly templates: ReadonlyArray<{
        readonly name: string
        readonly locale: string
        readonly text: string
      }>
    }
  }
  /** Remove a verification text. */
  readonly "template remove": {
    readonly input: {
      /** The name that clients use; default applies if a client names no template */
      readonly name: string
      /** The language of the text, such as de or pt-BR */
      readonly locale: string
      /** The account's id, acc_…; all accounts by default */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly account_id: string | null
      readonly name: string
      readonly locale: string
      readonly removed: boolean
    }
  }
  /** List verifications of all accounts, newest first. */
  readonly "verification list": {
    readonly input: {
      /** Only this account, acc_… */
      readonly account_id?: string
      /** live or sandbox; both by default */
      readonly mode?: "live" | "sandbox"
      /** Only records with this status */
      readonly status?: VerificationStatus
      /** Only records with a number in this country */
      readonly country?: string
      /** Only records with a number that begins so; a whole number is looked up by why */
      readonly prefix?: string
      readonly since?: string
      readonly until?: string
      /** How many to show, up to 100; 50 by default */
      readonly limit?: number
      /** Records after this one: the previous page's next */
      readonly after?: string
    }
    readonly output: {
      readonly verifications: ReadonlyArray<{
        readonly id: string
        readonly account_id: string
        readonly mode: "live" | "sandbox"
        /** The number as stored: `erased` after its person was erased. */
        readonly to: string
        readonly country: string | null
        readonly purpose: string
        readonly status: VerificationStatus
        readonly reason: string | null
        /** The channel of its current step. */
        readonly channel: string
        readonly step: number
        /** How many sends it had. */
        readonly sends: number
        /** The guard rules that blocked it, or would have blocked it. */
        readonly guard_reasons: string | null
        readonly client_ref: string | null
        readonly created_at: string
        readonly updated_at: string
        readonly expires_at: string
      }>
      /** The --after of the next page; null on the last page. A page may have fewer verifications than its limit. */
      readonly next: string | null
    }
  }
  /** Show a verification and its sends. */
  readonly "verification show": {
    readonly input: {
      /** The verification's id, vrf_… */
      readonly verification_id: string
    }
    readonly output: {
      readonly id: string
      readonly account_id: string
      readonly mode: "live" | "sandbox"
      /** The number as stored: `erased` after its person was erased. */
      readonly to: string
      readonly country: string | null
      readonly purpose: string
      readonly status: VerificationStatus
      readonly reason: string | null
      /** The channel of its current step. */
      readonly channel: string
      readonly step: number
      /** How many sends it had. */
      readonly sends: number
      /** The guard rules that blocked it, or would have blocked it. */
      readonly guard_reasons: string | null
      readonly client_ref: string | null
      readonly created_at: string
      readonly updated_at: string
      readonly expires_at: string
      /** Its sends, in order. */
      readonly attempts: ReadonlyArray<{
        readonly delivery_id: string | null
        readonly channel: string
        readonly status: string
        readonly reason: string | null
        readonly at: string
        /** EUR that the account paid: 0 until the gateway has accepted, and after a refund. */
        readonly price: number
        /** EUR that the carrier asks; null if it is not known. */
        readonly cost: number | null
        /** The price less the cost, in EUR. */
        readonly margin: number | null
      }>
      /** EUR that the account paid for its sends. */
      readonly price: number
      /** EUR that carriers ask for its sends; null if it is not known. */
      readonly cost: number | null
      /** The price less the cost, in EUR. */
      readonly margin: number | null
      /** The next step after a time-out. */
      readonly next: {
        readonly channel: string
        readonly at: string
      } | null
      readonly sends_left: number
      readonly checks_left: number
      readonly approved_at: string | null
      readonly test_number: boolean
    }
  }
  /** End a pending verification; servers revoke its sent messages. */
  readonly "verification cancel": {
    readonly input: {
      /** The verification's id, vrf_… */
      readonly verification_id: string
    }
    readonly output: {
      /** The verification's id, vrf_… */
      readonly verification_id: string
      readonly status: VerificationStatus
    }
  }
  /** Post events to a URL. */
  readonly "webhook add": {
    readonly input: {
      /** Only for this account's events; for all accounts by default */
      readonly account_id?: string | null
      /** The URL that events are posted to, https://… */
      readonly url: string
      /** Types and patterns such as verification.*,delivery.updated; all by default */
      readonly events?: ReadonlyArray<string>
      /** Allow a private address if only the servers have WEBHOOK_ALLOW_PRIVATE set */
      readonly anyway?: boolean
    }
    readonly output: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      readonly account_id: string | null
      readonly url: string
      /** Shown once. */
      readonly secret: string
      readonly warning: string | null
    }
  }
  /** List webhooks, their waiting events, and their last answers. */
  readonly "webhook list": {
    readonly input: {
      /** Only for this account's events; for all accounts by default */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly webhooks: ReadonlyArray<{
        /** The webhook's id, whk_… */
        readonly webhook_id: string
        readonly account_id: string | null
        readonly url: string
        readonly events: ReadonlyArray<string>
        readonly created_at: string
        readonly pending: number
        readonly oldest_pending: string | null
        /** The most concurrent requests. */
        readonly concurrency: number
        /** The most events in a request; null if each event has its own request. */
        readonly batch: number | null
        /** Events given up in the last week. */
        readonly failed: number
        readonly last_answer: {
          readonly answer: string
          readonly at: string
        } | null
        /** When it began to fail; null while it accepts events. */
        readonly failing_since: string | null
        /** Why no events are sent to it: it answered 410 (`gone`), or failed for five days. */
        readonly disabled: "gone" | "failing" | null
      }>
    }
  }
  /** Set how many requests a webhook gets at once, and how many events a request carries. */
  readonly "webhook throughput": {
    readonly input: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      /** Concurrent requests, 1 to 64; 8 by default */
      readonly concurrency?: number | null
      /** The most events in a request, 1 to 100, as a list; by default each event has its own request */
      readonly batch?: number | null
    }
    readonly output: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      readonly concurrency: number
      readonly batch: number | null
    }
  }
  /** Remove a webhook. */
  readonly "webhook remove": {
    readonly input: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
    }
    readonly output: {
      readonly removed: string
    }
  }
  /** Give a webhook a new secret; the old secret also works for a day. */
  readonly "webhook rotate": {
    readonly input: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
    }
    readonly output: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      readonly secret: string
      readonly old_until: string
    }
  }
  /** Enable a disabled webhook again. */
  readonly "webhook enable": {
    readonly input: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
    }
    readonly output: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      readonly enabled: boolean
    }
  }
  /** Make a running server post the event webhook.test, and show the answer. */
  readonly "webhook test": {
    readonly input: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
    }
    readonly output: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      readonly answer: string | null
      readonly taken: boolean
      readonly message: string
    }
  }
  /** Resend the events since a time. */
  readonly "webhook replay": {
    readonly input: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      readonly since: string
    }
    readonly output: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      readonly events: number
    }
  }
  /** Set the balance below which balance.low is sent to webhooks. */
  readonly "webhook low-balance": {
    readonly input: {
      /** The account's id, acc_…, or all for the installation's own */
      readonly account_id: string | null
      /** The available balance, in EUR, below which balance.low is sent; - for none */
      readonly euros: string | number | null
    }
    readonly output: {
      readonly account_id: string | null
      readonly euros: number | null
    }
  }
  /** Show a webhook's events, their attempts and its last answers. */
  readonly "webhook events": {
    readonly input: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      /** pending, sent or failed; pending by default */
      readonly state?: "pending" | "sent" | "failed"
      /** How many to show, up to 100; 50 by default */
      readonly limit?: number
    }
    readonly output: {
      /** Pending events ordered by next attempt, others by last answer, newest first. */
      readonly events: ReadonlyArray<{
        readonly id: string
        readonly account_id: string
        readonly mode: "live" | "sandbox"
        /** Whether the event is about a record. */
        readonly kind: "delivery" | "balance_low" | "test"
        readonly channel: string | null
        /** The record that the event is about. */
        readonly delivery_id: string | null
        /** The record's status at that time. */
        readonly status: string | null
        readonly at: string
        readonly state: "pending" | "sent" | "failed"
        /** How many times it was tried. */
        readonly attempts: number
        readonly last_answer: {
          readonly answer: string
          readonly at: string
        } | null
        /** When it will be tried next; null unless it is pending. */
        readonly next_at: string | null
      }>
    }
  }
  /** Show an event of a webhook, the body that is posted, and the last answer. */
  readonly "webhook event": {
    readonly input: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      readonly event_id: string
    }
    readonly output: {
      readonly id: string
      readonly account_id: string
      readonly mode: "live" | "sandbox"
      /** Whether the event is about a record. */
      readonly kind: "delivery" | "balance_low" | "test"
      readonly channel: string | null
      /** The record that the event is about. */
      readonly delivery_id: string | null
      /** The record's status at that time. */
      readonly status: string | null
      readonly at: string
      readonly state: "pending" | "sent" | "failed"
      /** How many times it was tried. */
      readonly attempts: number
      /** Answers to earlier attempts are not kept. */
      readonly last_answer: {
        readonly answer: string
        readonly at: string
        /** Milliseconds until the answer; null if no request was made. */
        readonly took: number | null
        /** The first 200 characters of an answer that is no 2xx, without digits of numbers and codes. */
        readonly said: string | null
      } | null
      /** When it will be tried next; null unless it is pending. */
      readonly next_at: string | null
      /** The number of its record, as stored; null if the event is about no record. */
      readonly to: string | null
      /** The posts of the next attempt, each with its webhook-id; empty if the record is gone. */
      readonly posts: ReadonlyArray<{
        readonly id: string
        readonly type: string
        readonly body: unknown
      }>
    }
  }
  /** Resend one event, whatever its state. */
  readonly "webhook send-again": {
    readonly input: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      readonly event_id: string
    }
    readonly output: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      readonly event_id: string
    }
  }
  /** Say what happened for a number, and why its user got no code. */
  readonly why: {
    readonly input: {
      /** A phone number in E.164 form, +49…, or as people type it */
      readonly number: string
      /** The ISO 3166-1 country of a number that has no calling code */
      readonly default_country?: string
      readonly since?: string
    }
    readonly output: {
      readonly number: string
      readonly since: string
      /** Oldest first. */
      readonly items: ReadonlyArray<{
        readonly id: string
        readonly account: string
        /** The account's name. */
        readonly name: string
        readonly mode: "live" | "sandbox"
        readonly channel: string
        /** When it was requested, ISO 8601. */
        readonly at: string
        readonly status: string
        /** Seconds from the request to the last status change. */
        readonly took: number
        /** The verification whose code it sends. */
        readonly verification: string | null
        /** EUR that the account paid: 0 until the gateway has accepted, and after a refund. */
        readonly price: number
        /** EUR that the carrier asks; null if it is not known. */
        readonly cost: number | null
        /** The price less the cost, in EUR. */
        readonly margin: number | null
        /** What happened, in order. */
        readonly lines: ReadonlyArray<string>
      }>
      /** Whether older records were left out. */
      readonly truncated: boolean
      /** The likely reason why the last code did not arrive. */
      readonly reason: string
      readonly remedy: string
      /** The same for the console: `[label](#/page)` is a link, `[label](guard pass)` a button for the command. */
      readonly console: {
        readonly reason: string
        readonly remedy: string
      }
    }
  }
  /** Show sends, their outcomes, costs and prices, by hour, day, account, channel, carrier or country. */
  readonly traffic: {
    readonly input: {
      readonly since?: string
      readonly until?: string
      /** Only this account's figures */
      readonly account_id?: string
      /** Only this channel's figures */
      readonly channel?: string
      /** Only the figures of the carrier with this name */
      readonly carrier?: string
      /** Only the figures of this country */
      readonly country?: string
      /** How to group: any of hour, day, account, channel, carrier, country; channel,carrier,country by default */
      readonly by?: ReadonlyArray<"hour" | "day" | "account" | "channel" | "carrier" | "country">
      /** Show sandbox sends instead of live sends */
      readonly sandbox?: boolean
    }
    readonly output: {
      readonly since: string
      readonly until: string
      readonly rows: ReadonlyArray<{
        readonly hour?: string
        readonly day?: string
        /** The account. */
        readonly account_id?: string
        /** The channel, or the product sold on it. */
        readonly channel?: string
        /** The carrier; empty if no carrier was asked. */
        readonly carrier?: string
        /** ISO 3166-1 alpha-2; empty if the number belongs to no country. */
        readonly country?: string
        readonly sent: number
        readonly delivered: number
        readonly failed: number
        readonly approved: number
        readonly expired: number
        readonly blocked: number
        /** EUR that accounts paid. */
        readonly price: number
        /** EUR that carriers ask, where records say so. */
        readonly cost: number
        /** The price less the cost, in EUR. */
        readonly margin: number
        /** Seconds until the receipt: the median and the 95th percentile. */
        readonly delay: {
          readonly p50: number | null
          readonly p95: number | null
        }
      }>
      readonly total: {
        readonly hour?: string
        readonly day?: string
        /** The account. */
        readonly account_id?: string
        /** The channel, or the product sold on it. */
        readonly channel?: string
        /** The carrier; empty if no carrier was asked. */
        readonly carrier?: string
        /** ISO 3166-1 alpha-2; empty if the number belongs to no country. */
        readonly country?: string
        readonly sent: number
        readonly delivered: number
        readonly failed: number
        readonly approved: number
        readonly expired: number
        readonly blocked: number
        /** EUR that accounts paid. */
        readonly price: number
        /** EUR that carriers ask, where records say so. */
        readonly cost: number
        /** The price less the cost, in EUR. */
        readonly margin: number
        /** Seconds until the receipt: the median and the 95th percentile. */
        readonly delay: {
          readonly p50: number | null
          readonly p95: number | null
        }
      }
    }
  }
  /** Recount past hours from the records. */
  readonly "traffic rebuild": {
    readonly input: {
      readonly since: string
    }
    readonly output: {
      readonly since: string
      readonly until: string
      readonly records: number
      /** Rows that disagreed with the records. */
      readonly corrected: number
    }
  }
  /**
   * Show the expected charges of a carrier for a month, by day and prefix, or compare them with the carrier's own
   * file.
   */
  readonly invoice: {
    readonly input: {
      /** The carrier's name; the channel's name for an unnamed carrier */
      readonly carrier: string
      /** The month, in UTC */
      readonly month: string
      /** Print CSV */
      readonly csv?: boolean
      /** The carrier's CSV file with a column message_id; lists the messages that differ */
      readonly against?: string
    }
    readonly output: {
      readonly carrier: string
      readonly month: string
      readonly lines: ReadonlyArray<{
        readonly day: string
        readonly channel: string
        readonly prefix: string
        readonly messages: number
        readonly parts: number
        readonly cost: number
      }>
      readonly messages: number
      readonly parts: number
      readonly cost: number
      /** Messages whose outcome is unknown. */
      readonly unknown: number
      /** At most 1,000; null without a file. */
      readonly differences: ReadonlyArray<{
        readonly kind: "unknown_id" | "not_taken" | "other_month" | "other_carrier" | "twice" | "cost" | "not_charged"
        readonly message: string | null
        readonly delivery: string | null
        readonly says: string
      }> | null
      /** How many differences there are. */
      readonly found: number
    }
  }
  /** Show an account's statement of a month: balances, credits, sends by channel and country, refunds. */
  readonly statement: {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** The month, in UTC */
      readonly month: string
      /** Print CSV */
      readonly csv?: boolean
    }
    readonly output: {
      readonly account_id: string
      /** The account's name. */
      readonly name: string
      /** The month, in UTC. */
      readonly month: string
      /** Whether the month is over, so that nothing more is added. */
      readonly is_over: boolean
      /** EUR: the balance before the month. */
      readonly opening: number
      /** What changed the balance: at most 1000 credits and debits, then sends and refunds by channel and country. */
      readonly rows: ReadonlyArray<{
        /** The day in UTC; empty for a sum of the month. */
        readonly date: string
        readonly item: "credit" | "debit" | "further credits" | "further debits" | "sends" | "refunds"
        /** The channel, or the product sold on it; empty if the record was deleted. */
        readonly channel: string
        /** ISO 3166-1 alpha-2; empty if the number belongs to no country. */
        readonly country: string
        readonly count: number
        /** EUR that the balance changed by. */
        readonly amount: number
        /** The reason of a credit or a debit, or else its id. */
        readonly note: string
      }>
      /** EUR: the balance after the month, which is the opening balance of the next one. */
      readonly closing: number
    }
  }
}
