/**
 * The form at `/form`, which proves numbers of the sandbox's phones. All of its users share one session.
 */
import { type Account, type InProcess, formHandler } from "@watchword/form/handler"
import type { HandlePromise } from "@watchword/server/Host"
import { toHandle } from "./webHandle.ts"

export const make = (service: InProcess, account: Account): HandlePromise =>
  toHandle(formHandler(service, { account, session: () => "development", onApproved: () => {} }))
