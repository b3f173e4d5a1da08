/**
 * A list query as a store takes it: already checked, in the store's own terms.
 */

/** A value that a record's field can hold. */
export type Scalar = string | number | boolean | null

/** One condition on one field. A record must meet all conditions of a query. */
export type Condition<Name extends string = string> =
  /** The field has one of the values. Without values no record meets it. */
  | { readonly _tag: "In"; readonly field: Name; readonly values: ReadonlyArray<Scalar> }
  /** The field has a value, and that lies within the bounds. */
  | {
      readonly _tag: "Range"
      readonly field: Name
      readonly gte?: string | number
      readonly gt?: string | number
      readonly lte?: string | number
      readonly lt?: string | number
    }

export interface Query<Name extends string = string> {
  readonly where: ReadonlyArray<Condition<Name>>
  readonly sort: { readonly field: Name; readonly direction: "ASC" | "DESC" }
  readonly offset: number
  readonly limit: number
}
