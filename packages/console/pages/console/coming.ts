/** Commands that the list does not have yet. */
export interface Counts {
  readonly sent: number
  readonly delivered: number
  readonly failed: number
  readonly blocked: number
  readonly pending: number
}

interface Starts {
  readonly started: number
  readonly approved: number
  readonly pending: number
  readonly expired: number
  readonly failed: number
  readonly canceled: number
  readonly blocked: number
}

export interface Problem {
  readonly kind: string
  readonly severity: "bad" | "warn"
  readonly text: string
  readonly link: string
}

export interface Delivery {
  readonly id: string
  readonly account_id: string
  readonly mode: "live" | "sandbox"
  readonly channel: string
  readonly to: string
  readonly status: string
  readonly reason: string | null
  readonly phase: string
  readonly carrier: string | null
  readonly price: number
  readonly verification_id: string | null
  readonly created_at: string
  readonly updated_at: string
}

interface Filter {
  readonly account_id?: string
  readonly mode?: string
  readonly channel?: string
  readonly status?: string
  readonly since?: string
  readonly until?: string
  readonly after?: string
  readonly limit?: number
}

export interface Coming {
  readonly overview: {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly at: string
      readonly version: string | null
      readonly migrations: { readonly database: number; readonly program: number } | null
      readonly since: string
      readonly channels: ReadonlyArray<{ readonly channel: string; readonly hour: Counts; readonly week_ago: Counts }>
      readonly verifications: { readonly hour: Starts; readonly week_ago: Starts }
      readonly problems: ReadonlyArray<Problem>
      readonly events: { readonly pending: number; readonly oldest: string | null }
      readonly unknown: { readonly count: number; readonly oldest: string | null }
      readonly low_balances: ReadonlyArray<{
        readonly account_id: string
        readonly name: string
        readonly available: number
        readonly threshold: number
      }>
      readonly truncated: boolean
    }
  }
  readonly "delivery list": {
    readonly input: Filter
    readonly output: { readonly deliveries: ReadonlyArray<Delivery>; readonly next: string | null }
  }
  readonly "verification list": {
    readonly input: Filter
    readonly output: {
      readonly verifications: ReadonlyArray<{
        readonly id: string
        readonly account_id: string
        readonly mode: "live" | "sandbox"
        readonly to: string
        readonly status: string
        readonly reason: string | null
        readonly country: string | null
        readonly purpose: string
        readonly channel: string
        readonly step: number
        readonly sends: number
        readonly guard_reasons: string | null
        readonly client_ref: string | null
        readonly created_at: string
        readonly updated_at: string
        readonly expires_at: string
      }>
      readonly next: string | null
    }
  }
  readonly "verification cancel": {
    readonly input: { readonly id: string }
    readonly output: { readonly id: string; readonly status: string }
  }
}
