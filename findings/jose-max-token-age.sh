#!/usr/bin/env bash
# jose refuses a token whose signer's clock is one second ahead, as soon as an age is asked for.
#
# One would expect: `maxTokenAge: 60` refuses tokens older than 60 seconds, as a PASSporT of a call is to be refused (RFC 8224, section 6.2).
# What happens: it also refuses a token from one second in the future, which no option but `clockTolerance` lets through; without
# `maxTokenAge` a token from an hour in the future is accepted, because `iat` is not read.
# What follows: Watchword reads `iat` of a PASSporT itself, and allows five seconds both ways: the clocks of two carriers differ.
#
# jose 6.2.18, 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund jose@6.2.18 >/dev/null
cat >run.mjs <<'JS'
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { SignJWT, generateKeyPair, jwtVerify } from "jose"

const { privateKey, publicKey } = await generateKeyPair("ES256")
const currentDate = new Date("2026-11-29T12:00:00Z")
const tokenAt = (seconds) =>
  new SignJWT({ dest: { tn: ["493023125000"] }, orig: { tn: "4915123456789" } })
    .setProtectedHeader({ alg: "ES256", typ: "passport", ppt: "shaken" })
    .setIssuedAt(currentDate.getTime() / 1000 + seconds)
    .sign(privateKey)
const verified = async (seconds, options) => {
  const token = await tokenAt(seconds)
  return jwtVerify(token, publicKey, { currentDate, ...options }).then(
    () => "accepted",
    (error) => `${error.code}: ${error.message}`
  )
}

const { version } = JSON.parse(readFileSync("node_modules/jose/package.json", "utf8"))
const ahead = await verified(1, { maxTokenAge: 60 })
const tolerated = await verified(1, { maxTokenAge: 60, clockTolerance: 5 })
const unread = await verified(3_600, {})
console.log(`jose ${version}, one second ahead, maxTokenAge 60: ${ahead}`)
console.log(`jose ${version}, the same with clockTolerance 5: ${tolerated}`)
console.log(`jose ${version}, an hour ahead, without maxTokenAge: ${unread}`)
assert.equal(version, "6.2.18")
assert.match(ahead, /^ERR_JWT_CLAIM_VALIDATION_FAILED: .*in the past/)
assert.equal(tolerated, "accepted")
assert.equal(unread, "accepted")
JS
node run.mjs
