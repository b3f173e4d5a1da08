/**
 * All providers of SMS with an HTTP API, in the order of the table in the documents. Written by scripts/contract.ts.
 */
import { generic } from "./Generic.ts"
import { twilio } from "./Twilio.ts"
import { vonage } from "./Vonage.ts"
import type { Provider } from "./Provider.ts"

export const providers: ReadonlyArray<Provider> = [twilio, vonage, generic]
