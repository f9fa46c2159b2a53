/** Stored on globalThis: the server script and Next's bundles are separate copies of this module in one process. */
const key = Symbol.for('tailboard.shutdown')
type Closer = () => Promise<void>

function closers(): Closer[] {
  const holder = globalThis as { [key]?: Closer[] }
  return (holder[key] ??= [])
}

/** Registers what to close before the process ends (the database). */
export function onShutdown(close: Closer): void {
  closers().push(close)
}

/** Stored on globalThis, as above. */
const stoppingKey = Symbol.for('tailboard.stopping')

function enders(): (() => void)[] {
  const holder = globalThis as { [stoppingKey]?: (() => void)[] }
  return (holder[stoppingKey] ??= [])
}

/** Registers what ends responses that would never end by themselves: open requests are waited for. */
export function whenStopping(end: () => void): void {
  enders().push(end)
}

/** Ends them, when no more requests are to be accepted. */
export function endStreams(): void {
  for (const end of enders().splice(0)) end()
}

/** Closes everything that was registered, last first. One failure does not keep the others open. */
export async function shutDown(): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers().splice(0).reverse()) await close().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'Shutdown was incomplete')
}

/** From sysexits.h: the configuration in the environment or the data folder is unusable. */
export const EX_CONFIG = 78

/** Ends the process with one sentence: a start that only throws would leave a server that answers 500 to everything. */
export function failStart(error: unknown, exitCode = 1): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  if (process.env.TAILBOARD_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exit(exitCode)
}
