import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { baselineWasm } from '../baseline-wasm'

/** The real server in its own process, as `npm start` runs it, on a free port. */
export interface RunningApp {
  readonly url: string
  readonly process: ChildProcess
  /** Everything it printed so far. */
  output(): string
  /** SIGTERM, and its exit code. */
  stop(): Promise<number | null>
  /** SIGKILL; resolves once it has exited. */
  kill(): Promise<void>
}

interface AppOptions {
  readonly dataFolder: string
  readonly databaseUrl?: string | undefined
  readonly env?: Readonly<Record<string, string>>
  /** A command that runs in place of the server. */
  readonly through?: readonly string[]
}

/** Starts the server and waits for its URL. Throws with its output if it exits first. */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const app = launch(options)
  const deadline = Date.now() + 120_000
  for (;;) {
    const url = /Tailboard is at (http:[^\s"]+)/.exec(app.output())?.[1]
    if (url) return { ...app, url }
    if (app.process.exitCode !== null) throw new Error(`The server did not start:\n${app.output()}`)
    if (Date.now() > deadline) {
      await app.kill() // or it would keep running unnoticed
      throw new Error(`The server did not start within two minutes:\n${app.output()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Starts the server and waits until it exits on its own: its exit code and output. */
export async function startRefused(options: AppOptions): Promise<{ code: number | null; output: string }> {
  const app = launch(options)
  await once(app.process, 'exit')
  return { code: app.process.exitCode, output: app.output() }
}

function launch(options: AppOptions): Omit<RunningApp, 'url'> {
  const { DATABASE_URL: _outer, ...outer } = process.env
  // Benches, which run outside of vitest, measure what people run.
  const flags = process.env.VITEST === undefined ? [] : [baselineWasm]
  const [file = '', ...args] = [...(options.through ?? []), process.execPath, ...flags, 'scripts/start.js']
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...outer,
      NODE_ENV: 'production',
      PORT: '0',
      TAILBOARD_DATA: options.dataFolder,
      ...(options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {}),
      ...options.env,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'exit')
  return {
    process: child,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      await ended
      if (child.exitCode !== 0)
        process.stdout.write(`The server ended with ${child.exitCode}:\n${output.slice(-2_000)}\n`)
      return child.exitCode
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
