/** What each rule says. */
export const rules = {
  balance: "The balance of an account is the sum of its entries.",
  "not-negative": "An account's available and held amounts are never below zero.",
  "entry-place": "Credits and debits have no delivery, and all other entries have one.",
  "entry-delivery": "An entry's delivery exists, unless it was deleted by retention, and belongs to the same account.",
  "entries-of-phase":
    "A priced delivery has the entries of its phase, once and in order, and a free delivery has no entries.",
  "entry-amount": "The entries of a delivery move exactly its price.",
  "ref-delivery": "A ref's delivery exists and belongs to the same channel.",
  "send-verification": "A send's verification exists, unless it was deleted by retention.",
  "send-once": "Each send of a verification is the delivery with that number in its plan.",
  budget: "A verification has no more sends than its limit, and no budget is below zero.",
  "due-time":
    "A pending verification has a due time; a blocked verification, and a delivery without further steps, has no due time.",
  "event-delivery":
    "An event's delivery exists, unless it was deleted by retention, and belongs to the same account and mode.",
  "event-once":
    "An endpoint gets an event for each version of a delivery exactly once, and for no version that does not exist."
} as const

export type Rule = keyof typeof rules

/** A row that breaks a rule. */
export interface Violation {
  readonly rule: Rule
  /** The id of the row: of an account, an entry, a delivery or an event. */
  readonly id: string
  readonly message: string
}

export const violation = (rule: Rule, id: string, message: string): Violation => ({ rule, id, message })
