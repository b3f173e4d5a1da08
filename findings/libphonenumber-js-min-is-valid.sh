#!/usr/bin/env bash
# With its smaller metadata libphonenumber-js takes numbers of ended plans for valid, which the whole metadata refuses.
#
# One would expect: `isValid` of one number is the same with `min` and `max`, but for the type.
# What happens: mobile numbers of Brazil without the ninth digit, of Viet Nam with eleven digits and of Egypt with ten are valid
# with `min` and not with `max`: `min` has one pattern for all types of numbers of a country, written to be short.
# What follows: packages/schemas/src/phone/OldPlans.ts marks such changes as unmistakable.
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
import * as max from "libphonenumber-js/max"
import * as min from "libphonenumber-js/min"

const numbers = ["+551187654321", "+841201234567", "+20101234567"]
const valid = ({ parsePhoneNumberFromString }) => numbers.map((number) => parsePhoneNumberFromString(number)?.isValid())
console.log("libphonenumber-js 1.13.16", numbers, "min", valid(min), "max", valid(max))
assert.deepEqual([valid(min), valid(max)], [[true, true, true], [false, false, false]])
JS
node run.mjs
