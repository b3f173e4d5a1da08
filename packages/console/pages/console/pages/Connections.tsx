/**
 * What the service is connected to: webhooks, carriers and its own processes.
 */
import { Webhooks } from "./Webhooks.tsx"
import { Head } from "../Head.tsx"

export const Connections = () => (
  <>
    <Head title="Connections" says="Who takes what this service sends, and who runs it." />
    <Webhooks />
  </>
)
