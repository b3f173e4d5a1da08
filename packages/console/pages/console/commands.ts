/**
 * The commands of operators, by their names. Written by scripts/contract.ts.
 */

/** One step of a workflow. Where nothing was heard for `timeout` seconds, the next one is taken. */
export interface Step {
  /** The channel that the code is sent by. */
  readonly channel: StepChannel
  /** Seconds without news after which the next step is taken, 10 to 900. */
  readonly timeout: number
  /**
   * `other` for a carrier that no earlier step has used, where the service has several: a second try by it. Without
   * one the step is passed over.
   */
  readonly carrier?: "other"
}

export type StepChannel = "chatgw" | "sms" | "call" | "bizchat" | (string & {})

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
    readonly by: ReadonlyArray<"to" | "client_ip" | "client_ref" | "to_prefix" | "country" | "account" | "key">
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
      /** What people call it, and what texts of verifications name until account verify sets a brand */
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
      /** Keep the texts of messages, which hold codes, with their records */
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
      /** EUR: what was credited, less what was spent. */
      readonly balance: number
      /** EUR that sends under way hold of it. */
      readonly held: number
      /** EUR that are left for sends. */
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
        /** EUR: what was credited, less what was spent. */
        readonly balance: number
        /** EUR that sends under way hold of it. */
        readonly held: number
        /** EUR that are left for sends. */
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
      /** A text of your own, such as the number of an invoice: repeated with the same id nothing changes */
      readonly id?: string
      /** Why, for the ledger */
      readonly reason?: string
    }
    readonly output: {
      readonly account_id: string
      /** EUR: what was credited, less what was spent. */
      readonly balance: number
      /** EUR that sends under way hold of it. */
      readonly held: number
      /** EUR that are left for sends. */
      readonly available: number
      readonly repeated: boolean
    }
  }
  /** Take money that is available from an account's balance. */
  readonly "account debit": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** EUR, for example 25 or 0.50 */
      readonly amount: string | number
      /** Why, for the ledger */
      readonly reason: string
      /** A text of your own, such as the number of an invoice: repeated with the same id nothing changes */
      readonly id?: string
    }
    readonly output: {
      readonly account_id: string
      /** EUR: what was credited, less what was spent. */
      readonly balance: number
      /** EUR that sends under way hold of it. */
      readonly held: number
      /** EUR that are left for sends. */
      readonly available: number
      readonly repeated: boolean
    }
  }
  /** Show an account's ledger, oldest entry first. */
  readonly "account entries": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** Only so many entries, the newest */
      readonly newest?: number
    }
    readonly output: {
      readonly entries: ReadonlyArray<{
        readonly id: string
        readonly at: string
        readonly kind: "credit" | "hold" | "settle" | "release" | "refund" | "debit"
        /** EUR that went from one place to the other. */
        readonly amount: number
        readonly from: "funding" | "available" | "held" | "revenue"
        readonly to: "funding" | "available" | "held" | "revenue"
        /** The send that it is of; null for credits and debits. */
        readonly delivery: string | null
        readonly reason: string | null
      }>
    }
  }
  /** Stop all sends of an account, and refuse its keys. */
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
  /** Let a suspended account act again. */
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
  /** Bound the senders, callers and usernames of an account's live sends. */
  readonly "account allow": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** The only senders of its live SMS, separated by commas */
      readonly senders?: ReadonlyArray<string> | null
      /** The only callers of its live calls: numbers, and ranges such as +4930…00-+4930…99, separated by commas */
      readonly callers?: ReadonlyArray<string> | null
      /** The only usernames of its live chat-gateway codes, separated by commas */
      readonly usernames?: ReadonlyArray<string> | null
    }
    readonly output: {
      readonly account_id: string
      readonly senders: ReadonlyArray<string> | null
      readonly callers: ReadonlyArray<string> | null
      readonly usernames: ReadonlyArray<string> | null
    }
  }
  /** Set, show or clear the numbers that an account's calls come from, at random. */
  readonly "account callers": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** Numbers and ranges such as +4930…000-+4930…999, separated by commas; without, the pool is shown */
      readonly numbers?: ReadonlyArray<string>
      /** Verify by calls although the numbers have fewer than 1,000 endings */
      readonly allow_small?: boolean
      /** Take the pool away */
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
  /** Set or show the defaults of verifications, of an account or of all. */
  readonly "account verify": {
    readonly input: {
      /** The account's id, acc_…, or all for what holds for all accounts */
      readonly account_id: string | null
      /** The name in texts, at most 20 characters */
      readonly brand?: string | null
      /** The language of texts where a client names none, such as de or pt-BR */
      readonly locale?: string | null
      /** The workflow of clients that name none, by its name */
      readonly workflow?: string | null
    }
    readonly output: {
      readonly account_id: string | null
      readonly brand: string | null
      readonly locale: string | null
      readonly workflow: string | null
    }
  }
  /** Set the steps of a workflow. */
  readonly "account workflow set": {
    readonly input: {
      /** The account's id, acc_…, or all for what holds for all accounts */
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
  /** List the workflows of an account or of all. */
  readonly "account workflow list": {
    readonly input: {
      /** The account's id, acc_…, or all for what holds for all accounts */
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
  /** Take a workflow away; pending verifications keep its steps. */
  readonly "account workflow remove": {
    readonly input: {
      /** The account's id, acc_…, or all for what holds for all accounts */
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
  /** Add a number that nothing is sent to, or change its code and its end. */
  readonly "account test-number add": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** A phone number in E.164 form, +49…, or as people type it */
      readonly number: string
      /** The country, by ISO 3166-1, in which a number without a calling code is dialled */
      readonly default_country?: string
      /** The code that is right, 6 to 8 digits */
      readonly code: string
      readonly until: string
      /** Also where the account has sent to the number in the last 90 days */
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
  /** End a test number. */
  readonly "account test-number remove": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** A phone number in E.164 form, +49…, or as people type it */
      readonly number: string
      /** The country, by ISO 3166-1, in which a number without a calling code is dialled */
      readonly default_country?: string
    }
    readonly output: {
      readonly account_id: string
      readonly number: string
      readonly removed: boolean
    }
  }
  /** List the carriers of running servers: state, window, cost, refusals, conversion. */
  readonly "carrier list": {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly carriers: ReadonlyArray<{
        readonly carrier: string
        /** Null for a drained carrier that no running server has. */
        readonly channel: string | null
        /** How many running servers have it. */
        readonly servers: number
        /** How many of them have a connection to it. */
        readonly up: number
        /** In how many of them it rests after refusals. */
        readonly resting: number
        readonly drained: boolean
        /** Null where it is not drained, or until it is resumed. */
        readonly drained_until: string | null
        /** Messages that it has not answered, and how many there may be. */
        readonly window: {
          readonly used: number
          readonly size: number
        } | null
        /** Messages a second that its throttling has taught; null while it has not throttled. */
        readonly rate: number | null
        /** EUR for a part or a call to all numbers without another cost. */
        readonly cost: number | null
        /** The last one. */
        readonly refusal: {
          readonly at: string
          readonly message: string
        } | null
        /** Messages that it has taken within an hour. */
        readonly sent: number
        /** How many of their codes were entered. */
        readonly approved: number
        /**
         * What it has said and was not recognized since the servers started, at most ten kinds of each, the most recent
         * first.
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
  /** Have a carrier take no more messages; those under way go on. */
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
  /** Have a drained carrier take messages again. */
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
      /** The number of a phone of yours, +49… */
      readonly to?: string
      /** The sender of the texts, Watchword unless given; the caller, +49… */
      readonly from?: string
      /** sms or call, where both have a carrier of this name */
      readonly channel?: "sms" | "call"
      /**
       * What the phone shows, in place of questions, such as "@ _ $ £ é|Ж € 漢|one"; without a number, of the last
       * rehearsal
       */
      readonly shown?: string
      readonly wait?: string
      /** Send without being asked */
      readonly yes?: boolean
    }
    readonly output: {
      readonly id: string
      readonly carrier: string
      readonly channel: string
      /** The phone's, masked. */
      readonly number: string
      /** EUR that the carrier asks for; null where that is not known. */
      readonly cost: number | null
      readonly heard: ReadonlyArray<{
        readonly at: string
        readonly kind: "sent" | "answer" | "receipt" | "stray" | "ring" | "end" | "note"
        /** As it came in. */
        readonly raw: string
        /** As it was read. */
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
      /** The same as they stand in the URL; empty where it needs no more. */
      readonly options: string
    }
  }
  /** List sends of all accounts, the newest first. */
  readonly "delivery list": {
    readonly input: {
      /** Of this account only, acc_… */
      readonly account_id?: string
      /** live or sandbox; both unless given */
      readonly mode?: "live" | "sandbox"
      /** Those with this status */
      readonly status?: string
      /** Those to numbers of this country */
      readonly country?: string
      readonly since?: string
      readonly until?: string
      /** The most that are shown, up to 100; 50 unless given */
      readonly limit?: number
      /** Of this channel only, such as sms */
      readonly channel?: string
      /** By this carrier only, by its name */
      readonly carrier?: string
      /** Those behind this one: the next of the page before */
      readonly after?: string
    }
    readonly output: {
      readonly deliveries: ReadonlyArray<{
        readonly id: string
        readonly account_id: string
        readonly mode: "live" | "sandbox"
        readonly channel: string
        /** The number as it is stored: `erased` once its person was. */
        readonly to: string
        readonly status: string
        readonly phase: "pending" | "unknown" | "accepted" | "rejected" | "refunded"
        /** The guard's rules, or what the gateway or the network said, in words. */
        readonly reason: string | null
        /** The gateway that took it, where a channel has several. */
        readonly carrier: string | null
        /** EUR. */
        readonly price: number
        /** Whose code it sends. */
        readonly verification_id: string | null
        readonly created_at: string
        readonly updated_at: string
      }>
      /** The --after of the rest; null at the end. A page may have fewer sends than its limit, and a rest. */
      readonly next: string | null
    }
  }
  /** Take the person of a number out of all records; amounts stay. */
  readonly erase: {
    readonly input: {
      /** A phone number in E.164 form, +49…, or as people type it */
      readonly number: string
      /** The country, by ISO 3166-1, in which a number without a calling code is dialled */
      readonly default_country?: string
      /** Write the tables again, so that no unused byte has the number; sends wait meanwhile */
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
  /** Show what guards do now: blocks, refusals by rule, prefixes whose codes are not entered. */
  readonly "guard look": {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly at: string
      /** The first to end first. */
      readonly blocks: ReadonlyArray<{
        readonly account_id: string | null
        readonly place: string
        readonly until: string
        readonly seconds_left: number
        readonly by: "operator" | "pumping"
      }>
      /** Numbers that pass whatever the rules and blocks say. */
      readonly exceptions: number
      /** Of the last hour and day, by rule and account, of at most the newest 2,000 sends. */
      readonly trips: ReadonlyArray<{
        readonly rule: string
        readonly account_id: string
        readonly hour: {
          /** Sends that the rule has refused. */
          readonly refused: number
          /** Sends that it let through and would have refused, were its action deny. */
          readonly noted: number
        }
        readonly day: {
          /** Sends that the rule has refused. */
          readonly refused: number
          /** Sends that it let through and would have refused, were its action deny. */
          readonly noted: number
        }
      }>
      readonly refused_since: string
      readonly noted_since: string
      /** Numbers without their last four digits, by most unapproved verifications in the last hour. */
      readonly prefixes: ReadonlyArray<{
        readonly prefix: string
        readonly unverified: number
        readonly approved: number
      }>
      /** In force: those of the installation, and those of accounts that have their own. */
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
  /** Show the rules, blocks and exceptions of an account. */
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
  /** Send nothing to a prefix or a country for a time. */
  readonly "guard block": {
    readonly input: {
      /** First digits such as +2348, a country such as NG, or 001 for numbers of no country */
      readonly place: string
      readonly for: string
      /** For the sends of this account only; all accounts unless given */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly place: string
      readonly until: string
      readonly account_id: string | null
    }
  }
  /** Let a number pass rules and blocks, within wider limits by number. */
  readonly "guard allow": {
    readonly input: {
      /** A phone number in E.164 form, +49…, or as people type it */
      readonly number: string
      /** The country, by ISO 3166-1, in which a number without a calling code is dialled */
      readonly default_country?: string
      readonly for?: string
      /** For the sends of this account only; all accounts unless given */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly number: string
      readonly until: string | null
      readonly account_id: string | null
    }
  }
  /** Let a number pass blocks, countries and pumping for a day, within wider limits by number. */
  readonly "guard pass": {
    readonly input: {
      /** A phone number in E.164 form, +49…, or as people type it */
      readonly number: string
      /** The country, by ISO 3166-1, in which a number without a calling code is dialled */
      readonly default_country?: string
      /** For the sends of this account only; all accounts unless given */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly number: string
      readonly until: string | null
      readonly account_id: string | null
    }
  }
  /** List blocks, exceptions, and the accounts that have rules. */
  readonly "guard list": {
    readonly input: {
      /** For the sends of this account only; all accounts unless given */
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
  /** Take away a block, an exception, or the rules of an account. */
  readonly "guard remove": {
    readonly input: {
      /** A blocked prefix or country, a number that was allowed, or an account: its rules */
      readonly entry: string
      /** The country, by ISO 3166-1, in which a number without a calling code is dialled */
      readonly default_country?: string
      /** For the sends of this account only; all accounts unless given */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly removed: string
      readonly account_id: string | null
    }
  }
  /** Create an API key and show it, once. */
  readonly "key create": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
      /** A key that reaches no carrier and costs nothing */
      readonly sandbox?: boolean
      /**
       * What it may do, separated by commas; all unless given: call:send, call:read, call:report, sms:send, sms:read,
       * sms:report, chatgw:send, chatgw:read, chatgw:report, bizchat:send, bizchat:read, bizchat:report, verify:send,
       * verify:check, verify:read, verify:report, sandbox:read
       */
      readonly scopes?: ReadonlyArray<string>
      /** Addresses and CIDR ranges it may be used from, separated by commas */
      readonly allow?: ReadonlyArray<string>
      readonly expires?: string
    }
    readonly output: {
      readonly key_id: string
      readonly key: string
    }
  }
  /** Create a key with the rights of another one, and let that one end. */
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
  /** End an API key for good. */
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
        /** Its beginning and its last four characters, by which people recognise it. */
        readonly key: string
        readonly sandbox: boolean
        /** What it may do; null for everything. */
        readonly scopes: ReadonlyArray<string> | null
        /** Addresses and CIDR ranges that it may be used from; empty for anywhere. */
        readonly allow: ReadonlyArray<string>
        readonly created_at: string
        readonly expires_at: string | null
        readonly revoked_at: string | null
        /** Noted every five minutes. */
        readonly last_used_at: string | null
      }>
    }
  }
  /** Create a token for the operators' API and the console, and show it, once. */
  readonly "operator grant": {
    readonly input: {
      /** The person's name, as the operator's log has it */
      readonly name: string
      /** What it may do: support looks, operator also mends, admin also ends and erases */
      readonly role: "support" | "operator" | "admin"
      readonly for?: string
    }
    readonly output: {
      readonly id: string
      readonly token: string
      readonly expires_at: string
    }
  }
  /** List the tokens of operators, and sessions that links have opened. */
  readonly "operator list": {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly operators: ReadonlyArray<{
        readonly id: string
        readonly name: string
        readonly role: "support" | "operator" | "admin"
        /** A link signs a browser in once, within a minute. */
        readonly kind: "token" | "link"
        readonly created_at: string
        readonly expires_at: string
      }>
    }
  }
  /** End an operator's token, and the sessions that it has opened. */
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
  /** Show what operators have changed, a line of JSON each, the newest first. */
  readonly "operator log": {
    readonly input: {
      readonly since?: string
      /** Entries before this one, by its id: `next` of the last page */
      readonly before?: string
      /** How many, at most 200, which it is unless given */
      readonly limit?: number
    }
    readonly output: {
      readonly entries: ReadonlyArray<{
        readonly id: string
        readonly at: string
        readonly who: string
        /** Where it was run: api, console, command or program. */
        readonly by: string
        readonly command: string
        readonly input: unknown
        /** `done`, or the code of an error; null while it runs, and where its process ended before it did. */
        readonly outcome: string | null
        readonly before: unknown
        readonly output: unknown
      }>
      /** What the next page is before; null on the last page. */
      readonly next: string | null
    }
  }
  /** Print a link that signs a browser in to the console, once and within a minute. */
  readonly "console open": {
    readonly input: {
      /** Who signs in, as the operator's log has it; console unless given */
      readonly name?: string
      /** What the session may do; admin unless given */
      readonly role?: "support" | "operator" | "admin"
    }
    readonly output: {
      /** Of the session, which `operator revoke` ends. */
      readonly id: string
      readonly link: string
      readonly until: string
    }
  }
  /** Show the last hour beside the same hour a week ago, and what is wrong now. */
  readonly overview: {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly at: string
      /** Of the program; null where its host does not say. */
      readonly version: string | null
      /** The versions of the database and of the program; null where its host does not say. */
      readonly migrations: {
        readonly database: number
        readonly program: number
      } | null
      readonly since: string
      readonly channels: ReadonlyArray<{
        readonly channel: string
        readonly hour: {
          /** Without those that a guard has blocked. */
          readonly sent: number
          readonly delivered: number
          readonly failed: number
          /** The network has said nothing final of them. */
          readonly pending: number
          /** By a guard. */
          readonly blocked: number
        }
        readonly week_ago: {
          /** Without those that a guard has blocked. */
          readonly sent: number
          readonly delivered: number
          readonly failed: number
          /** The network has said nothing final of them. */
          readonly pending: number
          /** By a guard. */
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
          readonly blocked: number
        }
        readonly week_ago: {
          readonly started: number
          readonly approved: number
          readonly pending: number
          readonly expired: number
          readonly failed: number
          readonly canceled: number
          readonly blocked: number
        }
      }
      readonly problems: ReadonlyArray<{
        readonly kind: string
        readonly severity: "bad" | "warn"
        readonly text: string
        /** The page of the console that shows more. */
        readonly link: string
      }>
      /** That wait for webhooks, counted up to 10,000. */
      readonly events: {
        readonly pending: number
        readonly oldest: string | null
      }
      /** Sends of which it is not known whether the gateway took them, counted up to 1,000. */
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
      /** Whether there are more accounts than problems were looked for in: 500. */
      readonly truncated: boolean
    }
  }
  /** List the processes that serve, and their leases. */
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
  /** Show how long records and texts are kept. */
  readonly "retention show": {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly records: string | null
      readonly texts: string | null
    }
  }
  /** Set how long records and texts are kept; running servers follow within minutes. */
  readonly "retention set": {
    readonly input: {
      readonly records?: string | null
      readonly texts?: string | null
    }
    readonly output: {
      readonly records: string | null
      readonly texts: string | null
    }
  }
  /** Set the routes of an account among the carriers. */
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
  /** Take the routes of an account away. */
  readonly "route remove": {
    readonly input: {
      /** The account's id, acc_… */
      readonly account_id: string
    }
    readonly output: {
      readonly account_id: string
    }
  }
  /** Show the settings of the server that is asked, or else of this command, without secrets. */
  readonly settings: {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly settings: ReadonlyArray<{
        readonly name: string
        /** Null where it is not set, and where it is a secret. */
        readonly value: string | null
        /** What holds where it is not set; empty for nothing. */
        readonly usual: string
        /** Whether it is set. */
        readonly set: boolean
      }>
    }
  }
  /** Set a text of verifications in one language. */
  readonly "template set": {
    readonly input: {
      /** The name that clients use; default is the one of clients that name none */
      readonly name: string
      /** The language of the text, such as de or pt-BR */
      readonly locale: string
      /** The text, with {{code}}, and {{brand}}, {{minutes}} or variables of clients where wanted */
      readonly text: string
      /** The account's id, acc_…; all accounts unless given */
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
      /** The name that clients use; default is the one of clients that name none */
      readonly name: string
      /** The language of the text, such as de or pt-BR */
      readonly locale: string
      /** The account's id, acc_…; all accounts unless given */
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
  /** List the texts that were set, of an account or for all of them. */
  readonly "template list": {
    readonly input: {
      /** The account's id, acc_…; all accounts unless given */
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
  /** Take a text of verifications away. */
  readonly "template remove": {
    readonly input: {
      /** The name that clients use; default is the one of clients that name none */
      readonly name: string
      /** The language of the text, such as de or pt-BR */
      readonly locale: string
      /** The account's id, acc_…; all accounts unless given */
      readonly account_id?: string | null
    }
    readonly output: {
      readonly account_id: string | null
      readonly name: string
      readonly locale: string
      readonly removed: boolean
    }
  }
  /** List verifications of all accounts, the newest first. */
  readonly "verification list": {
    readonly input: {
      /** Of this account only, acc_… */
      readonly account_id?: string
      /** live or sandbox; both unless given */
      readonly mode?: "live" | "sandbox"
      /** Those with this status */
      readonly status?: VerificationStatus
      /** Those to numbers of this country */
      readonly country?: string
      readonly since?: string
      readonly until?: string
      /** The most that are shown, up to 100; 50 unless given */
      readonly limit?: number
      /** Those behind this one: the next of the page before */
      readonly after?: string
    }
    readonly output: {
      readonly verifications: ReadonlyArray<{
        readonly id: string
        readonly account_id: string
        readonly mode: "live" | "sandbox"
        /** The number as it is stored: `erased` once its person was. */
        readonly to: string
        readonly country: string | null
        readonly purpose: string
        readonly status: VerificationStatus
        readonly reason: string | null
        /** Of its current step. */
        readonly channel: string
        readonly step: number
        /** How many sends it had. */
        readonly sends: number
        /** The guard's rules that blocked it, or would have. */
        readonly guard_reasons: string | null
        readonly client_ref: string | null
        readonly created_at: string
        readonly updated_at: string
        readonly expires_at: string
      }>
      /** The --after of the rest; null at the end. A page may have fewer verifications than its limit, and a rest. */
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
      /** The number as it is stored: `erased` once its person was. */
      readonly to: string
      readonly country: string | null
      readonly purpose: string
      readonly status: VerificationStatus
      readonly reason: string | null
      /** Of its current step. */
      readonly channel: string
      readonly step: number
      /** How many sends it had. */
      readonly sends: number
      /** The guard's rules that blocked it, or would have. */
      readonly guard_reasons: string | null
      readonly client_ref: string | null
      readonly created_at: string
      readonly updated_at: string
      readonly expires_at: string
      /** Its sends, in their order. */
      readonly attempts: ReadonlyArray<{
        readonly delivery_id: string | null
        readonly channel: string
        readonly status: string
        readonly reason: string | null
        readonly at: string
        /** EUR. */
        readonly price: number
      }>
      /** EUR of all its sends. */
      readonly price: number
      /** Its next step, by time-out. */
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
  /** End a pending verification; servers take back what was sent of it. */
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
  /** Have events posted to an address. */
  readonly "webhook add": {
    readonly input: {
      /** For the events of this account only; of all accounts unless given */
      readonly account_id?: string | null
      /** Where events are posted to, https://… */
      readonly url: string
      /** Types and patterns such as verification.*,delivery.updated; all unless given */
      readonly events?: ReadonlyArray<string>
      /** Also a private address, where the servers alone have WEBHOOK_ALLOW_PRIVATE */
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
  /** List webhooks, what waits for them, and what they answered last. */
  readonly "webhook list": {
    readonly input: {
      /** For the events of this account only; of all accounts unless given */
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
        /** Requests that may be under way at once. */
        readonly concurrency: number
        /** The most events of a request; null where each has its own. */
        readonly batch: number | null
        /** Events that are not tried any more, of the last week. */
        readonly failed: number
        readonly last_answer: {
          readonly answer: string
          readonly at: string
        } | null
        /** Since when it has taken no event; null while all is well. */
        readonly failing_since: string | null
        /** Why no events are sent to it: it has answered 410 (`gone`), or has failed for five days. */
        readonly disabled: "gone" | "failing" | null
      }>
    }
  }
  /** Set how many requests of a webhook are under way at once, and how many events one carries. */
  readonly "webhook throughput": {
    readonly input: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      /** Requests under way at once, 1 to 64; 8 unless set */
      readonly concurrency?: number | null
      /** The most events of a request, 1 to 100, whose body is a list then; each has its own request unless set */
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
  /** Give a webhook a new secret; the old one works beside it for a day. */
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
  /** Send events to a webhook again that was disabled. */
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
  /** Have a running server post the event webhook.test, and show the answer. */
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
  /** Send events again that happened since a time. */
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
  /** Set the balance below which webhooks get balance.low. */
  readonly "webhook low-balance": {
    readonly input: {
      /** The account's id, acc_…, or all for what holds for all accounts */
      readonly account_id: string | null
      /** The available balance, in EUR, below which an account has balance.low; - for none */
      readonly euros: string | number | null
    }
    readonly output: {
      readonly account_id: string | null
      readonly euros: number | null
    }
  }
  /** Show the events of a webhook, what was tried, and what it answered last. */
  readonly "webhook events": {
    readonly input: {
      /** The webhook's id, whk_… */
      readonly webhook_id: string
      /** pending, sent or failed; pending unless given */
      readonly state?: "pending" | "sent" | "failed"
      /** The most that are shown, up to 100; 50 unless given */
      readonly limit?: number
    }
    readonly output: {
      /** Pending ones the soonest due first, others the last answered first. */
      readonly events: ReadonlyArray<{
        readonly id: string
        readonly account_id: string
        readonly mode: "live" | "sandbox"
        /** Whether it is of a record, or another one. */
        readonly kind: "delivery" | "balance_low" | "test"
        readonly channel: string | null
        /** The record that it is about. */
        readonly delivery_id: string | null
        /** Of the record, as it was then. */
        readonly status: string | null
        readonly at: string
        readonly state: "pending" | "sent" | "failed"
        /** How often it was tried. */
        readonly attempts: number
        readonly last_answer: {
          readonly answer: string
          readonly at: string
        } | null
        /** When it is tried next; null unless it is pending. */
        readonly next_at: string | null
      }>
    }
  }
  /** Send one event again, whatever became of it. */
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
      /** The country, by ISO 3166-1, in which a number without a calling code is dialled */
      readonly default_country?: string
      readonly since?: string
    }
    readonly output: {
      readonly number: string
      readonly since: string
      /** The newest last. */
      readonly items: ReadonlyArray<{
        readonly id: string
        readonly account: string
        /** What people call the account. */
        readonly name: string
        readonly mode: "live" | "sandbox"
        readonly channel: string
        /** When it was asked for, ISO 8601. */
        readonly at: string
        readonly status: string
        /** Seconds from the request until the status moved last. */
        readonly took: number
        /** The verification whose code it sends. */
        readonly verification: string | null
        /** What happened, in its order. */
        readonly lines: ReadonlyArray<string>
      }>
      /** Whether older ones were left out. */
      readonly truncated: boolean
      /** The likely reason why the last code did not arrive. */
      readonly reason: string
      readonly remedy: string
    }
  }
  /** Show sends, their outcomes, costs and prices, by hour, account, channel, carrier or country. */
  readonly traffic: {
    readonly input: {
      readonly since?: string
      /** The figures of this account alone */
      readonly account_id?: string
      /** What to keep apart: some of hour, account, channel, carrier, country; channel,carrier,country unless given */
      readonly by?: ReadonlyArray<"hour" | "account" | "channel" | "carrier" | "country">
      /** Show sends of the sandbox, and not the live ones */
      readonly sandbox?: boolean
    }
    readonly output: {
      readonly since: string
      readonly until: string
      readonly rows: ReadonlyArray<{
        readonly hour?: string
        /** The account. */
        readonly account_id?: string
        /** The channel, or what is sold on it. */
        readonly channel?: string
        /** The carrier; empty for a send that no carrier was asked for. */
        readonly carrier?: string
        /** ISO 3166-1 alpha-2; empty for a number of no country. */
        readonly country?: string
        readonly sent: number
        readonly delivered: number
        readonly failed: number
        readonly approved: number
        readonly expired: number
        readonly blocked: number
        /** EUR that carriers ask for. */
        readonly cost: number
        /** EUR that accounts have paid. */
        readonly price: number
        /** Seconds until a receipt, of half of the deliveries and of 95 of 100. */
        readonly delay: {
          readonly p50: number | null
          readonly p95: number | null
        }
      }>
    }
  }
  /** Count the hours that have ended again from the records. */
  readonly "traffic rebuild": {
    readonly input: {
      readonly since: string
    }
    readonly output: {
      readonly since: string
      readonly until: string
      readonly records: number
      /** Rows that were not as the records have it. */
      readonly corrected: number
    }
  }
  /** Show what a carrier may charge for a month, by day and prefix, or how that differs from its own file. */
  readonly invoice: {
    readonly input: {
      /** The carrier's name; that of the channel for a carrier without one */
      readonly carrier: string
      /** The month, in UTC */
      readonly month: string
      /** Print CSV */
      readonly csv?: boolean
      /** The carrier's file, CSV with a column message_id: name the messages that differ */
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
      /** Messages whose outcome is not known. */
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
}
