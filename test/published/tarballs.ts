/**
 * The tarballs of all packages, as `pnpm publish` would send them.
 */
import { execFile } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { type Package, packages, root } from "./packages.ts"

/** Packs all packages, which are built, into a folder. Gives the path of each tarball by the package's name. */
export const pack = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const chosen = packages.map(({ name }) => `--filter=${name}`)
  await pnpm(["-r", ...chosen, "pack", "--pack-destination", folder], root)
  const files = readdirSync(folder)
  return new Map(packages.map((pkg) => [pkg.name, join(folder, fileOf(pkg, files))]))
}

const fileOf = ({ name }: Package, files: ReadonlyArray<string>): string => {
  const stem = name.replace(/^@/, "").replace("/", "-")
  const file = files.find(
    (file) => file.startsWith(`${stem}-`) && /^\d+\.\d+\.\d+.*\.tgz$/.test(file.slice(stem.length + 1))
  )
  if (file === undefined) throw new Error(`${name} was not packed`)
  return file
}

/** Runs the workspace's pnpm. */
export const pnpm = (args: ReadonlyArray<string>, cwd: string): Promise<string> =>
  run(process.execPath, [join(root, "scripts/pnpm.mjs"), ...args], cwd)

/** Runs a program to its end, and gives its output. Rejects, with the output, when the program fails. */
export const run = async (command: string, args: ReadonlyArray<string>, cwd: string): Promise<string> => {
  try {
    const { stdout } = await promisify(execFile)(command, [...args], {
      cwd,
      timeout: 120_000,
      maxBuffer: 64 * 1024 * 1024
    })
    return stdout
  } catch (error) {
    const { stdout = "", stderr = "" } = Object(error)
    throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`, { cause: error })
  }
}
