/**
 * The part of a D1 binding that the store uses, without Cloudflare's types.
 *
 * Source: https://developers.cloudflare.com/d1/worker-api/
 */
export interface D1Database {
  readonly prepare: (sql: string) => D1Statement
  /** Runs statements in one transaction: all happen, or none. */
  readonly batch: (statements: Array<D1Statement>) => Promise<ReadonlyArray<D1Result>>
}

export interface D1Statement {
  readonly bind: (...values: Array<unknown>) => D1Statement
}

export interface D1Result {
  readonly results?: ReadonlyArray<unknown>
  readonly meta: { readonly changes?: number }
}
