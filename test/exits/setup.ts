/**
 * Has a worker of the test runner end as other programs do. The runner ends its workers by SIGTERM, at which Node emits no
 * `exit`: servers that a failed test has left would never hear of it.
 */
const exit = (): void => process.exit()

// Files share a worker.
if (!process.listeners("SIGTERM").some(({ name }) => name === exit.name)) process.once("SIGTERM", exit)
