/**
 * The table of periodic jobs, in Markdown.
 */
import { basename } from "node:path"
import { type Job, jobs } from "../../packages/send/src/pipeline/Job.ts"

/** The rows in the order of the list. */
export const jobsTable = (): string =>
  ["| job | every | |", "|---|---|---|", ...Object.entries<Job>(jobs).map(([name, job]) => rowOf(name, job))].join("\n")

const rowOf = (name: string, { clusterOnly = false, does, every, module }: Job): string =>
  `| \`${name}\` | ${every} | ${does}${clusterOnly ? "; several processes alone" : ""} (\`${basename(module)}\`) |`
