/**
 * The program behind `--`: it starts with the credentials in its environment, and the server ends with it.
 */
import { type ChildProcess, spawn } from "node:child_process"

export interface Program {
  /**
   * The code that it ends with: 127 where it could not be started, 128 and the number of the signal where one ended it.
   */
  readonly ended: Promise<number>
  readonly stop: () => void
}

export const start = (
  [command = "", ...given]: ReadonlyArray<string>,
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void
): Program => {
  const child = spawn(command, given, {
    stdio: "inherit",
    env: { ...process.env, ...environment },
    // On Windows commands such as npm are scripts.
    shell: process.platform === "win32"
  })
  return { ended: endOf(child, command, say), stop: () => void child.kill("SIGTERM") }
}

const endOf = (child: ChildProcess, command: string, say: (line: string) => void): Promise<number> =>
  new Promise((resolve) => {
    child.once("error", (error) => {
      say(`${command} cannot be started: ${error.message}`)
      resolve(127)
    })
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal === "SIGINT" ? 2 : 15)))
  })
