import type { Terminal } from '../terminal'

/** What a shell expects of a command that SIGINT ended. */
export const interruptedExit = 130

/**
 * Ctrl-C: the first one ends after the current round, a second one, SIGTERM or SIGHUP kills what runs. `end` lets the signals
 * work as before.
 */
export class Interrupts {
  private count = 0
  private kill: (() => void) | null = null
  private wake: (() => void) | null = null

  constructor(private readonly terminal: Pick<Terminal, 'report'>) {
    process.on('SIGINT', this.interrupt)
    process.on('SIGTERM', this.terminate)
    process.on('SIGHUP', this.terminate)
  }

  /** Whether it is to end before the next round. */
  get isAsked(): boolean {
    return this.count > 0
  }

  /** Whether it is to end now. */
  get isNow(): boolean {
    return this.count > 1
  }

  /** Calls `kill` when it is to end now, until `task` is over. */
  async during<T>(task: Promise<T>, kill: () => void): Promise<T> {
    this.kill = kill
    if (this.isNow) kill()
    try {
      return await task
    } finally {
      this.kill = null
    }
  }

  /** Waits, unless it is to end before. */
  async sleep(ms: number): Promise<void> {
    if (ms <= 0 || this.isNow) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.wake = null
  }

  end(): void {
    process.off('SIGINT', this.interrupt)
    process.off('SIGTERM', this.terminate)
    process.off('SIGHUP', this.terminate)
  }

  private readonly interrupt = (): void => {
    this.count += 1
    if (this.count === 1)
      this.terminal.report('\ntailboard: ends after this round, which is still measured. Ctrl-C again kills it.\n')
    else this.stop()
  }

  private readonly terminate = (): void => {
    this.count = Math.max(2, this.count + 1)
    this.stop()
  }

  private stop(): void {
    this.kill?.()
    this.wake?.()
  }
}
