/**
 * Error codes of the WhatsApp Cloud API: who is responsible for each, and its meaning in plain words.
 *
 * | whose | the client is answered | log |
 * |---|---|---|
 * | `passing` | 480: the same message may go through in a while | warning |
 * | `recipient` | 404: the platform delivers no such message to this number | debug |
 * | `operator` | 503: the token, the number, the template or the payment of this service has to be mended | error |
 *
 * The HTTP status decides on other codes: 429 is `passing`; 408, 5xx and below 400 leave open whether the message was
 * sent; all others are the operator's.
 *
 * Source: the Cloud API, "Error codes"; the Graph API, "Error handling" and "Rate limits".
 */

export type Whose = "passing" | "recipient" | "operator"

export interface ErrorCode {
  readonly code: number
  readonly whose: Whose
  readonly words: string
  /** The whole account is sending too much: every send has to wait. */
  readonly backOff?: true
  /** Behind a status of 5xx it leaves open whether the message was sent. */
  readonly isVague?: true
}

/** The number is not on the app, or cannot take messages of this kind. */
export const NOT_ON_PLATFORM = 131026

/** The template is not translated to the language of the message. */
export const NOT_TRANSLATED = 132001

/** The platform is under maintenance. */
export const MAINTENANCE = 131057

/** The template was paused or disabled. Messages that were held back for its sake are dropped under the same codes. */
export const WITHDRAWN_TEMPLATE: ReadonlySet<number> = new Set([132015, 132016])

type Row = readonly [code: number, words: string, more?: Pick<ErrorCode, "backOff" | "isVague">]

const passing: ReadonlyArray<Row> = [
  [1, "the platform does not know why", { isVague: true }],
  [2, "the platform is down or overloaded", { isVague: true }],
  [4, "the app calls the platform too often", { backOff: true }],
  [17, "the app's user calls the platform too often", { backOff: true }],
  [341, "the app has reached its limit of calls", { backOff: true }],
  [613, "calls of this kind have reached their limit", { backOff: true }],
  [80007, "the business account has reached its limit", { backOff: true }],
  [80008, "the business account is called too often", { backOff: true }],
  [130429, "the number's throughput is reached", { backOff: true }],
  [131000, "something went wrong at the platform", { isVague: true }],
  [131016, "the platform is overloaded", { isVague: true }],
  [131048, "limited, because too many messages were blocked or reported as spam"],
  [131056, "too many messages to this number"],
  [MAINTENANCE, "the account is under maintenance"],
  [132069, "the flow is throttled"],
  [133004, "the platform is unavailable for the moment", { isVague: true }],
  [134101, "the template is still being set up, which takes some ten minutes"]
]

const recipient: ReadonlyArray<Row> = [
  [NOT_ON_PLATFORM, "the number is not on WhatsApp, or cannot take such messages"],
  [130472, "the number is part of a WhatsApp experiment"],
  [130497, "the account may not write to numbers of this country"],
  [131021, "the recipient is the number that sends"],
  [131043, "the message expired before it arrived"],
  [131049, "withheld by WhatsApp from this recipient"],
  [131050, "the recipient wants no marketing"],
  [131062, "the recipient cannot be reached by such an identifier"]
]

const operator: ReadonlyArray<Row> = [
  [0, "the access token is not valid any more"],
  [3, "the app lacks a capability or a permission"],
  [10, "the app lacks a permission"],
  [33, "the number that sends was deleted, or its id is wrong"],
  [100, "the request has an invalid parameter"],
  [190, "the access token has expired"],
  [368, "the account is blocked for a policy violation"],
  [506, "the same message was posted twice in a row"],
  [131001, "the text is too long"],
  [131002, "the recipient type is invalid"],
  [131005, "access is denied: the app lacks a permission"],
  [131006, "the object that the request names does not exist"],
  [131008, "a parameter is missing"],
  [131009, "a parameter has an invalid value"],
  [131030, "the app may write only to its test recipients"],
  [131031, "the account is locked"],
  [131037, "the display name of the number is not approved"],
  [131042, "the account cannot pay: look at its payment method"],
  [131045, "the number's certificate is invalid: register it again"],
  [131047, "plain text was sent outside the 24-hour window; configure a template"],
  [131051, "the message type is not supported"],
  [131052, "a media file could not be downloaded"],
  [131053, "a media file could not be uploaded"],
  [131055, "the method is not allowed"],
  [132000, "the number of parameters does not match the template"],
  [NOT_TRANSLATED, "the template does not exist in this language"],
  [132005, "the template's text with its parameters is too long"],
  [132007, "the template violates the character policy"],
  [132012, "a parameter's format does not match the template"],
  [132015, "the template is paused for its quality"],
  [132016, "the template is permanently disabled"],
  [132068, "the flow is blocked"],
  [133000, "an earlier deregistration of the number is not complete"],
  [133005, "the PIN of the number is wrong"],
  [133006, "the number has to be verified again"],
  [133008, "the PIN of the number was guessed too often"],
  [133009, "the PIN of the number was guessed too fast"],
  [133010, "the number is not registered on the platform"],
  [133015, "the number was deleted a moment ago and cannot be registered yet"],
  [133016, "the number was registered and deregistered too often"],
  [134011, "the terms of payments are not accepted"],
  [134102, "the template cannot be used"],
  [135000, "a parameter of the request is wrong; the platform does not say which"]
]

const rowsOf = (whose: Whose, rows: ReadonlyArray<Row>): ReadonlyArray<ErrorCode> =>
  rows.map(([code, words, more]) => ({ code, whose, words, ...more }))

/** Every code that is known, once. */
export const errorCodes: ReadonlyArray<ErrorCode> = [
  ...rowsOf("passing", passing),
  ...rowsOf("recipient", recipient),
  ...rowsOf("operator", operator)
]

const byCode = new Map(errorCodes.map((each) => [each.code, each]))

/** The entry of a code; undefined for an unknown code. 200 to 299 are permissions, each with its own number. */
export const errorCode = (code: number): ErrorCode | undefined =>
  byCode.get(code) ??
  (code >= 200 && code < 300 ? { code, whose: "operator", words: "the app lacks a permission" } : undefined)
