#!/usr/bin/env bash
# npm smpp writes a text of ASCII characters with data_coding 1, and its underscore as 0x11.
#
# One would expect: SMPP 3.4 §5.2.19 has "IA5 (CCITT T.50)/ASCII" for data_coding 1, in which an underscore is 0x5F.
# What happens: the encoding that the package calls ASCII is the alphabet of 3GPP TS 23.038, so a client that reads
# data_coding 1 as ASCII finds a control character in a message id such as ab_1 of a delivery receipt.
# What follows: packages/sms/src/internal/smpp/ReceiptText.ts reads control characters of a receipt in that alphabet.
#
# smpp 0.5.1, 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund smpp@0.5.1 >/dev/null
cat >run.js <<'JS'
const net = require("node:net")
const smpp = require("smpp")
const server = smpp.createServer((session) => {
  session.on("error", () => {})
  session.on("bind_transceiver", (pdu) => {
    session.send(pdu.response())
    session.deliver_sm({ esm_class: 4, source_addr: "4915123456789", short_message: "id:ab_1 stat:DELIVRD" })
  })
})
server.listen(0, "127.0.0.1", () => {
  const socket = net.connect(server.address().port, "127.0.0.1")
  const bind = Buffer.from("000000230000000900000000000000016964007365637265740000340000000000", "hex")
  bind.writeUInt32BE(bind.length, 0)
  socket.write(bind)
  let read = Buffer.alloc(0)
  socket.on("data", (chunk) => {
    read = Buffer.concat([read, chunk])
    for (let at = 0; at + 16 <= read.length && at + read.readUInt32BE(at) <= read.length; at += read.readUInt32BE(at)) {
      if (read.readUInt32BE(at + 4) !== 5) continue
      const text = read.indexOf("id:ab", at)
      const seen = { data_coding: read[text - 3], id: read.subarray(text + 3, text + 7).toString("hex") }
      console.log(`smpp ${require("smpp/package.json").version}: ${JSON.stringify(seen)}`)
      process.exit(seen.data_coding === 1 && seen.id === "61621131" ? 0 : 1)
    }
  })
})
setTimeout(() => process.exit(1), 10000)
JS
node run.js
