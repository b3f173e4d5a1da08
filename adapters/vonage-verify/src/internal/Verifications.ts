/**
 * The direct calls of a running service that this interface makes.
 */
import type { Groups } from "watchword"

export type Verify = Groups["verify"]

/** The body of a start. */
export type StartOf = Parameters<Verify["start"]>[1]
