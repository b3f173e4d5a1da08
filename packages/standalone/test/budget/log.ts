/**
 * How many pages a process writes to the write-ahead log of a database, read from the log's shared index. No lock is
 * taken: no transaction of interest runs meanwhile.
 *
 * Source: https://www.sqlite.org/walformat.html, 2.1.
 */
import { closeSync, openSync, readSync } from "node:fs"

const FRAMES = 16
const SALT = 32

/** @param file a database that a process has open */
export const openLog = (file: string) => {
  const index = openSync(`${file}-shm`, "r")
  const header = Buffer.alloc(48)
  let known = { frames: 0, salt: "" }
  /** The number of pages since the last call. */
  const take = (): number => {
    readSync(index, header, 0, header.length, 0)
    const before = known
    known = { frames: header.readUInt32LE(FRAMES), salt: header.toString("hex", SALT, SALT + 8) }
    if (before.salt !== "" && before.salt !== known.salt)
      throw new Error("the log began again while pages were counted")
    return known.frames - before.frames
  }
  return { take, close: () => closeSync(index) }
}
