/**
 * Maps stack traces of the bundle to the sources. Node's `--enable-source-maps` does the same, but reads the map at
 * every start, which takes as long as the start itself; this reads it with the first trace.
 */
import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { pathToFileURL } from "node:url"

/** @param file the bundle, next to its map */
export const mapStackTraces = (file) => {
  const url = pathToFileURL(file).href
  let map
  const inSources = (frame) => {
    const text = frame.toString()
    if (frame.getFileName() !== url) return text
    map ??= new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")))
    const { columnNumber, fileName, lineNumber } = map.findOrigin(frame.getLineNumber(), frame.getColumnNumber())
    if (fileName === undefined) return text
    // Sources are not in the tarball: their paths are relative to the repository.
    const source = fileName.replace(/^(?:\.\.\/)+/, "")
    return text.replace(/file:[^)]*/, `${source}:${lineNumber}:${columnNumber}`)
  }
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${inSources(frame)}`)].join("\n")
}
