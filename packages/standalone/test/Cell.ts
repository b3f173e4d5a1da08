/**
 * Cells for tests: standalone servers with databases of their own, and the file by which the command finds them.
 */
import { chmodSync, writeFileSync } from "node:fs"
import { type Environment, type Running, command, start } from "./Standalone.ts"

export interface Cell {
  readonly name: string
  readonly server: Running
  readonly environment: Environment
  /** An account with a sandbox key. */
  readonly account: string
  readonly key: string
}

/** Starts a server on a database, with an account. */
export const startCell = async (name: string, environment: Environment): Promise<Cell> => {
  const server = await start({ ...environment, CONSOLE: "yes", DEMO: "no" })
  const account = String((await command(environment, "account", "create", "--name", `Shop of ${name}`))["account_id"])
  const { key } = await command(environment, "key", "create", "--account", account, "--sandbox")
  return { name, server, environment, account, key: String(key) }
}

/** Writes the file of the cells, with a token of a role for each. @param fileOf places of files by their names */
export const writeCells = async (
  cells: ReadonlyArray<Cell>,
  role: string,
  fileOf: (name: string) => string
): Promise<string> => {
  const entries = []
  for (const { environment, name, server } of cells) {
    const { token } = await command(environment, "operator", "grant", "--name", "anna", "--role", role)
    writeFileSync(fileOf(`${name}.token`), `${token}\n`)
    chmodSync(fileOf(`${name}.token`), 0o600)
    entries.push([name, { url: server.origin, token_file: `${name}.token` }])
  }
  writeFileSync(fileOf("cells.json"), JSON.stringify(Object.fromEntries(entries)))
  return fileOf("cells.json")
}
