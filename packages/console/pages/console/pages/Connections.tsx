/**
 * The connections of the service: carriers, webhooks, and its own processes.
 */
import { Do } from "../Do.tsx"
import { Head } from "../Head.tsx"
import { can } from "../session.ts"
import { Carriers } from "./Carriers.tsx"
import { Processes } from "./Processes.tsx"
import { StartSettings } from "./StartSettings.tsx"
import { Webhooks } from "./Webhooks.tsx"

export const Connections = () => (
  <>
    <Head title="Connections" says="Carriers that deliver messages, and processes that run the service.">
      <Do
        command="alarm test"
        label="Send a test alarm"
        given={{}}
        says="A test goes to each destination of alarms, and the answers are shown."
      />
    </Head>
    {can("carrier list") && <Carriers />}
    <Webhooks />
    {can("process list") && <Processes />}
    {can("settings") && <StartSettings />}
  </>
)
