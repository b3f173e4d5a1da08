#!/usr/bin/env node
/**
 * The program of the published package. Any Node can read this file, because an older one crashes in SQLite's driver
 * without a word.
 */
const [major, minor] = process.versions.node.split(".").map(Number)

if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`Watchword needs Node 22.19 or newer, and this is Node ${process.versions.node} (${process.execPath}).`)
  process.exitCode = 1
} else {
  await import("../launch.mjs")
}
