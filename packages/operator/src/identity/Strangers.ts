/**
 * Requests that show a wrong token or link of an operator: counted, and logged with the addresses that most of them are from, as
 * wrong keys are.
 */
import { failedAttempts } from "@watchword/auth/Authenticator"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HostRequest } from "@watchword/server/Host"
import type { Clients } from "@watchword/server/http"

export interface Strangers {
  readonly note: (request: HostRequest, reason: string) => Effect.Effect<void>
}

export const make = (clients: Clients): Strangers => {
  const attempts = failedAttempts("requests failed to authenticate as an operator")
  return {
    note: (request, reason) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => attempts.note(clients.addressOf(request), now, reason))
  }
}
