/**
 * What a page says of a request that was refused.
 */

/** The body of an error, where it is one of Watchword's. */
export interface Failure {
  readonly message?: string
  readonly issues?: ReadonlyArray<{ readonly path: string; readonly message: string }>
}

/** The first issue with the field that it names, or the sentence of the error. */
export const messageOf = (failure: Failure | null, status: number): string => {
  const issue = failure?.issues?.[0]
  return issue === undefined
    ? (failure?.message ?? `The server responded with ${status}.`)
    : `${issue.path} ${issue.message}.`
}
