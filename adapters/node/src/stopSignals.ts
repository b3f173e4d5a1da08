/**
 * Signals that end the process.
 */

/**
 * Milliseconds after the first signal within which another signal counts as the same one. Ctrl-C in a terminal, systemd
 * and containers signal the whole process group, and npm then passes its own signal on to the server.
 */
const SAME_SIGNAL = 2_000

const SIGNALS = ["SIGINT", "SIGTERM"] as const

/** Calls back at the first signal. A signal more than two seconds later ends the process at once. */
export const onStopSignal = (stop: () => void): void => {
  let isStopping = false
  const received = () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => {
      for (const signal of SIGNALS) process.removeListener(signal, received)
    }, SAME_SIGNAL).unref()
    stop()
  }
  for (const signal of SIGNALS) process.on(signal, received)
}
