/**
 * Another commit of this repository, checked out and installed, to be compared with this one in turn.
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { workFolder } from "./processes.ts"

const here = join(import.meta.dirname, "../..")

/** The folder of a commit's checkout; it is removed when this process exits. */
export const checkoutOf = (ref: string): string => {
  const folder = join(workFolder(), "checkout")
  const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd: here, stdio: ["ignore", 2, 2] })
  git("worktree", "add", "--detach", folder, ref)
  // Runs before the worktree's folder is removed, so that git does not keep an entry for it.
  process.prependOnceListener("exit", () => git("worktree", "remove", "--force", folder))
  execFileSync(process.execPath, [join(folder, "scripts/install.mjs")], { cwd: folder, stdio: ["ignore", 2, 2] })
  return folder
}
