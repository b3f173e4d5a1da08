/**
 * The facts of a request that the log of refused requests keeps: never a body, a code or a secret.
 */
import { errors } from "@watchword/schemas/Errors"
import { masked, parse } from "@watchword/schemas/PhoneNumber"
import * as Predicate from "effect/Predicate"
import type { ApiRequest } from "../../http/ApiRequest.ts"
import type { Clients } from "../../http/Clients.ts"
import type { Kind, Own } from "./Noted.ts"

/** Null for a request that is no customer's: a gateway's callback, and an address that nothing has. */
export const kindOf = (request: ApiRequest, status: number): Kind | null => {
  const { isCallback, keyRefusal, method, principal, refusal, route } = request
  if (isCallback || (route === "none" && principal === null)) return null
  return {
    account: principal?.account.id ?? null,
    mode: principal?.mode ?? null,
    operation: `${method} ${route}`,
    status,
    code: refusal?.code ?? codeOf(status),
    reason: refusal?.reason ?? (status === 401 ? keyRefusal : null)
  }
}

export const ownOf = (request: ApiRequest, clients: Clients): Own => {
  const client = clients.networkOf(request.host)
  return {
    key: request.principal?.key ?? null,
    requestId: request.requestId,
    client: client === "unknown" ? null : client,
    number: numberIn(request.body)
  }
}

/** The code of a door's refusal that no error of the service is behind. */
const codeOf = (status: number): string => codes.get(status) ?? (status < 500 ? "BAD_REQUEST" : "INTERNAL_SERVER_ERROR")

const codes: ReadonlyMap<number, string> = new Map(Object.entries(errors).map(([code, { status }]) => [status, code]))

/** The names that numbers have in bodies. */
const NUMBERS = ["to", "callee"] as const

/** Longer texts are no numbers. */
const LONGEST = 64

/** The number in a body, masked; null if there is no valid one. */
const numberIn = (body: unknown): string | null => {
  if (!Predicate.isObject(body)) return null
  const fields: Readonly<Record<string, unknown>> = { ...body }
  const country = fields["default_country"]
  for (const name of NUMBERS) {
    const text = fields[name]
    if (typeof text !== "string" || text.length > LONGEST) continue
    const { number } = parse(text, typeof country === "string" ? country : undefined)
    if (number !== null) return masked(number)
  }
  return null
}
