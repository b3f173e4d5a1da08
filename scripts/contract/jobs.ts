/**
 * The table of periodic jobs, in Markdown.
 */
import { basename } from "node:path"
import { type Job, type Name, jobs } from "../../packages/send/src/pipeline/Job.ts"

/** A job's columns in the table, in addition to its interval. */
interface Words {
  /** A description of one pass, in Markdown. */
  readonly does: string
  /** The path of the module that schedules it. */
  readonly module: string
}

/** Kept out of services, whose bundles would all include it. */
export const words: Readonly<Record<Name, Words>> = {
  events: {
    does: "sends due events, and at once the events that this process writes; deletes events a week after they end",
    module: "packages/events/src/internal/Dispatcher.ts"
  },
  "steps of verifications": {
    does: "runs due steps, ends expired verifications",
    module: "packages/verify/src/internal/DuePlans.ts"
  },
  "refused requests": {
    does: "writes the requests that this process has refused",
    module: "packages/server/src/internal/refused/RefusedLog.ts"
  },
  lease: {
    does: "renews the process's lease for 15 s",
    module: "packages/send/src/pipeline/Heartbeat.ts"
  },
  carriers: {
    does: "records the process's view of its carriers, for `carrier list`; only if carriers are named",
    module: "packages/send/src/routes/CarrierStates.ts"
  },
  rehearsals: {
    does: "runs rehearsals requested with `carrier try`; only with a live gateway",
    module: "packages/send/src/rehearsal/Rehearsals.ts"
  },
  "sends of dead processes": {
    does: "marks deliveries `unknown` if their owner has no lease",
    module: "packages/send/src/pipeline/Reconciler.ts"
  },
  "calls of dead processes": {
    does: "ends calls that a dead process left ringing",
    module: "packages/call/src/internal/CallRecovery.ts"
  },
  traffic: {
    does: "adds this process's changes to the traffic roll-up",
    module: "packages/operator/src/insight/traffic/Rollup.ts"
  },
  "figures of carriers": {
    does: "reads the carriers' conversion rates across all servers, if a route that chooses the best carrier needs them",
    module: "packages/send/src/routes/SharedFigures.ts"
  },
  certificates: {
    does: "writes when the certificates end that carriers and trunks have shown to this process, if any has",
    module: "packages/send/src/channel/Certificates.ts"
  },
  reconciliation: {
    does: "repeats the job for dead processes, releases sends that stay unknown for a day, sweeps expired claims and counters",
    module: "packages/send/src/pipeline/Reconciler.ts"
  },
  retention: {
    does: "deletes old records and refused requests, removes texts from records",
    module: "packages/operator/src/privacy/Retention.ts"
  },
  alarms: {
    does: "sends problems that are new to the destinations of alarms, in one process at a time; only if there is a destination",
    module: "packages/operator/src/alarms/Alarms.ts"
  },
  "sandbox events": {
    does: "catches up on sandbox receipts",
    module: "packages/sandbox/src/internal/simulator/CatchUp.ts"
  }
}

const named: Readonly<Record<string, Words>> = words

/** The rows are in the order of the list. */
export const jobsTable = (): string =>
  [
    "| job | every | |",
    "|---|---|---|",
    ...Object.entries<Job>(jobs).flatMap(([name, job]) => rowOf(name, job, named[name]))
  ].join("\n")

const rowOf = (name: string, { clusterOnly = false, every }: Job, about: Words | undefined): ReadonlyArray<string> => {
  if (about === undefined) return []
  const { does, module } = about
  const row = `| \`${name}\` | ${every} | ${does}${clusterOnly ? "; only with several processes" : ""} (\`${basename(module)}\`) |`
  return [row]
}
