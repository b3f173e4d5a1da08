/**
 * Builds the files that go into the tarballs, once, before the test files that pack them.
 */
import { join } from "node:path"
import { root } from "./packages.ts"
import { run } from "./tarballs.ts"

export const setup = async (): Promise<void> => {
  for (const script of ["build.mjs", "bundle-package.mjs"]) {
    await run(process.execPath, [join(root, "scripts", script)], root)
  }
}
