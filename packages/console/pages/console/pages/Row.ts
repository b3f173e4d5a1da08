/**
 * A record of a live list: a send, or a verification.
 */
export interface Row {
  readonly id: string
  readonly account_id: string
  readonly mode: string
  readonly channel: string
  /** The carrier that accepted it, if its channel has several. */
  readonly carrier?: string | null
  readonly to: string
  readonly status: string
  readonly reason: string | null
  /** In EUR, of a send: the amount paid by the account, the carrier's cost, and the difference. */
  readonly price?: number
  readonly cost?: number | null
  readonly margin?: number | null
  readonly created_at: string
}

export interface Page {
  readonly rows: ReadonlyArray<Row>
  /** Where older rows begin; null at the end of the list. */
  readonly next: string | null
}

/** Requests a page of the records that match the filter: the newest records, or the records after one. */
export type More = (page: { readonly after?: string; readonly limit: number }) => Promise<Page>
