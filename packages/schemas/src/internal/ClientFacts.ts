/**
 * Facts about the user whom a code is for, as a client knows them. Guards count by them; none is sent to a gateway.
 */
import * as Schema from "effect/Schema"
import { parse } from "../IpAddress.ts"
import { named, optional, personal } from "../Field.ts"
import { shortText } from "./shortText.ts"

/** The address of the user's own device, IPv4 or IPv6. */
const ClientIp = Schema.String.check(
  Schema.makeFilter((text) =>
    parse(text) === null ? "must be an IP address, such as 192.0.2.7 or 2001:db8::7" : undefined
  )
)

/** The client's own name for the user or the session. */
const ClientRef = shortText(1, 100)

/** The fields of a body. `trusted` users, such as users with an account, are counted separately from others. */
export const clientFacts = {
  client_ip: personal(optional(ClientIp, "The address of the user's device, IPv4 or IPv6, by which guards count."), {
    client_ip: null
  }),
  client_ref: personal(
    optional(ClientRef, "Your own name for the user or the session, of 1 to 100 characters, by which guards count."),
    { client_ref: null }
  ),
  trusted: optional(Schema.Boolean, "Whether you know the user; guards count such sends apart.")
}

/** The same fields as a schema of their own. */
export const ClientFacts = Schema.Struct(clientFacts).annotate({
  ...named("ClientFacts"),
  description: "Facts about the user whom a code is for, which guards count by. None is sent to a gateway."
})
export type ClientFacts = typeof ClientFacts.Type
