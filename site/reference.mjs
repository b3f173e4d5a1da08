// Writes the reference: a page for each public module, by TypeDoc. It needs an older TypeScript than the workspace has,
// and therefore runs here.
import { globSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { Application } from "typedoc"

const root = resolve(import.meta.dirname, "..")

/** The names by which users import modules, by their files. */
const modules = new Map(
  globSync("{packages,adapters}/*/package.json", { cwd: root }).flatMap((path) => {
    const { exports = {}, name } = JSON.parse(readFileSync(join(root, path), "utf8"))
    return Object.entries(exports).flatMap(([subpath, target]) =>
      typeof target === "string" && /\.tsx?$/.test(target)
        ? [[join(root, dirname(path), target).replaceAll("\\", "/"), `${name}${subpath.slice(1)}`]]
        : []
    )
  })
)

const app = await Application.bootstrapWithPlugins({
  entryPoints: [...modules.keys()],
  tsconfig: join(import.meta.dirname, "reference.tsconfig.json"),
  plugin: ["typedoc-plugin-markdown"],
  outputs: [{ name: "markdown", path: join(import.meta.dirname, "pages/reference") }],
  outputFileStrategy: "modules",
  entryFileName: "index",
  modulesFileName: "modules",
  name: "Reference",
  readme: "none",
  // `npm run types` has checked them, with the workspace's own compiler.
  skipErrorChecking: true,
  disableSources: true,
  excludePrivate: true,
  excludeInternal: true,
  excludeExternals: true,
  sanitizeComments: true,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  logLevel: "Error",
  validation: false,
  groupOrder: ["Functions", "Classes", "*"],
  parametersFormat: "table",
  propertiesFormat: "table",
  interfacePropertiesFormat: "table",
  typeDeclarationFormat: "table",
  enumMembersFormat: "table"
})
// TypeDoc counts headings of one name otherwise than the site does: such a link leads to the page.
app.renderer.on("endPage", (page) => {
  page.contents = page.contents
    ?.replaceAll(/\[([^\]]*)\]\(#[\w-]+-\d+\)/g, "$1")
    .replaceAll(/\]\(([^)#\s]+)#[\w-]+-\d+\)/g, "]($1)")
})
const entryPoints = app.getEntryPoints() ?? []
const project = app.converter.convert(
  entryPoints.map((entryPoint) => ({
    ...entryPoint,
    displayName: modules.get(entryPoint.sourceFile.fileName) ?? entryPoint.displayName
  }))
)
await app.generateOutputs(project)
if (app.logger.hasErrors()) process.exitCode = 1
