/**
 * The documents as a site: `npm run docs` serves it and follows changes, `npm run docs:build` builds it into
 * `site/.vitepress/dist` and fails on anything that `site/check.ts` finds. The packages of the site are installed here,
 * from a lockfile of their own.
 */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, readFileSync, rmSync, watch } from "node:fs"
import { join } from "node:path"
import { check } from "./site/check.ts"
import { folder, gather, repository } from "./site/gather.ts"
import { root } from "./site/pages.ts"

const site = join(root, "site")
const isBuild = process.argv[2] === "build"

const run = (...args: ReadonlyArray<string>): void => {
  const { status } = spawnSync(process.execPath, args, { cwd: site, stdio: "inherit", env: environment })
  if (status !== 0) process.exit(status ?? 1)
}

const place = repository()
const environment = { ...process.env, ...(place === undefined ? {} : { DOCS_REPOSITORY: place }) }

const textOf = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined)
if (textOf(join(site, "node_modules/.pnpm/lock.yaml")) !== textOf(join(site, "pnpm-lock.yaml"))) {
  run("../scripts/pnpm.mjs", "install", "--frozen-lockfile", "--loglevel=error")
}

// A change of a declaration is seen after the next build.
const reference = join(folder, "reference")
if (isBuild) rmSync(folder, { recursive: true, force: true })
if (!existsSync(reference)) run("reference.mjs")
gather()

if (isBuild) {
  run("node_modules/vitepress/bin/vitepress.js", "build", ".")
  const { heaviest, pages, problems } = check(join(site, ".vitepress/dist"))
  for (const problem of problems) console.error(problem)
  console.log(`${pages} pages; the heaviest, ${heaviest[0]}, loads ${heaviest[1]} octets first.`)
  if (problems.length > 0) process.exitCode = 1
} else {
  const documents = watch(join(root, "docs"), { recursive: true }, gather)
  const server = spawn(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "dev", "."], {
    cwd: site,
    stdio: "inherit",
    env: environment
  })
  server.on("exit", (code) => {
    documents.close()
    process.exitCode = code ?? 0
  })
}
