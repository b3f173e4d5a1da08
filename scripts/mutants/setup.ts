/**
 * Runs before each test file of a run that notes which mutants it reaches.
 */
import { afterAll, beforeAll } from "vitest"
import { follow } from "./reached.ts"

// oxlint-disable-next-line no-empty-pattern -- Vitest refuses other names for it.
beforeAll(({}, suite) => follow(suite.file.filepath))
afterAll(() => follow(undefined))
