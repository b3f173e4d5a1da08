/**
 * A list query as a store takes it: already checked, in the store's own terms.
 */

/** A value that a record's field can hold. */
export type Scalar = string | number | boolean | null

/** One condition on one field. A record must meet all conditions of a query. */
export type Condition =
  | { readonly _tag: "In"; readonly field: string; readonly values: ReadonlyArray<Scalar> }
  | {
      readonly _tag: "Range"
      readonly field: string
      readonly gte?: string | number
      readonly gt?: string | number
      readonly lte?: string | number
      readonly lt?: string | number
    }

export interface Query {
  readonly where: ReadonlyArray<Condition>
  readonly sort: { readonly field: string; readonly direction: "ASC" | "DESC" }
  readonly offset: number
  readonly limit: number
}
