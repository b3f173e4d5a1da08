import { CallbackSignatureError, type CallbackSignatureErrorCode } from "./CallbackSignatureError.ts"

/** Headers of a request, their names in any case: the web's `Headers` or an object like Node's `request.headers`. */
export type CallbackHeaders = Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export function check(condition: unknown, code: CallbackSignatureErrorCode): asserts condition {
  if (!condition) throw new CallbackSignatureError(code)
}

/** A header that is there more than once becomes a list, which is neither a timestamp nor a signature. */
export const headerOf = (headers: CallbackHeaders, name: string): string | null =>
  isHeaders(headers)
    ? headers.get(name)
    : Object.keys(headers)
        // Most names are distinguished by their length.
        .filter((key) => key.length === name.length && key.toLowerCase() === name.toLowerCase())
        .map((key) => headers[key])
        .join()

// Not instanceof: a runtime may have several implementations.
const isHeaders = (headers: CallbackHeaders): headers is Headers => typeof headers.get === "function"

export const decoder = new TextDecoder("utf-8", { fatal: true })
