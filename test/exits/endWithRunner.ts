import type { ChildProcess } from "node:child_process"

/**
 * Has a process end with this one, so that a test that fails leaves none behind.
 *
 * @param end how it ends; by SIGKILL unless given
 */
export const endWithRunner = (child: ChildProcess, end = (): unknown => child.kill("SIGKILL")): void => {
  const last = (): void => void end()
  process.once("exit", last)
  child.once("exit", () => process.off("exit", last))
}
