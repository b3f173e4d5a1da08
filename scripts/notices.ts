/**
 * Notices of the third-party software in a bundle: name, version, licence and the texts that come with each package.
 */
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

const HEADER = `Watchword's programs are bundled with the software of others that is named below, under the licences that follow.
`

/** Software that a module contains as data: our own pages with the software bundled into them. */
const WITHIN = (["console", "handset"] as const).map((page) => ({
  module: new RegExp(`console/src/internal/generated/${page}`),
  title: `the ${page} of @watchword/console`,
  text: async () => {
    const { [`${page}Page` as const]: found } = await import("../packages/console/src/index.ts")
    return gunzipSync(found.files.get("notices.txt")?.gzip ?? "").toString("utf8")
  }
}))

/** @param modules the absolute paths of the bundled modules */
export const noticesOf = async (modules: ReadonlyArray<string>): Promise<string> => {
  const within = WITHIN.filter(({ module }) => modules.some((path) => module.test(path)))
  return [
    HEADER,
    ...[...new Set(modules.flatMap(packageOf))].sort().map(noticeOf),
    ...(await Promise.all(within.map(async ({ text, title }) => section(title, await text()))))
  ].join("\n")
}

const packageOf = (module: string): ReadonlyArray<string> => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module) ?? []

const noticeOf = (folder: string): string => {
  const { author, license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  if (typeof license !== "string") throw new Error(`${name} does not name its licence`)
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8"))
  return section(`${name} ${version} (${license})`, texts.join("\n\n") || `By ${author?.name ?? author ?? name}.`)
}

const section = (title: string, text: string): string => `${"-".repeat(100)}\n${title}\n\n${text.trim()}\n`
