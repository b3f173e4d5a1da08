/**
 * Blocks a process's threads as unanswered name look-ups do: getaddrinfo and file access run on them.
 */
import { execFile } from "node:child_process"
import { closeSync, constants, open, openSync } from "node:fs"
import { promisify } from "node:util"

/**
 * Makes every thread of libuv's pool wait for the other end of a pipe, until the returned function is called.
 *
 * @param pipe a path where no file exists yet
 */
export const occupyThreads = async (pipe: string): Promise<() => Promise<void>> => {
  await promisify(execFile)("mkfifo", [pipe])
  const threads = Number(process.env["UV_THREADPOOL_SIZE"] ?? 4)
  const opened = Array.from({ length: threads }, () => promisify(open)(pipe, "r"))
  return async () => {
    // Opened for reading and writing, the pipe unblocks all waiting threads without blocking this one.
    const both = openSync(pipe, constants.O_RDWR)
    for (const descriptor of await Promise.all(opened)) closeSync(descriptor)
    closeSync(both)
  }
}
