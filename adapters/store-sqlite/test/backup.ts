/**
 * A process that makes a backup and says why it could not: `node backup.ts DATABASE FILE`.
 */
import { SqliteStore } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"

const [, , filename = "", to = ""] = process.argv

const { message } = await Effect.runPromise(Effect.flip(SqliteStore.backup({ filename, to })))
console.log(message)
