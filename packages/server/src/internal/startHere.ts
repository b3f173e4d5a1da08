/**
 * The beginning of the page that describes the interface: the way of a newcomer to the first verification.
 *
 * @param baseUrl where the interface is, as a browser reaches it
 */
export const startHere = (baseUrl: string): string => {
  const base = baseUrl.startsWith("/") ? `https://otp.example.com${baseUrl.replace(/\/$/, "")}` : baseUrl
  return `One-time passcodes to a phone, over four channels behind one interface, and verifications over all of them.

## Start here

Each request has two headers: \`x-account-id\`, the id of an account, and \`x-api-key\`, a key of it; or the key alone, as
\`Authorization: Bearer sk_…\`. A server that starts on an empty database prints both for a demo account, unless it has a carrier; the operator makes others with \`watchword account
create\` and \`watchword key create --account acc_… --sandbox\`.

A key that begins with \`sk_test_\` is of the sandbox: nothing is sent, nothing is charged, and the last digits of a number
choose what its simulated carrier does. A key that begins with \`sk_live_\` sends.

Start a verification, read its code as the phone would show it, and check it:

\`\`\`sh
curl ${base}/verifications \\
  -H 'authorization: Bearer sk_test_…' -H 'content-type: application/json' \\
  -d '{"to": "+4915123456789"}'

curl '${base}/sandbox/inbox?to=%2B4915123456789&wait=10' \\
  -H 'authorization: Bearer sk_test_…'

curl ${base}/verifications/check \\
  -H 'authorization: Bearer sk_test_…' -H 'content-type: application/json' \\
  -d '{"to": "+4915123456789", "code": "123456"}'
\`\`\`
`
}
