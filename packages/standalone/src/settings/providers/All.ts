/**
 * The providers of SMS with an HTTP API by their names, as settings and the file of carriers have them.
 */
import { type RoutesError, fault } from "@watchword/send/routes"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { Parse } from "../Reading.ts"
import { providers } from "./List.ts"
import type { Provider, SmsHttp } from "./Provider.ts"

export { providers } from "./List.ts"

/** Names or the like in a sentence: "a, b or c". */
export const either = (each: ReadonlyArray<string>): string => `${each.slice(0, -1).join(", ")} or ${each.at(-1)}`

const names = either(providers.map(({ name }) => name))

/** The end of the sentence "SMS_HTTP_PROVIDER must be …". */
export const named: Parse<Provider> = (value) => {
  const provider = providers.find(({ name }) => name === value)
  return provider === undefined ? Result.fail(`must be ${names}`) : Result.succeed(provider)
}

/** The values that the file of carriers may have for a carrier's messages. */
export const MUST = `an SMPP URL, or ${either(providers.map(({ name }) => `{"${name}": {…}}`))}`

/** @param json such as `{"twilio": {"accountSid": "AC…", "authToken": "…"}}`, with its secrets */
export const ofJson = (json: unknown, path: string): Result.Result<SmsHttp, RoutesError> => {
  const [entry, ...others] = Predicate.isObject(json) ? Object.entries(json) : []
  if (entry === undefined || others.length > 0) return fault(path, `must be ${MUST}`)
  const [name, options] = entry
  const provider = providers.find((each) => each.name === name)
  if (provider === undefined) return fault(`${path}.${name}`, `is no provider; use ${names}`)
  return provider.ofJson(options, `${path}.${name}`)
}
