#!/usr/bin/env bash
# openid-client leaves the query of a redirect address out of the request for tokens.
#
# One would expect: `redirect_uri` of the request for tokens is the one of the authorization request (RFC 6749, section 4.1.3), where a
# registered address may have a query (section 3.1.2): `https://app.example/back?tenant=7`.
# What happens: authorizationCodeGrant makes it from the address that the user came back to, without any query; the server refuses, and
# there is no parameter for it.
# What follows: Watchword's page for Telegram Login has an address without a query, and its client remembers the address that it sent.
#
# openid-client 6.9.0, 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund openid-client@6.9.0 >/dev/null
cat >run.mjs <<'JS'
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { ClientSecretBasic, Configuration, allowInsecureRequests, authorizationCodeGrant, buildAuthorizationUrl } from "openid-client"

let sent = null
const server = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk) => (body += chunk))
  request.on("end", () => {
    sent = new URLSearchParams(body).get("redirect_uri")
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ access_token: "a", token_type: "bearer" }))
  })
})
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
const issuer = `http://127.0.0.1:${server.address().port}`
const metadata = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
const configuration = new Configuration(metadata, "client", "secret", ClientSecretBasic("secret"))
allowInsecureRequests(configuration)
const registered = "https://app.example/back?tenant=7"
const link = buildAuthorizationUrl(configuration, { redirect_uri: registered, scope: "openid" })
await authorizationCodeGrant(configuration, new URL(`${registered}&code=c`))
server.close()
server.closeAllConnections()
const { version } = JSON.parse(readFileSync("node_modules/openid-client/package.json", "utf8"))
console.log(`openid-client ${version} asks for a code with`, link.searchParams.get("redirect_uri"))
console.log(`openid-client ${version} asks for tokens with`, sent)
assert.equal(version, "6.9.0")
assert.equal(link.searchParams.get("redirect_uri"), registered)
assert.equal(sent, "https://app.example/back")
JS
node run.mjs
