/**
 * The script of an HTTP API.
 */

/** A call as it came. Names of headers are in lower case. */
export interface Call {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The fields of a form or of a JSON object; none if the body is neither. */
  readonly body: Readonly<Record<string, unknown>>
}

/** An API's own answer. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/**
 * The answer to a call: nothing, an end of the connection before or within the answer, or a response. An answer without
 * status and body is the API's own, which then processes the call; any other replaces it.
 */
export type Answer =
  | "silence"
  | "drop"
  | "break off"
  | {
      /** Milliseconds until it is sent; 0 unless given. */
      readonly after?: number
      /** 200 unless given. */
      readonly status?: number
      /** In addition to `content-type: application/json`. */
      readonly headers?: Readonly<Record<string, string>>
      /** A text as it is, anything else as JSON. */
      readonly body?: unknown
    }

/**
 * Chooses the answer of a call. `take` processes the call, whatever the answer will be, and returns the API's own
 * answer.
 */
export type Answering = (call: Call, take: () => Reply) => Answer | Promise<Answer>

export interface Script<Message, Report> {
  /** Answers each call; with the API's own answers unless given. */
  answer: Answering
  /** The reports on an accepted message: none unless given. Each report waits for the one before it. */
  reports: (message: Message) => ReadonlyArray<Report>
  /** Hears how a report was answered; null if it was not. A report that gets no 2xx status is sent again. */
  acknowledged: (message: Message, status: number | null) => void
}

/** A report, sent so many milliseconds after the message or the report before it; at once unless given. */
export interface Timed {
  readonly after?: number
}

export interface ApiOptions {
  /** 127.0.0.1 unless given. */
  readonly host?: string
  /** Any free port unless given. */
  readonly port?: number
  /** How many calls and messages it keeps; all unless given. */
  readonly keep?: number
  /** Milliseconds after which a report that was not taken is sent again; 100 unless given. */
  readonly retry?: number
  /** Where reports go, asked for each of them; without it to the address that the message names. */
  readonly callbackUrl?: string | (() => string)
}
