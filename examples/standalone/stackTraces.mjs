/**
 * Maps stack traces of the bundle to the sources. Node's `--enable-source-maps` does the same, but reads the map at every
 * start, which takes as long as the start itself; this reads it with the first trace.
 */
import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"

/**
 * @param file the bundle, beside its map
 * @param placeOf where a source is, which the map names relative to itself; its path unless given
 */
export const mapStackTraces = (file, placeOf = (source) => fileURLToPath(new URL(source, pathToFileURL(file)))) => {
  const url = pathToFileURL(file).href
  let map
  const inSources = (frame) => {
    const text = frame.toString()
    if (frame.getFileName() !== url) return text
    map ??= new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")))
    const { columnNumber, fileName, lineNumber } = map.findOrigin(frame.getLineNumber(), frame.getColumnNumber())
    if (fileName === undefined) return text
    return text.replace(/file:[^)]*/, `${placeOf(fileName)}:${lineNumber}:${columnNumber}`)
  }
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${inSources(frame)}`)].join("\n")
}
