/**
 * A record of a live list: a send, or a verification.
 */
export interface Row {
  readonly id: string
  readonly account_id: string
  readonly mode: string
  readonly channel: string
  /** The carrier that took it, where its channel has several. */
  readonly carrier?: string | null
  readonly to: string
  readonly status: string
  readonly reason: string | null
  /** In EUR; verifications have no price of their own. */
  readonly price?: number
  readonly created_at: string
}

export interface Page {
  readonly rows: ReadonlyArray<Row>
  /** Where older ones begin; null if there may be none. */
  readonly next: string | null
}

/** Asks for a page of the filter's records: the newest, or those behind one. */
export type More = (page: { readonly after?: string; readonly limit: number }) => Promise<Page>
