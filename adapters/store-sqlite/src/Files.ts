/**
 * Files that are there whole or not at all, also after the machine has stopped.
 */
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { randomBytes } from "node:crypto"
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { dirname } from "node:path"

/** The endings of the files that SQLite has beside a database. */
export const BESIDE = ["-wal", "-shm", "-journal"] as const

/**
 * The file that a symbolic link leads to, and every other name as it is. SQLite has its log beside that file, and the
 * lock of the server belongs there too: else two servers, one by the link and one by the file, would not see each
 * other.
 */
export const target = (filename: string): string => {
  if (lstatSync(filename, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return filename
  if (existsSync(filename)) return realpathSync(filename)
  const message = `The database ${filename} is a symbolic link to a file that does not exist.`
  throw new StoreError({ reason: "Unavailable", message })
}

/**
 * Creates an empty file beside the place that it is to have, for this user alone. The scope removes it unless it was
 * moved.
 */
export const draft = (place: string): Effect.Effect<string, StoreError, Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const file = `${place}.${randomBytes(4).toString("hex")}.partial`
        closeSync(openSync(file, "wx", 0o600))
        return file
      },
      catch: (error) => failureOf(error, `${place} could not be written`)
    }),
    (file) =>
      Effect.sync(() => {
        for (const ending of ["", ...BESIDE]) rmSync(`${file}${ending}`, { force: true })
      })
  )

/** Moves a file to its place once it is on the disk. Without `overwrite` it throws where the place is taken. */
export const publish = (file: string, place: string, overwrite: boolean): void => {
  sync(file, "r+")
  if (overwrite) renameSync(file, place)
  else alias(file, place)
  rmSync(file, { force: true })
  syncFolder(place)
}

/**
 * Gives a file a second name, or another one where the file system knows one name a file. Throws where the name is
 * taken.
 */
export const alias = (file: string, name: string): void => {
  try {
    linkSync(file, name)
  } catch (error) {
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(codeOf(error)) || existsSync(name)) throw error
    renameSync(file, name)
  }
}

/** Waits until the names in the folder of a file are on the disk. */
const syncFolder = (file: string): void => {
  // Windows has no such call.
  if (process.platform !== "win32") sync(dirname(file), "r")
}

const sync = (path: string, flags: string): void => {
  const descriptor = openSync(path, flags)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Whether two names lead to one file. */
export const isSame = (one: string, other: string): boolean => {
  const [first, second] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
  return first !== undefined && second !== undefined && first.dev === second.dev && first.ino === second.ino
}

/** What a SQLite database begins with. Source: https://www.sqlite.org/fileformat.html, §1.3. */
const MAGIC = Buffer.from("SQLite format 3\0")

/**
 * Whether a file begins as a SQLite database does, or is empty. What is no file of its own, such as a link, may be one.
 */
export const mayBeDatabase = (path: string): boolean => {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return true
  const descriptor = openSync(path, "r")
  try {
    const head = Buffer.alloc(MAGIC.length)
    const length = readSync(descriptor, head)
    return length === 0 || head.equals(MAGIC)
  } finally {
    closeSync(descriptor)
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""

const words: { readonly [code: string]: string } = {
  EACCES: "this user may not write there",
  EDQUOT: "the quota of this user is used up",
  EEXIST: "there is a file of this name",
  EISDIR: "it is a folder",
  ENOENT: "its folder does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "its folder is a file",
  EROFS: "the file system is read-only"
}

/** The error of a call to the file system. */
export const failureOf = (error: unknown, doing: string): StoreError => {
  const code = codeOf(error)
  const why = words[code] ?? "the system refused"
  return new StoreError({ reason: "Unavailable", message: `${doing}: ${why}${code === "" ? "" : ` (${code})`}.` })
}
