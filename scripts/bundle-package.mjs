// Bundles what the tarball of @watchword/standalone has: the server, the operator's command, and the notices of the
// software of others in them.
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundleInto, command, root, server } from "./bundling.mjs"
import { noticesOf } from "./notices.mjs"

const folder = join(root, "examples/standalone/dist/bundle")

rmSync(folder, { recursive: true, force: true })
// Apart, because chunks of two builds may have the same name.
const modules = [
  ...(await bundleInto(join(folder, "server"), server())),
  ...(await bundleInto(join(folder, "command"), command))
]
writeFileSync(join(folder, "THIRD_PARTY_NOTICES.txt"), noticesOf(modules))
