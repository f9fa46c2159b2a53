import { startApp, type RunningApp } from '../server/app'
import { startReceiver, type Receiver } from '../server/receiver'

/** A server whose pages carry facts, and the receiver of its webhooks. */
export interface FactsServer {
  readonly app: RunningApp
  readonly receiver: Receiver
  /** Its exit code. */
  stop(): Promise<number | null>
}

export async function startFactsServer(dataFolder: string): Promise<FactsServer> {
  const receiver = await startReceiver()
  const env = {
    TAILBOARD_FACTS: 'on',
    TAILBOARD_WEBHOOK_HTTP: '1',
    TAILBOARD_WEBHOOK_CIDRS: '127.0.0.1/32',
    TAILBOARD_WEBHOOK_PORTS: String(receiver.port),
  }
  const app = await startApp({ dataFolder, env })
  const stop = async () => {
    const code = await app.stop()
    await receiver.close()
    return code
  }
  return { app, receiver, stop }
}
