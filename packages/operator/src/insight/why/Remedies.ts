/**
 * What an operator does about each likely reason. docs/operators/monitoring.md has the same table.
 */
export const remedies = {
  nothing:
    "look in the app's own log: the request did not come, or was answered 401, 402, 403 or 400, which leave no record",
  blocked: "guard show and guard list name the rule; guard allow NUMBER excepts the number: docs/attacks.md",
  unpaid: "account show, then account credit",
  unrecorded: "the word in brackets says for what the send was refused before it had a record; a new verification",
  unsent: "look again in a minute, when another process has carried it on; then a new verification",
  pending: "look again in a minute",
  unknown:
    "the price stays held until a receipt or a day has passed; /readyz says whether the gateway is up; a new verification",
  rejected: "the gateway refused: the line says for what; a wrong sender or a closed route is for the carrier",
  refusedNumber:
    "the number is not valid there, or not in use: have the user look at what was typed; another channel would hardly reach it",
  refusedService:
    "the operator's own settings or account: the log names the carrier's status and the option to try: docs/sms.md",
  noRoute:
    "carrier list says which carriers are down, rest or are drained; carrier resume, or another carrier in the route: docs/routes.md",
  unreachable: "put another channel behind it in the workflow",
  undelivered:
    "027 absent subscriber: the phone is off; 001 unknown subscriber: the number is not in use; 032: often its memory is " +
    "full. Carriers may have codes of their own",
  sent: "the network has not said yet; after minutes, ask the carrier by the time and the number",
  arrived: "the text is in another folder, or the person looks at another phone",
  wrong: "a new verification",
  approved: "nothing: look at what the app did with the answer",
  test: "its code is fixed: account test-number list"
} as const

/** A reason, and what to do about it. */
export interface Likely {
  /** In plain words, without a stop at its end. */
  readonly reason: string
  readonly remedy: string
}

/** @param reason words of others among them may end with a stop */
export const likely = (kind: keyof typeof remedies, reason: string): Likely => ({
  reason: reason.replace(/\.$/, ""),
  remedy: remedies[kind]
})
