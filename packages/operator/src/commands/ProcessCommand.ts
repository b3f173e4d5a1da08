/**
 * The operator's command on the processes that serve.
 */
import { field } from "@watchword/schemas/Field"
import { ProcessId, timeOfUlid } from "@watchword/schemas/Ids"
import * as Command from "../command/Command.ts"
import { Time, as, counted, wire } from "../command/Wire.ts"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Serving = wire({
  process: as({ json: "process_id" }, ProcessId),
  since: field(Time, "When it was started."),
  leaseUntil: field(Time, "When it counts as dead unless it renews its lease, which it does every five seconds.")
})

export const list = Command.make({
  name: ["process", "list"],
  description: "List the serving processes and their leases",
  role: "support",
  isWatchable: true,
  input: wire({}),
  output: wire({ processes: Schema.Array(Serving) }),
  run: () =>
    Store.use(({ leases }) =>
      Effect.map(leases, (all) => ({
        processes: all.map(({ process, until }) => ({
          process,
          since: new Date(timeOfUlid(process)),
          leaseUntil: new Date(until)
        }))
      }))
    ),
  lines: ({ processes }) => [
    ...processes.map(
      ({ leaseUntil, process, since }) =>
        `${process}  since ${since.toISOString()}  lease until ${leaseUntil.toISOString()}`
    ),
    processes.length === 0
      ? "No process is serving on this database."
      : `${counted(processes.length, "process", "processes")}.`
  ]
})
