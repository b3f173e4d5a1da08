/**
 * The scripted chat gateway: sends codes, checks them, takes them back.
 */
import {
  ChatgwGateway,
  type CodeMessage,
  type DeliveryState,
  type Probe,
  type RequestStatus,
  type VerificationState
} from "@watchword/chatgw/ChatgwGateway"
import { type Gateway, EventHub } from "@watchword/send/gateway"
import { NotFound } from "@watchword/schemas/Errors"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Network } from "../Network.ts"
import { failures, take, unanswered } from "./taking.ts"

const MOST_WRONG_CODES = 3

interface Request {
  readonly id: string
  readonly code: string
  readonly expiresAt: number
  wrongCodes: number
  delivery: { readonly status: DeliveryState; readonly updatedAt: number }
  verification: { readonly status: VerificationState; readonly updatedAt: number } | null
  isRefunded: boolean
}

export const chatgw = (network: Network): Gateway<ChatgwGateway> =>
  Layer.sync(ChatgwGateway, () => {
    const hub = new EventHub<RequestStatus, StoreError>()
    const requests = new Map<string, Request>()
    let probes = 0
    const since = <S extends string>(status: S) => ({ status, updatedAt: Math.floor(network.now() / 1000) })

    const find = (id: string) =>
      Effect.suspend(() => {
        const request = requests.get(id)
        if (request === undefined) return Effect.fail(new NotFound({ message: "The gateway knows no such request." }))
        expire(request)
        return Effect.succeed(request)
      })

    const expire = (request: Request): void => {
      if (network.now() < request.expiresAt || isSettled(request)) return
      request.verification = since("expired")
      if (isUnread(request)) request.delivery = since("expired")
    }

    const enter = (request: Request, code: string): void => {
      if (isSettled(request)) return
      request.delivery = since("read")
      if (code === request.code) request.verification = since("code_valid")
      else {
        const isLast = ++request.wrongCodes >= MOST_WRONG_CODES
        request.verification = since(isLast ? "code_max_attempts_exceeded" : "code_invalid")
      }
    }

    const send = ({ code, delivery, requestId, senderUsername, to, ttl }: CodeMessage) =>
      take(network, "chatgw", { delivery, to, from: senderUsername }, () => {
        const id = requestId ?? `kit-${delivery}`
        const request: Request = {
          id,
          code: Redacted.value(code),
          expiresAt: network.now() + ttl * 1000,
          wrongCodes: 0,
          delivery: since("sent"),
          verification: null,
          isRefunded: false
        }
        requests.set(id, request)
        const publish = Effect.suspend(() => hub.publish(statusOf(request)))
        network.later(
          ttl * 1000,
          Effect.suspend(() => {
            expire(request)
            return publish
          })
        )
        const receipt = (arrived: boolean) =>
          Effect.suspend(() => {
            if (request.delivery.status === "sent") request.delivery = since(arrived ? "delivered" : "failed")
            return publish
          })
        return { refs: [id], details: { request_id: id }, receipt }
      })

    const probe = (to: E164): Probe => {
      const { outcome } = network.probe(to)
      switch (outcome) {
        case "no-account":
          return { _tag: "Unreachable" }
        case "refused":
        case "throttled":
        case "unreachable":
          return { _tag: "Rejected", failure: failures[outcome]() }
        case "unknown":
          return { _tag: "Unknown", failure: unanswered() }
        default:
          return { _tag: "Reachable", requestId: `kit-probe-${++probes}` }
      }
    }

    return {
      send: (message) => Effect.sync(() => send(message)),
      checkSendAbility: (to) => Effect.sync(() => probe(to)),
      checkVerificationStatus: (id, code) =>
        Effect.map(find(id), (request) => {
          if (code !== null) enter(request, Redacted.value(code))
          return statusOf(request)
        }),
      revoke: (id) =>
        Effect.map(find(id), (request) => {
          if (isUnread(request)) {
            request.delivery = since("revoked")
            request.isRefunded = true
          }
          return statusOf(request)
        }),
      events: (handle) => hub.subscribe(handle),
      health: Effect.succeed([]),
      webhook: null
    }
  })

const isUnread = ({ delivery: { status } }: Request): boolean => status === "sent" || status === "delivered"

/** Whether no code changes the request any more. */
const isSettled = ({ delivery, verification }: Request): boolean =>
  delivery.status === "revoked" || (verification !== null && verification.status !== "code_invalid")

const statusOf = ({ delivery, id, isRefunded, verification }: Request): RequestStatus => ({
  requestId: id,
  of: null,
  delivery,
  verification,
  isRefunded
})
