/**
 * The end of a worker of the test runner. Workers are ended by SIGTERM, at which Node emits no `exit`; by this handler
 * they exit, so that what ends servers at that event is called.
 */
const exit = (): void => process.exit()

// Files share a worker.
if (!process.listeners("SIGTERM").some(({ name }) => name === exit.name)) process.once("SIGTERM", exit)
