/**
 * The events that the chat gateway posts to a callback URL.
 */

/** How the code was entered. Values that a later version of the gateway adds come through as they are. */
export type VerificationState =
  | "code_valid"
  | "code_invalid"
  | "code_max_attempts_exceeded"
  | "expired"
  | (string & Record<never, never>)

/** How far the message got. */
export type DeliveryState = "sent" | "delivered" | "read" | "expired" | "revoked" | (string & Record<never, never>)

/**
 * One event. Only `request_id` is always there.
 *
 * The gateway repeats an event until it is answered 200; `request_id`, the status and its `updated_at`
 * together tell a repeat from news.
 */
export interface CallbackEvent {
  /** The gateway's request id, as the send answered it. */
  readonly request_id: string
  readonly phone_number?: string
  readonly status?: VerificationState
  readonly verification_status?: {
    readonly status: VerificationState
    /** Unix seconds. */
    readonly updated_at: number
    readonly code_entered?: string
  }
  readonly delivery_status?: {
    readonly status: DeliveryState
    /** Unix seconds. */
    readonly updated_at: number
  }
  /** The request's price and the gateway account's balance, in the gateway's currency. */
  readonly request_cost?: number
  readonly is_refunded?: boolean
  readonly remaining_balance?: number
  /** The payload that the sender attached to the request. */
  readonly payload?: string
}
