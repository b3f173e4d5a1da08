/**
 * The console: what operators look at, and what they do.
 */
import { render } from "preact"
import { open } from "./session.ts"
import { Shell } from "./Shell.tsx"

const root = document.getElementById("app")
if (root !== null) render(<Shell />, root)
void open()
