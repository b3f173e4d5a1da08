/**
 * The app: better-auth under `/api/auth`, with users and sessions in SQLite, whose users sign in by phone.
 */
import { verification } from "@watchword/better-auth"
import { type BetterAuthOptions, betterAuth } from "better-auth"
import { getMigrations } from "better-auth/db/migration"
import { toNodeHandler } from "better-auth/node"
import { phoneNumber } from "better-auth/plugins"
import { type Server, createServer } from "node:http"
import type { DatabaseSync } from "node:sqlite"
import type { Caller, Watchword } from "watchword"

/** @param caller the account that pays for the codes */
export const makeApp = async (
  service: Watchword,
  caller: Caller,
  database: DatabaseSync,
  secret: string
): Promise<Server> => {
  const options = {
    secret,
    baseURL: "http://127.0.0.1:3000",
    database,
    telemetry: { enabled: false },
    plugins: [
      phoneNumber({
        ...verification({ service, caller, start: { ttl: 300 } }),
        signUpOnVerification: { getTempEmail: (phone) => `${phone.slice(1)}@phone.example` }
      })
    ]
  } satisfies BetterAuthOptions
  const { runMigrations } = await getMigrations(options)
  await runMigrations()
  return createServer(toNodeHandler(betterAuth(options)))
}
