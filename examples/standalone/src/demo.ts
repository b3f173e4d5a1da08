/**
 * The introduction on an empty database: a demo account, a sandbox key and a command that works.
 */
import type { Watchword } from "watchword"

/** A number that the German regulator keeps for films. */
const DEMO_CALLER = "+493023125000"

/** Makes a demo account when there is no account yet, and prints how to use it. */
export const introduce = async (service: Watchword, baseUrl: string): Promise<void> => {
  if (await service.operator.hasAccounts()) return
  const account = await service.operator.createAccount({ name: "Demo", caller: DEMO_CALLER })
  const { key } = await service.operator.createKey({ account, sandbox: true })
  console.log(`
A demo account with a sandbox key was made; the key is shown this once.

  account id  ${account}
  key         ${key}

Send a code in the sandbox, free of charge:

  curl ${baseUrl}/sms \\
    -H 'x-account-id: ${account}' \\
    -H 'x-api-key: ${key}' \\
    -H 'content-type: application/json' \\
    -d '{"to": "+4915123456789", "text": "Your code is 123456"}'
`)
}
