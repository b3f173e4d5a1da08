/**
 * The threads of a process, busy as names without an answer keep them: getaddrinfo works there, and so do files.
 */
import { execFile } from "node:child_process"
import { closeSync, constants, open, openSync } from "node:fs"
import { promisify } from "node:util"

/**
 * Has every thread of libuv's pool wait for the other end of a pipe, until the function that it resolves to is called.
 *
 * @param pipe the path of a file that is not there
 */
export const occupyThreads = async (pipe: string): Promise<() => Promise<void>> => {
  await promisify(execFile)("mkfifo", [pipe])
  const threads = Number(process.env["UV_THREADPOOL_SIZE"] ?? 4)
  const opened = Array.from({ length: threads }, () => promisify(open)(pipe, "r"))
  return async () => {
    // Opened for both ends, it lets those that wait continue, and does not wait itself.
    const both = openSync(pipe, constants.O_RDWR)
    for (const descriptor of await Promise.all(opened)) closeSync(descriptor)
    closeSync(both)
  }
}
