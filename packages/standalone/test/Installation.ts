/**
 * Installations of the standalone server for the tests of a file: a folder, a SQLite database in it, the operator's
 * command, and a server.
 */
import { afterAll, beforeAll } from "vitest"
import { type Folder, folderForAll } from "../../../test/folder.ts"
import { type Caller, callerOf } from "./client.ts"
import { type Environment, type Running, command, failingCommand, start } from "./Standalone.ts"

export interface Installation extends Folder {
  /** The settings that the command and the server share. */
  readonly environment: () => Environment
  readonly command: (...args: ReadonlyArray<string>) => ReturnType<typeof command>
  readonly failingCommand: (...args: ReadonlyArray<string>) => ReturnType<typeof failingCommand>
  /** The id of a new account. */
  readonly newAccount: (...flags: ReadonlyArray<string>) => Promise<string>
  /** A new key of an account. */
  readonly newKey: (account: string, ...flags: ReadonlyArray<string>) => Promise<string>
}

/**
 * An installation without a server.
 *
 * @param settings more settings, for example of files in its folder
 */
export const installationForAll = (settings: (folder: Folder) => Environment = () => ({})): Installation => {
  const folder = folderForAll()
  const environment = () => ({ DATABASE_URL: `sqlite:${folder.file("test.db")}`, ...settings(folder) })
  const run = (...args: ReadonlyArray<string>) => command(environment(), ...args)
  return {
    ...folder,
    environment,
    command: run,
    failingCommand: (...args) => failingCommand(environment(), ...args),
    newAccount: async (...flags) => String((await run("account", "create", ...flags))["account_id"]),
    newKey: async (account, ...flags) => String((await run("key", "create", "--account", account, ...flags))["key"])
  }
}

export interface Server {
  readonly running: () => Running
  /** Requests of an account by a new key. */
  readonly callerOf: (account: string, ...flags: ReadonlyArray<string>) => Promise<Caller>
}

/**
 * The server of an installation.
 *
 * @param settings the server's own, read after the hooks before this one
 */
export const serverForAll = (installation: Installation, settings: () => Environment = () => ({})): Server => {
  let server: Running
  beforeAll(async () => {
    server = await start({ ...installation.environment(), ...settings() })
  })
  afterAll(() => server.stop())
  return {
    running: () => server,
    callerOf: async (account, ...flags) => callerOf(server, account, await installation.newKey(account, ...flags))
  }
}
