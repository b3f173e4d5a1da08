/**
 * The console, in which operators watch a service and act on it.
 */
import { render } from "preact"
import { open } from "./session.ts"
import { Shell } from "./Shell.tsx"

const root = document.getElementById("app")
if (root !== null) render(<Shell />, root)
void open()
