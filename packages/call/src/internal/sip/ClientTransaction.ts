/**
 * The client transaction of a request other than INVITE.
 *
 * Source: RFC 3261 §17.1.2.
 */
import type { Endpoint } from "./Endpoint.ts"
import type { Response } from "./Message.ts"
import { Retransmission } from "./Retransmission.ts"
import type { Stack } from "./Transactions.ts"

export interface Request {
  readonly method: string
  readonly branch: string
  /** Our host and port in Via. */
  readonly sentBy: string
  readonly text: string
  readonly endpoint: Endpoint
}

/** A final response, or none. */
export type Result =
  | Response
  /** The reason is null when the request timed out, otherwise it says why the request could not be sent. */
  | { readonly _tag: "NoResponse"; readonly reason: string | null }

/**
 * Sends a request until it has a final response.
 *
 * @param done is called once
 */
export const sendRequest = (
  stack: Stack,
  { branch, endpoint, method, sentBy, text }: Request,
  done: (result: Result) => void
): void => {
  const { transactions, values } = stack
  let isDone = false
  const end = (result: Result): void => {
    if (isDone) return
    isDone = true
    retransmission.stop()
    transactions.delete(method, branch)
    done(result)
  }
  const retransmission = new Retransmission(stack, text, endpoint, values.t2, {
    timedOut: () => end({ _tag: "NoResponse", reason: null }),
    unsent: (reason) => end({ _tag: "NoResponse", reason })
  })
  transactions.add(method, branch, {
    sentBy,
    receive: (response) => {
      if (response.status < 200) retransmission.slowDown()
      else end(response)
    }
  })
  retransmission.start()
}
