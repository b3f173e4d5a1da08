/** Logto publishes its connectors without types. */
declare module "@logto/connector-http-sms" {
  import type { sendMessageDataGuard } from "@logto/connector-kit"

  interface Options {
    readonly getConfig: () => Promise<{ readonly endpoint: string; readonly authorization: string }>
  }

  /** As Logto's core makes a connector, and has it send a message. */
  const createConnector: (options: Options) => Promise<{
    readonly sendMessage: (data: ReturnType<typeof sendMessageDataGuard.parse>) => Promise<unknown>
  }>
  export default createConnector
}
