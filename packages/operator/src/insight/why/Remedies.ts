/**
 * The operator's remedy for each likely reason. docs/operators/monitoring.md has the same table.
 */
export const remedies = {
  nothing:
    "watchword requests shows the requests that were refused: a request that is not there did not arrive, which the app's own log explains",
  blocked: "guard show and guard list name the rule; guard allow NUMBER exempts the number: docs/attacks.md",
  unpaid: "account show, then account credit",
  unrecorded: "the word in brackets is why the send was refused before it was recorded; start a new verification",
  unsent: "look again in a minute, when another process has continued it; then start a new verification",
  pending: "look again in a minute",
  unknown:
    "the price stays held until a receipt or a day has passed; /readyz says whether the gateway is up; start a new verification",
  rejected: "the gateway refused: the line says why; ask the carrier about a wrong sender or a closed route",
  refusedNumber:
    "the gateway says that the number is invalid or not in use: ask the user to check it; another channel is unlikely to reach it",
  refusedService:
    "the operator's own settings or account: the log names the carrier's status and the option to try: docs/sms.md",
  noRoute:
    "carrier list says which carriers are down, paused or drained; use carrier resume, or add another carrier to the route: docs/routes.md",
  unreachable: "add another channel after it in the workflow",
  undelivered:
    "027 absent subscriber: the phone is off; 001 unknown subscriber: the number is not in use; 032: often its memory is " +
    "full. Carriers may have codes of their own",
  sent: "the network has not reported yet; after a few minutes, ask the carrier, giving the time and the number",
  arrived: "the text is in another folder, or the user is looking at another phone",
  wrong: "start a new verification",
  approved: "nothing: check what the app did with the answer",
  test: "its code is fixed; account test-number list shows it"
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
