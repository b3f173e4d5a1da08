/**
 * Refusals of a trunk that say that our settings are wrong: it refuses every number in the same way.
 *
 * One refusal may be about one number or one caller id. The same status for several numbers in a row, with no call in
 * between that got further, is about the trunk's options, and what to try depends on the status.
 */

/** To how many numbers in a row a trunk refuses calls before its settings are to blame. */
const SEVERAL = 3

/**
 * The operator's remedies by status. Source: RFC 3261 §21.4.2, §21.4.4, §21.4.8; RFC 3325; RFC 5079; RFC 8224.
 */
const advice = new Map<number, string>([
  [401, "the user and the password of the URL"],
  [402, "the balance of the account at the trunk"],
  [
    403,
    ";from=account, with ;identity=preferred or ;identity=asserted; ;plus=no or ;plus=national; ;domain=; whether the trunk's " +
      "account may call from these numbers, from this address and abroad"
  ],
  [404, ";plus=no or ;plus=national; ;phone=no; ;domain="],
  [407, "the user and the password of the URL"],
  [428, "a trunk that signs calls (STIR)"],
  [429, "a trunk that signs calls (STIR)"],
  [433, "the URL without ;privacy=id"],
  [436, "a trunk that signs calls (STIR)"],
  [437, "a trunk that signs calls (STIR)"],
  [438, "a trunk that signs calls (STIR)"],
  [484, ";plus=no or ;plus=national; ;phone=no"],
  [488, ";media=inactive or ;media=sendrecv"],
  [606, ";media=inactive or ;media=sendrecv"]
])

/** What to try where a trunk answers with a status; null if it says nothing about settings. */
export const adviceFor = (status: number): string | null => advice.get(status) ?? null

export class Refusals {
  private status = 0
  private readonly numbers = new Set<string>()

  /** Whether every number is refused, according to the latest calls. */
  get isOfAll(): boolean {
    return this.numbers.size >= SEVERAL
  }

  /**
   * Records the status of a call that failed. A status that is not about settings means that the call got further.
   *
   * @returns whether every number is refused since this call
   */
  refused(status: number, number: string): boolean {
    if (status !== this.status || adviceFor(status) === null) this.took()
    this.status = status
    if (adviceFor(status) === null || this.isOfAll) return false
    this.numbers.add(number)
    return this.isOfAll
  }

  /** Records a call that got further. */
  took(): void {
    if (this.numbers.size > 0) this.numbers.clear()
  }
}
