import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import type { Interrupts } from './interrupts'

/** A command of a shell, and where it runs. */
export interface Command {
  readonly text: string
  readonly cwd: string
  /** Added to that of this process. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The files that its output goes to: without a pipe, nothing of it waits or is lost. */
  readonly outFile: string
  readonly errFile: string
  readonly timeoutMs: number
}

/** How a command ended. */
export interface CommandEnd {
  /** Null: it ended with 0. `timeout`, `exit 1`, `killed by SIGSEGV`, `cannot be started: …`. */
  readonly failure: string | null
  readonly startedAt: string
  readonly durationMs: number
}

/** After SIGTERM, before SIGKILL. */
const graceMs = 2_000
/** The wall clock may be set by so much while a command runs, or this share of its time. */
const maxJumpMs = 1_000
const maxJumpRatio = 0.02

/** The wall clock, and one that only runs forward, in ms; tests pass others. */
export interface Clocks {
  wallMs(): number
  steadyMs(): number
}
export const systemClocks: Clocks = { wallMs: () => Date.now(), steadyMs: () => performance.now() }

/**
 * Runs a command in a process group of its own, so that it and all that it started can be killed. Never throws for what
 * the command does; throws what opening its files throws (a full disk).
 */
export async function runCommand(
  command: Command,
  interrupts: Interrupts,
  clocks: Clocks = systemClocks,
): Promise<CommandEnd> {
  const [out, err] = [await open(command.outFile, 'w'), await open(command.errFile, 'w')]
  const began = { wall: clocks.wallMs(), steady: clocks.steadyMs() }
  try {
    const failure = await carryOut(command, { out: out.fd, err: err.fd }, interrupts)
    const durationMs = clocks.steadyMs() - began.steady
    const jumpMs = Math.round(clocks.wallMs() - began.wall - durationMs)
    const hasJumped = Math.abs(jumpMs) > Math.max(maxJumpMs, maxJumpRatio * durationMs)
    const jump = hasJumped ? `the clock jumped by ${(jumpMs / 1_000).toFixed(1)} s` : null
    return { failure: failure ?? jump, startedAt: new Date(began.wall).toISOString(), durationMs }
  } finally {
    await Promise.all([out.close(), err.close()])
  }
}

function carryOut(
  { text, cwd, env, timeoutMs }: Command,
  files: { readonly out: number; readonly err: number },
  interrupts: Interrupts,
): Promise<string | null> {
  const child = spawn(text, {
    cwd,
    env: { ...process.env, ...env },
    shell: true,
    detached: true,
    stdio: ['ignore', files.out, files.err],
  })
  let reason: string | null = null
  let forced: NodeJS.Timeout | null = null
  const kill = (why: string) => {
    if (reason !== null) return
    reason = why
    signalGroup(child.pid, 'SIGTERM')
    forced = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceMs)
  }
  const timer = setTimeout(() => kill('timeout'), timeoutMs)
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(`cannot be started: ${error.message}`))
    child.once('exit', (code, signal) => {
      // What it left behind after it was told to end goes with it.
      if (reason !== null) signalGroup(child.pid, 'SIGKILL')
      resolve(reason ?? (signal === null ? (code === 0 ? null : `exit ${code ?? ''}`) : `killed by ${signal}`))
    })
  })
  return interrupts
    .during(ended, () => kill('interrupted'))
    .finally(() => {
      clearTimeout(timer)
      if (forced !== null) clearTimeout(forced)
    })
}

/** A group that is gone needs no signal. */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
