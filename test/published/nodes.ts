/**
 * The versions of Node that packages are tried under: the oldest that `engines` allows, the long-term ones, and the
 * workspace's own. Aliases of the package `node` in test/package.json bring them.
 */
import { join } from "node:path"
import { root } from "./packages.ts"

export interface Node {
  readonly name: string
  /** The program. */
  readonly path: string
  /** What `--version` prints begins with it. */
  readonly version: string
}

const installed = (name: string, version: string): Node => ({
  name,
  path: join(root, "test/node_modules", name, "bin/node"),
  version
})

/** The versions beside the workspace's own, which all other tests run on. */
export const nodes: ReadonlyArray<Node> = [installed("node-22", "v22.19."), installed("node-24", "v24.")]
