/**
 * Facts about the user whom a code is for, as a client knows them. Guards count by them; none is sent to a gateway.
 */
import * as Schema from "effect/Schema"
import { parse } from "./IpAddress.ts"
import { shortText } from "./internal/shortText.ts"

/** The address of the user's own device, IPv4 or IPv6. */
export const ClientIp = Schema.String.check(
  Schema.makeFilter((text) =>
    parse(text) === null ? "must be an IP address, such as 192.0.2.7 or 2001:db8::7" : undefined
  )
)

/** The client's own name for the user or the session. */
export const ClientRef = shortText(1, 100)

/** The fields of a body. `trusted` users, such as those with an account, are counted apart from the others. */
export const clientFacts = {
  client_ip: Schema.optionalKey(ClientIp.annotate({ description: "The address of the user's device, for guards." })),
  client_ref: Schema.optionalKey(
    ClientRef.annotate({ description: "The client's name for the user or the session, for guards." })
  ),
  trusted: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Whether the client knows the user; guards count such sends apart." })
  )
}

/** The same of a decoded body. */
export interface ClientFacts {
  readonly client_ip?: string
  readonly client_ref?: string
  readonly trusted?: boolean
}
