/**
 * The operator's remedy for each likely reason, with the words of two faces: the command line names its commands, and
 * the console its own buttons and pages. docs/operators/monitoring.md has the table of the command line.
 */

/** Sentences without their stops. */
interface Remedy {
  /** On the command line. */
  readonly command: string
  /**
   * In the console: `[label](#/page)` is a link, `[label](guard pass)` a button that starts a command for the number,
   * and ACCOUNT in a link the id of the account.
   */
  readonly console: string
}

/** A remedy that names no command. */
const onBoth = (words: string): Remedy => ({ command: words, console: words })

export const remedies = {
  nothing: {
    command:
      "watchword requests shows the requests that were refused: a request that is not there did not arrive, which the app's own log explains",
    console:
      "[Requests](#/requests) shows the requests that were refused: a request that is not there did not arrive, which the " +
      "app's own log explains"
  },
  blocked: {
    command: "guard show and guard list name the rule; guard allow NUMBER exempts the number: docs/attacks.md",
    console:
      "[exempt this number for a day](guard pass), or change what refused it: blocks are on [Guards](#/guards), limits and " +
      "countries among the rules of [the account](#/accounts/ACCOUNT)"
  },
  unpaid: {
    command: "account show, then account credit",
    console:
      "[the account's page](#/accounts/ACCOUNT) has its balance and what sends in progress hold of it; it needs a credit"
  },
  unrecorded: onBoth(
    "the word in brackets is why the send was refused before it was recorded; start a new verification"
  ),
  unsent: {
    command: "look again in a minute, when another process has continued it; then start a new verification",
    console: "refresh in a minute, when another process has continued it; then start a new verification"
  },
  awaited: onBoth(
    "ask whether the phone shows the text as sent or the call as refused; the app can offer a code instead, with next"
  ),
  acted: onBoth("offer the user a code instead, with next, or start a new verification"),
  pending: { command: "look again in a minute", console: "refresh in a minute" },
  unknown: {
    command:
      "the price stays held until a receipt or a day has passed; /readyz says whether the gateway is up; start a new verification",
    console:
      "the price stays held until a receipt or a day has passed; [Connections](#/connections) says which carriers are up; " +
      "start a new verification"
  },
  rejected: onBoth("the gateway refused: the line says why; ask the carrier about a wrong sender or a closed route"),
  refusedNumber: onBoth(
    "the gateway says that the number is invalid or not in use: ask the user to check it; another channel is unlikely to reach it"
  ),
  refusedService: {
    command:
      "the operator's own settings or account: the log names the carrier's status and the option to try: docs/sms.md",
    console:
      "the operator's own settings or account at the carrier: [Connections](#/connections) has the carrier's last refusal, " +
      "and the server's log the option to try"
  },
  noRoute: {
    command:
      "carrier list says which carriers are down, paused or drained; use carrier resume, or add another carrier to the route: docs/routes.md",
    console:
      "[Connections](#/connections) says which carriers are down, paused or drained: resume one there, or add another " +
      "carrier to the route"
  },
  unreachable: {
    command: "add another channel after it in the workflow",
    console: "add another channel after it in the workflow, on [the account's page](#/accounts/ACCOUNT)"
  },
  undelivered: onBoth(
    "027 absent subscriber: the phone is off; 001 unknown subscriber: the number is not in use; 032: often its memory is " +
      "full. Carriers may have codes of their own"
  ),
  sent: onBoth(
    "the network has not reported yet; after a few minutes, ask the carrier, giving the time and the number"
  ),
  arrived: onBoth("the text is in another folder, or the user is looking at another phone"),
  wrong: onBoth("start a new verification"),
  approved: onBoth("nothing: check what the app did with the answer"),
  test: {
    command: "its code is fixed; account test-number list shows it",
    console: "its code is fixed: it is among the test numbers of [the account](#/accounts/ACCOUNT)"
  }
} as const satisfies Readonly<Record<string, Remedy>>

/** A reason, and what to do about it. */
export interface Explained {
  /** In plain words, without a stop at its end. */
  readonly reason: string
  readonly remedy: string
}

/** A likely reason, in the words of the command line and of the console. */
export interface Likely extends Explained {
  readonly console: Explained
}

/**
 * @param reason words of others among them may end with a stop
 * @param account the account of the record that is explained; null without a record
 * @param inConsole the reason in the console, where that says it in other words
 */
export const likely = (
  kind: keyof typeof remedies,
  reason: string,
  account: string | null,
  inConsole: string = reason
): Likely => {
  const remedy: Remedy = remedies[kind]
  return {
    reason: withoutStop(reason),
    remedy: remedy.command,
    console: { reason: withoutStop(inConsole), remedy: remedy.console.replaceAll("ACCOUNT", account ?? "") }
  }
}

const withoutStop = (text: string): string => text.replace(/\.$/, "")
