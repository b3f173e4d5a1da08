/**
 * The folder of a development server, `.watchword` in the folder of the app: credentials that outlive restarts, the
 * database where one is kept, and the lock by which a second server finds the first.
 */
import { randomBytes } from "node:crypto"
import {
  constants,
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { makeApiKey } from "@watchword/auth/Keys"
import { newSecret, nextWebhookId } from "@watchword/events/EndpointAdmin"
import { AccountId, KeyId, nextAccountId, nextKeyId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The same after every restart in one folder. */
export const Credentials = Schema.Struct({
  account: AccountId,
  key_id: KeyId,
  key: Schema.String,
  webhook_id: Schema.String,
  webhook_secret: Schema.String,
  /** The secret of the installation, by which codes are made. */
  secret: Schema.String,
  created_at: Schema.Int
})
export type Credentials = typeof Credentials.Type

const NAME = ".watchword"

export interface Folder {
  readonly credentials: Credentials
  /** The private key of an app that signs its requests; see `Application.ts`. */
  readonly privateKey: string
  /** The database of `--db`. */
  readonly database: string
  /** Notes where this server is, for a second one in the folder. */
  readonly claim: (url: string) => void
  readonly release: () => void
}

/** Opens the folder below an app's. Throws a sentence where another server runs in it. */
export const open = (app: string): Folder => {
  const folder = join(app, NAME)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { isDirectory, uid } = facts(folder)
  if (!isDirectory || !isOurs(uid)) {
    throw new Error(`${folder} is a link or belongs to another user. Remove it, or run the server in another folder.`)
  }
  // Whatever the app's own rules are, credentials are not committed.
  write(join(folder, ".gitignore"), "*\n")
  const lock = join(folder, "dev.lock")
  const other = running(lock)
  if (other !== null) throw new Error(`A development server of this folder runs at ${other.url} already.`)
  const claim = (url: string) => write(lock, JSON.stringify({ pid: process.pid, url }))
  claim("an address that it is about to have")
  return {
    credentials: credentials(join(folder, "credentials.json")),
    privateKey: join(folder, "private.key"),
    database: join(folder, "dev.db"),
    claim,
    release: () => rmSync(lock, { force: true })
  }
}

const Lock = Schema.fromJsonString(Schema.Struct({ pid: Schema.Int, url: Schema.String }))
const decodeLock = Schema.decodeUnknownOption(Lock)

/** The process that holds the lock; null if no process holds it, or the process has died. */
const running = (file: string): typeof Lock.Type | null => {
  const held = Option.getOrNull(Option.flatMap(read(file), decodeLock))
  return held !== null && held.pid !== process.pid && isAlive(held.pid) ? held : null
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Credentials))

const credentials = (file: string): Credentials => {
  const kept = Option.flatMap(read(file), decode)
  if (Option.isSome(kept)) return kept.value
  const made = fresh(Date.now())
  rmSync(file, { force: true })
  write(file, `${JSON.stringify(made, null, 2)}\n`)
  return made
}

const fresh = (at: number): Credentials => ({
  account: nextAccountId(at),
  key_id: nextKeyId(at),
  key: Redacted.value(Effect.runSync(makeApiKey("sandbox")).secret),
  webhook_id: nextWebhookId(at),
  webhook_secret: newSecret(),
  secret: randomBytes(32).toString("hex"),
  created_at: at
})

/**
 * The text of a file that this user has written and only this user may read. A file that came with a repository is not:
 * its author knows the secrets in it.
 */
const read = (file: string): Option.Option<string> => {
  try {
    return Option.some(
      withFile(file, constants.O_RDONLY, (opened) => (isPrivate(opened) ? readFileSync(opened, "utf8") : ""))
    )
  } catch {
    return Option.none()
  }
}

/** Writes a private file. A link in its place is an error, because it would lead out of the folder. */
const write = (file: string, text: string): void =>
  withFile(file, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, (opened) => writeFileSync(opened, text))

const withFile = <A>(file: string, flags: number, use: (opened: number) => A): A => {
  const opened = openSync(file, flags | NOT_THROUGH_LINKS, 0o600)
  try {
    return use(opened)
  } finally {
    closeSync(opened)
  }
}

// Windows lacks the flag, and owners and modes in this form.
const NOT_THROUGH_LINKS = constants.O_NOFOLLOW ?? 0

const isOurs = (uid: number): boolean => process.getuid === undefined || uid === process.getuid()

const isPrivate = (opened: number): boolean => {
  const { mode, uid } = fstatSync(opened)
  return process.getuid === undefined || (isOurs(uid) && (mode & 0o077) === 0)
}

const facts = (folder: string) => {
  const found = lstatSync(folder)
  return { isDirectory: found.isDirectory(), uid: found.uid }
}
