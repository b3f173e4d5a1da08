/**
 * A complete store on Node's own SQLite. docs/store.md walks through its files.
 */
import { type Manifest, Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { accountsOf } from "./Accounts.ts"
import { countersOf } from "./Counters.ts"
import { open } from "./Database.ts"
import { deliveriesOf } from "./Deliveries.ts"
import { eventsOf } from "./Events.ts"
import { logOf } from "./OperatorLog.ts"
import { processesOf } from "./Processes.ts"
import { refusedOf } from "./Refused.ts"
import { retentionOf } from "./Retention.ts"
import { settingsOf } from "./Settings.ts"
import { trafficOf } from "./Traffic.ts"
import { transact } from "./Transaction.ts"

export const manifest: Manifest = {
  name: "node-sqlite",
  durable: true, // answers survive a crash
  shared: true, // an operator's command may use the data while the server runs
  cluster: false, // only one server may use the data at a time
  follows: true // the step engine decides, and it calls the rule
}

/** The store on a file, created if it does not exist. */
export const layer = (file: string): Layer.Layer<Store, StoreError> =>
  Layer.effect(
    Store,
    Effect.acquireRelease(
      Effect.try({
        try: () => open(file),
        catch: (error) =>
          new StoreError({ reason: "Unavailable", message: `${file} could not be opened: ${String(error)}` })
      }),
      (database) => Effect.sync(database.close)
    ).pipe(
      Effect.map((database) =>
        Store.of({
          manifest,
          ping: transact(database)(() => void database.one("SELECT 1")),
          ...accountsOf(database),
          ...settingsOf(database),
          ...deliveriesOf(database),
          ...eventsOf(database),
          ...countersOf(database),
          ...trafficOf(database),
          ...logOf(database),
          ...refusedOf(database),
          ...retentionOf(database),
          ...processesOf(database)
        })
      )
    )
  )
