#!/usr/bin/env bash
# The user agent of Vonage's SDK names a version of its own.
#
# One would expect: `@vonage/server-sdk/3.30.1`, the version of the package that is installed.
# What happens: the SDK says `@vonage/server-sdk/3.0.0`, whatever its version is.
# What follows: the door for Vonage's SDK cannot tell versions apart by their user agent, and takes all of them alike.
#
# @vonage/server-sdk 3.30.1, 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @vonage/server-sdk@3.30.1 >/dev/null
cat >run.mjs <<'JS'
import assert from "node:assert/strict"
import { generateKeyPairSync } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { Vonage } from "@vonage/server-sdk"

const agents = []
const server = createServer((request, response) => {
  agents.push(request.headers["user-agent"])
  request.resume()
  response.writeHead(202, { "content-type": "application/json" })
  response.end(JSON.stringify({ request_id: "c11236f4-00bf-4b89-84ba-88b25df97315" }))
})
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" }
})
const applicationId = "78d335fa-323d-0114-9c3d-d6f0d48968cf"
const vonage = new Vonage({ applicationId, privateKey }, { apiHost: `http://127.0.0.1:${server.address().port}` })
await vonage.verify2.newRequest({ brand: "Shop", workflow: [{ channel: "sms", to: "4915123456789" }] })
server.close()
server.closeAllConnections()
const { version } = JSON.parse(readFileSync("node_modules/@vonage/server-sdk/package.json", "utf8"))
console.log(`@vonage/server-sdk ${version} says`, agents)
assert.equal(version, "3.30.1")
assert.match(agents[0], /^@vonage\/server-sdk\/3\.0\.0/)
JS
node run.mjs
