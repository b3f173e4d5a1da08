/**
 * Another commit of this repository beside this one, installed, for a comparison of the two in turn.
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { workFolder } from "./processes.ts"

const here = join(import.meta.dirname, "../..")

/** The folder of a commit's checkout; it does not outlive this process. */
export const checkoutOf = (ref: string): string => {
  const folder = join(workFolder(), "checkout")
  const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd: here, stdio: ["ignore", 2, 2] })
  git("worktree", "add", "--detach", folder, ref)
  // Before the folder of the worktree goes, so that git does not keep an entry of it.
  process.prependOnceListener("exit", () => git("worktree", "remove", "--force", folder))
  execFileSync(process.execPath, [join(folder, "scripts/install.mjs")], { cwd: folder, stdio: ["ignore", 2, 2] })
  return folder
}
