/**
 * The browser of the person at the command line.
 */
import { spawn } from "node:child_process"

/** Whether there is a person with a browser on this machine: not in a pipe, a container, or a session over SSH. */
export const hasBrowser = (
  environment: NodeJS.ProcessEnv,
  isTerminal: boolean,
  platform = process.platform
): boolean => {
  if (!isTerminal || environment["SSH_CONNECTION"] !== undefined) return false
  if (platform === "darwin" || platform === "win32") return true
  return Boolean(environment["DISPLAY"] ?? environment["WAYLAND_DISPLAY"])
}

/** Opens an address. A machine without the program for it shows no error: the address is printed as well. */
export const openBrowser = (url: string): void => {
  const program = process.platform === "darwin" ? "open" : process.platform === "win32" ? "explorer" : "xdg-open"
  spawn(program, [url], { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref()
}
