/**
 * A problem that an operator should know of.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import type { Kind } from "./ProblemRules.ts"

/** The act of an operator that mends a problem: a command with some fields of its input. */
export type Act = { readonly label: string } & (
  | { readonly command: "account credit"; readonly input: { readonly account_id: AccountId } }
  | { readonly command: "carrier drain"; readonly input: { readonly carrier: string } }
  | { readonly command: "guard block"; readonly input: { readonly place: string; readonly for: string } }
  | { readonly command: "webhook enable"; readonly input: { readonly webhook_id: string } }
)

export interface Problem {
  readonly kind: Kind
  /** Its subject, such as a country or an id: with the kind it is the same for as long as the problem lasts. */
  readonly about: string
  readonly severity: "bad" | "warn"
  readonly text: string
  /** A page of the console by its hash. */
  readonly link: string
  /** Null if no command mends it. */
  readonly act: Act | null
}
