/**
 * How many frames SQLite writes to its write-ahead log, read from the shared index of the log twenty times a second or
 * more. No lock is taken. Of a log that begins again, the frames since the last look are missing.
 *
 * Source: https://www.sqlite.org/walformat.html, 2.1.
 */
import { closeSync, openSync, readSync } from "node:fs"

export interface Growth {
  /** Bytes since the last answer. */
  readonly bytes: number
  /** The longest that the log was, in bytes. */
  readonly longest: number
}

export interface Watch {
  readonly take: () => Growth
  readonly stop: () => void
}

/** The header of a frame. */
const FRAME = 24
const EVERY = 20

/** @param file the database, which a process has open */
export const watchWal = (file: string): Watch => {
  const index = openSync(`${file}-shm`, "r")
  const header = Buffer.alloc(48)
  let known = { frames: 0, salt: "" }
  let bytes = 0
  let longest = 0

  const look = (): void => {
    readSync(index, header, 0, header.length, 0)
    const page = header.readUInt16LE(14)
    const frames = header.readUInt32LE(16)
    const salt = header.toString("hex", 32, 40)
    const more = salt === known.salt ? frames - known.frames : frames
    known = { frames, salt }
    bytes += Math.max(0, more) * (FRAME + page)
    longest = Math.max(longest, frames * (FRAME + page))
  }

  const take = (): Growth => {
    look()
    const growth = { bytes, longest }
    bytes = 0
    return growth
  }

  look()
  bytes = 0
  const timer = setInterval(look, EVERY)
  const stop = (): void => {
    clearInterval(timer)
    closeSync(index)
  }
  return { take, stop }
}
