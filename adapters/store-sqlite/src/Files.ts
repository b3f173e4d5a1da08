/**
 * Files that are complete or absent, even after a machine crash.
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

/** The suffixes of the files that SQLite keeps next to a database. */
export const BESIDE = ["-wal", "-shm", "-journal"] as const

/**
 * The file that a symbolic link leads to; any other name is returned unchanged. SQLite keeps its log next to that file,
 * and the server lock belongs there too: otherwise two servers, one opened through the link and one through the file,
 * would not see each other.
 */
export const target = (filename: string): string => {
  if (lstatSync(filename, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return filename
  if (existsSync(filename)) return realpathSync(filename)
  const message = `The database ${filename} is a symbolic link to a file that does not exist.`
  throw new StoreError({ reason: "Unavailable", message })
}

/**
 * Creates an empty file next to its final location, for this user only. It is removed with the scope unless it was
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

/**
 * Moves a file to its final location once it is on the disk. Without `overwrite` it throws if the location is taken.
 */
export const publish = (file: string, place: string, overwrite: boolean): void => {
  sync(file, "r+")
  if (overwrite) renameSync(file, place)
  else alias(file, place)
  rmSync(file, { force: true })
  syncFolder(place)
}

/**
 * Gives a file a second name, or a different one if the file system allows only one name per file. Throws if the name
 * is taken.
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

/** Whether two names lead to the same file. */
export const isSame = (one: string, other: string): boolean => {
  const [first, second] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
  return first !== undefined && second !== undefined && first.dev === second.dev && first.ino === second.ino
}

/** The first bytes of a SQLite database. Source: https://www.sqlite.org/fileformat.html, §1.3. */
const MAGIC = Buffer.from("SQLite format 3\0")

/**
 * Whether a file starts like a SQLite database, or is empty. Also `true` for a name that is not a regular file, such as
 * a link, because it may lead to a database.
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

/** The error of a file system call. */
export const failureOf = (error: unknown, doing: string): StoreError => {
  const code = codeOf(error)
  const why = words[code] ?? "the system refused"
  return new StoreError({ reason: "Unavailable", message: `${doing}: ${why}${code === "" ? "" : ` (${code})`}.` })
}
