/**
 * The introduction on an empty database: a demo account, a sandbox key and a command that works.
 */
import type { Watchword } from "watchword"

/** A number that the German regulator keeps for films. */
const DEMO_CALLER = "+493023125000"

/**
 * Makes a demo account when there is no account yet, and prints how to use it.
 *
 * @param verifies whether there is a secret, without which no verification is started
 */
export const introduce = async (service: Watchword, baseUrl: string, verifies: boolean): Promise<void> => {
  const operator = service.operator.as("demo")
  if ((await operator.account.list()).accounts.length > 0) return
  const { account_id: account } = await operator.account.create({ name: "Demo", caller: DEMO_CALLER })
  const { key } = await operator.key.create({ account_id: account, sandbox: true })
  const headers = `-H 'x-account-id: ${account}' -H 'x-api-key: ${key}'`
  console.log(`
A demo account with a sandbox key was made; the key is shown this once.

  account id  ${account}
  key         ${key}

Send a text in the sandbox, free of charge:

  curl ${baseUrl}/sms \\
    ${headers} \\
    -H 'content-type: application/json' \\
    -d '{"to": "+4915123456789", "text": "Your code is 123456"}'

${verifies ? verification(baseUrl, headers) : SECRET}
`)
}

const verification = (baseUrl: string, headers: string): string =>
  `Or verify a number, and read the code as its phone would show it; docs/verify.md goes on from there:

  curl ${baseUrl}/verifications \\
    ${headers} \\
    -H 'content-type: application/json' \\
    -d '{"to": "+4915123456788"}'

  curl '${baseUrl}/sandbox/inbox?to=+4915123456788' \\
    ${headers}`

const SECRET = `Verifications need the secret of the installation, the same for all servers of this database. Make one, keep it, and
start again; docs/verify.md goes on from there:

  export VERIFY_SECRET="$(openssl rand -hex 32)"`
