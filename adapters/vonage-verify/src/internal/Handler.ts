/**
 * Requests of Verify v2 from any host: credentials first, then the body, then the call.
 */
import type { HandlePromise, HostBody, HostRequest, HostResponse } from "@watchword/server/Host"
import { type Door, type DoorCaller, Unauthorized } from "watchword"
import * as Actions from "./Actions.ts"
import * as Bodies from "./Bodies.ts"
import { type Credentials, credentialsOf } from "./Credentials.ts"
import { failureResponse, problemResponse } from "./Problems.ts"
import { Refused } from "./Refused.ts"
import { type Call, callOf } from "./Routes.ts"
import * as Tokens from "./Tokens.ts"
import type { Verify } from "./Verifications.ts"

/** @param flashes whether steps of the channel `voice` are flash calls; they are refused otherwise */
export const make = (door: Door, verify: Verify, flashes: boolean): HandlePromise => {
  const actions = Actions.make(verify, ({ account, sandbox }) => door.admit({ account, sandbox }), flashes)

  const tokens = Tokens.make(door)

  const callerOf = async (request: HostRequest, credentials: Credentials | null): Promise<DoorCaller> => {
    if (credentials === null) throw new Unauthorized("The request has no credentials.")
    return credentials.by === "key"
      ? door.authenticate(request, credentials)
      : tokens.callerOf(credentials.token, request)
  }

  const perform = (call: Call, caller: DoorCaller, request: HostRequest, body: HostBody): Promise<HostResponse> => {
    const value = Bodies.valueOf(request, body)
    switch (call.name) {
      case "start":
        return actions.start(caller, value)
      case "check":
        return actions.check(caller, call.requestId, value)
      case "next":
        return actions.next(caller, call.requestId)
      case "cancel":
        return actions.cancel(caller, call.requestId)
      case "templates":
        throw new Refused("notFound", {
          detail: "Templates are not served here: the operator of the server sets them."
        })
      case "wrongVerb":
        throw new Refused("wrongVerb")
      case "unknown":
        throw new Refused("notFound")
    }
  }

  return door.handler({
    answer: async (request, route) => {
      const call = callOf(request)
      route(call.route)
      try {
        const caller = await callerOf(request, credentialsOf(request))
        return await door.withBody(request, caller, async (body) => perform(call, caller, request, body))
      } catch (error) {
        if (error instanceof Refused) return problemResponse(error.problem, crypto.randomUUID(), error.more)
        throw error
      }
    },
    failed: (error, request) => {
      const call = callOf(request)
      return failureResponse(error, crypto.randomUUID(), "requestId" in call ? call.requestId : null)
    }
  })
}
