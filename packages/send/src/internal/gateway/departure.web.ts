/** Runtimes other than Node do not say whether a request has left. */
export const watch = () => ({ run: <A>(ask: () => Promise<A>): Promise<A> => ask(), mayHaveLeft: () => true })
