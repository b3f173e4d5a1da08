/**
 * The connections of the service: carriers, webhooks, and its own processes.
 */
import { Head } from "../Head.tsx"
import { can } from "../session.ts"
import { Carriers } from "./Carriers.tsx"
import { Processes } from "./Processes.tsx"
import { StartSettings } from "./StartSettings.tsx"
import { Webhooks } from "./Webhooks.tsx"

export const Connections = () => (
  <>
    <Head title="Connections" says="Carriers that deliver messages, and processes that run the service." />
    {can("carrier list") && <Carriers />}
    <Webhooks />
    {can("process list") && <Processes />}
    {can("settings") && <StartSettings />}
  </>
)
