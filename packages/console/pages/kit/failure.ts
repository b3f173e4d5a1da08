/**
 * The message that a page shows for a refused request.
 */

/** The body of an error, if Watchword sent it. */
export interface Failure {
  readonly message?: string
  readonly issues?: ReadonlyArray<{ readonly path: string; readonly message: string }>
}

/** The first issue with the field that it names, or the error's message. */
export const messageOf = (failure: Failure | null, status: number): string => {
  const issue = failure?.issues?.[0]
  return issue === undefined
    ? (failure?.message ?? `The server responded with ${status}.`)
    : `${issue.path} ${issue.message}.`
}
