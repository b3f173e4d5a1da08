/**
 * The versions of Node that packages are tested on: the oldest that `engines` allows, the long-term support versions,
 * and the workspace's own. Aliases of the package `node` in test/package.json provide them.
 */
import { join } from "node:path"
import { root } from "./packages.ts"

export interface Node {
  readonly name: string
  /** The program. */
  readonly path: string
  /** The output of `--version` begins with it. */
  readonly version: string
}

const installed = (name: string, version: string): Node => ({
  name,
  path: join(root, "test/node_modules", name, "bin/node"),
  version
})

/** The versions in addition to the workspace's own, which all other tests run on. */
export const nodes: ReadonlyArray<Node> = [installed("node-22", "v22.19."), installed("node-24", "v24.")]
