/**
 * The rule of each kind of problem of the overview in a sentence, with its thresholds.
 *
 * docs/operators/monitoring.md has the rules as a table, which a test compares.
 */
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The thresholds. Times are in milliseconds, amounts in micro-euros, and shares of 1. */
export const LIMITS = {
  /** A code counts once the user has had some time to enter it. */
  attack: { unentered: 20, entered: 0.1, after: MINUTE },
  number: { asked: 10, guessed: 3 },
  refused: { verifications: 20, share: 0.2 },
  conversion: { ended: 50, of: 0.75 },
  channel: { sends: 20, failed: 0.2, times: 2 },
  carrier: { receipts: 20, usually: 100, times: 3, seconds: 10 },
  balance: { within: 12 * HOUR, spent: 1_000_000 },
  prices: { shown: 5 },
  certificate: { within: 21 * DAY, bad: 3 * DAY },
  testNumber: { within: 3 * DAY },
  events: { late: 5 * MINUTE, bad: HOUR }
} as const

const { attack, balance, carrier, certificate, channel, conversion, events, number, prices, refused, testNumber } =
  LIMITS

const percent = (share: number): string => `${Math.round(100 * share)} %`

/** The rule of each kind of problem. */
export const RULES = {
  attack: `at least ${attack.unentered} codes to a country, or to numbers of one prefix, were not entered in the last hour, and at most ${percent(attack.entered)} were; codes of the last minute and blocked places do not count`,
  flooding: `at least ${number.asked} verifications of one number were asked for in the last hour, sent or refused by guards, and none was approved; blocked numbers do not count`,
  guessing: `at least ${number.guessed} verifications of one number failed in the last hour because all their checks were wrong; blocked numbers do not count`,
  verifications_refused: `guards refused at least ${refused.verifications} verifications in the last hour, and ${percent(refused.share)} of all`,
  conversion_low: `at least ${conversion.ended} verifications of the last hour have ended, and their approved share is below ${percent(conversion.of)} of the share of the same hour a week ago, which had as many`,
  channel_failing: `at least ${percent(channel.failed)} of ${channel.sends} or more sends of the last hour failed, which is ${channel.times} times the share of the same hour a week ago, or more`,
  channel_silent: `nothing was sent in the last hour, and ${channel.sends} or more in the same hour a week ago`,
  carrier_slow: `the median delay of ${carrier.receipts} or more receipts of this hour and the one before is ${carrier.times} times that of ${carrier.usually} or more receipts of the day before, and above ${carrier.seconds} s`,
  balance_ending: `an account's balance lasts less than ${balance.within / HOUR} hours at the rate of this hour and the one before, which cost at least ${balance.spent / 1_000_000} EUR`,
  balance_low: "an account's balance is below its threshold (`webhook low-balance`)",
  price_below_cost: `a route sells messages for less than a carrier's cost, by \`PRICES\` and \`CARRIERS\`; the ${prices.shown} largest losses are shown`,
  certificate_ends: `the certificate that a carrier or a trunk has shown ends within ${certificate.within / DAY} days; from ${certificate.bad / DAY} days before on it is a bad one`,
  test_number_ends: `a test number of an account ends within ${testNumber.within / DAY} days`,
  pumping: "a guard has blocked a prefix or a country for pumping",
  sends_unknown: "the gateway did not answer a send, and no receipt has come",
  events_late: `an event has waited for its webhook for ${events.late / MINUTE} minutes; from an hour on it is a bad one`,
  webhook_failing: "a webhook has not accepted an event since its last failure",
  webhook_disabled: "a webhook answered 410, or failed for five days",
  migrations_pending: "the database is older than the program",
  platform: "a provider has paused a template, a number or an account"
} as const

export type Kind = keyof typeof RULES
