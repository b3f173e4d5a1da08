/**
 * Messages between a test and the processes that it starts, see `program.ts`.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import type { SendSms } from "@watchword/schemas/Sms"
import type { StartVerification } from "@watchword/schemas/Verification"

/** An operation of an account. */
export type Operation =
  | { readonly _tag: "send"; readonly body: typeof SendSms.Encoded }
  | { readonly _tag: "start"; readonly body: typeof StartVerification.Encoded }
  | { readonly _tag: "check"; readonly id: string; readonly body: { readonly code: string } }
  | { readonly _tag: "get"; readonly id: string }

/** The number leads from an answer to its operation. */
export type Asked = Operation & { readonly n: number; readonly account: AccountId }

export type Told =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Answered"; readonly n: number; readonly answer: unknown }
  | { readonly _tag: "Failed"; readonly n: number; readonly code: string }
  | { readonly _tag: "Sent"; readonly delivery: string; readonly to: string; readonly text: string }

export type Fate = "taken" | "silent"

/** Beginning of numbers that the gateway is slow for. */
export const SLOW = "+4915299"
