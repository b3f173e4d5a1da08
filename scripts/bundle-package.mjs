// Writes the generated files in the tarball of @watchword/standalone: its programs, the notices of the third-party
// software in them, and all documents as one text.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { joined } from "../packages/dev/src/documents.ts"
import { bundle } from "./bundle.mjs"
import { noticesOf } from "./notices.ts"

const root = join(import.meta.dirname, "..")
const folder = join(root, "packages/standalone/dist/bundle")

const modules = await bundle(folder)
writeFileSync(join(folder, "THIRD_PARTY_NOTICES.txt"), await noticesOf(modules))
writeFileSync(join(root, "packages/standalone/llms.txt"), joined(root))
