/**
 * How long the write-ahead log may become, in bytes.
 */
import type { Database } from "better-sqlite3"

/**
 * The writing connection checkpoints. A page that many commits change goes into the file once for each length of the
 * log: with 32 MB a send takes 6 to 10 % less of the store than with half of it, and twice as much gains no more.
 */
export const LONG = 32 * 2 ** 20

/** Searches make a moment in which no reader needs the log. */
export const LONGEST = 64 * 2 ** 20

/** The number of a file's pages that have so many bytes. */
export const pagesOf = (db: Database, bytes: number): number =>
  Math.floor(bytes / Number(db.pragma("page_size", { simple: true })))
