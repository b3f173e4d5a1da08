import { fileURLToPath } from "node:url"

const preloaded = fileURLToPath(new URL("program.ts", import.meta.url))

/** Variables that make a process the program after the next migrations: see migrations.ts. */
export const nextProgram = (until: "expansion" | "contraction") => ({
  NODE_OPTIONS: `--import=${preloaded}`,
  NEXT_PROGRAM: until
})
