#!/usr/bin/env bash
# libphonenumber-js counts its own example of a mobile number of the Isle of Man as British.
#
# One would expect: the country of `getExampleNumber("IM", examples)` is IM, as GG and JE are of theirs.
# What happens: it is GB, with the metadata "min" and with "max": the range 7924 is in both plans, and Britain's is asked first.
# What follows: packages/guards/test/Doubts.test.ts takes countries without mobile numbers of their own from the examples, but IM.
#
# libphonenumber-js 1.13.16, 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund libphonenumber-js@1.13.16 >/dev/null
cat >run.mjs <<'JS'
import assert from "node:assert/strict"
import { createRequire } from "node:module"
import { getExampleNumber, parsePhoneNumberFromString as min } from "libphonenumber-js/min"
import { parsePhoneNumberFromString as max } from "libphonenumber-js/max"

const examples = createRequire(import.meta.url)("libphonenumber-js/examples.mobile.json")
const seen = ["IM", "GG", "JE"].map((country) => {
  const { number } = getExampleNumber(country, examples)
  return [country, number, min(number)?.country, max(number)?.country]
})
for (const [country, number, one, other] of seen)
  console.log("libphonenumber-js 1.13.16", country, number, `min ${one}, max ${other}`)
assert.deepEqual(seen.map(([, , ...found]) => found), [["GB", "GB"], ["GG", "GG"], ["JE", "JE"]])
JS
node run.mjs
