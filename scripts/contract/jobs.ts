/**
 * The table of periodic jobs, in Markdown.
 */
import { basename } from "node:path"
import { type Job, type Name, jobs } from "../../packages/send/src/pipeline/Job.ts"

/** What the table says of a job, beside how often it runs. */
interface Words {
  /** What a pass does, in Markdown. */
  readonly does: string
  /** The path of the module that has it run. */
  readonly module: string
}

/** In no service, where they would be in every bundle. */
export const words: Readonly<Record<Name, Words>> = {
  events: {
    does: "sends events that are due, at once where this process writes one; deletes those that ended a week ago",
    module: "packages/events/src/internal/Dispatcher.ts"
  },
  "steps of verifications": {
    does: "takes steps that are due, ends verifications that have expired",
    module: "packages/verify/src/internal/DuePlans.ts"
  },
  lease: {
    does: "renews the lease of the process, for 15 s",
    module: "packages/send/src/pipeline/Heartbeat.ts"
  },
  carriers: {
    does: "writes down how the process sees its carriers, for `carrier list`; only where they have names",
    module: "packages/send/src/routes/CarrierStates.ts"
  },
  rehearsals: {
    does: "takes rehearsals that an operator has asked for by `carrier try`; only where a live gateway is",
    module: "packages/send/src/rehearsal/Rehearsals.ts"
  },
  "sends of dead processes": {
    does: "makes deliveries `unknown` whose owner has no lease",
    module: "packages/send/src/pipeline/Reconciler.ts"
  },
  "calls of dead processes": {
    does: "ends calls that a dead process has left ringing",
    module: "packages/call/src/internal/CallRecovery.ts"
  },
  traffic: {
    does: "adds to the roll-up of traffic what this process has changed",
    module: "packages/operator/src/insight/traffic/Rollup.ts"
  },
  "figures of carriers": {
    does: "reads how carriers convert over all servers, where a route that chooses the best has asked for it",
    module: "packages/send/src/routes/SharedFigures.ts"
  },
  reconciliation: {
    does: "the same as for dead processes, releases sends that stay unknown for a day, sweeps expired claims and counters",
    module: "packages/send/src/pipeline/Reconciler.ts"
  },
  retention: {
    does: "deletes old records, takes texts out of them",
    module: "packages/operator/src/privacy/Retention.ts"
  },
  "sandbox events": {
    does: "catches up on receipts of the sandbox",
    module: "packages/sandbox/src/internal/simulator/CatchUp.ts"
  }
}

const named: Readonly<Record<string, Words>> = words

/** The rows in the order of the list. */
export const jobsTable = (): string =>
  [
    "| job | every | |",
    "|---|---|---|",
    ...Object.entries<Job>(jobs).flatMap(([name, job]) => rowOf(name, job, named[name]))
  ].join("\n")

const rowOf = (name: string, { clusterOnly = false, every }: Job, about: Words | undefined): ReadonlyArray<string> => {
  if (about === undefined) return []
  const { does, module } = about
  const row = `| \`${name}\` | ${every} | ${does}${clusterOnly ? "; several processes alone" : ""} (\`${basename(module)}\`) |`
  return [row]
}
