import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { compare } from './compare'
import type { Terminal } from './terminal'
import { exits, UsageError } from './usage'

/** `tailboard open A B`: compares as `compare` does, and opens the page with its charts in a browser. */
export async function open(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args.some((arg) => /^--html(?:=|$)/.test(arg))) throw new UsageError('open names the page itself: use compare')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-')).catch((error: unknown) => {
    throw new UsageError(`the page cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  })
  const page = path.join(folder, 'comparison.html')
  const exit = await compare([`--html=${page}`, ...args], terminal)
  if (exit === exits.unreadable) return exit
  terminal.print(`\n${page}\n`)
  if (!(await openInBrowser(page, terminal))) terminal.report('tailboard: no browser could be opened\n')
  return exit
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** `BROWSER` names another program. */
async function openInBrowser(page: string, { env }: Terminal): Promise<boolean> {
  const [program = '', ...args] = env['BROWSER'] ? [env['BROWSER']] : (openers[process.platform] ?? ['xdg-open'])
  const child = spawn(program, [...args, page], { stdio: 'ignore', detached: true })
  const isStarted = once(child, 'spawn').then(
    () => true,
    () => false,
  )
  child.unref()
  return isStarted
}
