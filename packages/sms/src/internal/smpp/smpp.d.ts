// The types that the package `smpp` lacks, of its definitions.
declare module "smpp/lib/defs.js" {
  type Value = number | string | Buffer

  /** How a field is laid out. `write` and `read` do not look at the length of the frame. */
  export interface Type {
    read(frame: Buffer, offset: number, length?: number): Value
    write(value: Value, frame: Buffer, offset: number): void
    size(value: Value): number
    readonly default: Value
  }

  export const types: Readonly<Record<"int8" | "int16" | "int32" | "cstring" | "buffer", Type>>

  /** PDUs by name, with the body's fields in order. */
  export const commands: Readonly<
    Record<string, { readonly id: number; readonly params?: Readonly<Record<string, { readonly type: Type }>> }>
  >

  /** Optional parameters by their names. */
  export const tlvs: Readonly<Record<string, { readonly id: number; readonly type: Type }>>

  /** Command statuses by their names. */
  export const errors: Readonly<Record<string, number>>
}
