// Notices of the software of others in a bundle: name, version, licence and the texts that come with each package.
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"

const HEADER = `Watchword's programs are bundled with the software of others that is named below, under the licences that follow.
`

/** Software that a package of another has within it, without its notice: the page that Effect has of Swagger UI. */
const WITHIN = [
  {
    module: /httpApiSwagger/,
    title: "swagger-ui 5.31.0, within effect (Apache-2.0)",
    text: () => readFileSync(join(import.meta.dirname, "notices/swagger-ui.txt"), "utf8")
  }
]

/** @param modules the absolute paths of the modules of a bundle */
export const noticesOf = (modules) =>
  [
    HEADER,
    ...[...new Set(modules.flatMap(packageOf))].sort().map(noticeOf),
    ...WITHIN.filter(({ module }) => modules.some((path) => module.test(path))).map(({ text, title }) =>
      section(title, text())
    )
  ].join("\n")

const packageOf = (module) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module) ?? []

const noticeOf = (folder) => {
  const { author, license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  if (typeof license !== "string") throw new Error(`${name} does not name its licence`)
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8"))
  return section(`${name} ${version} (${license})`, texts.join("\n\n") || `By ${author?.name ?? author ?? name}.`)
}

const section = (title, text) => `${"-".repeat(100)}\n${title}\n\n${text.trim()}\n`
