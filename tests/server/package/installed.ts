import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { z } from 'zod'

export type Env = Readonly<Record<string, string>>

/** Runs a command to its end; its output. Throws with all that it printed if it exits with anything but 0. */
export async function run(file: string, args: readonly string[], cwd = '.', env: Env = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(file, [...args], { cwd, env: { ...process.env, ...env } })
  return stdout
}

/** Bytes of all files in a folder and below. */
export async function sizeOf(place: string): Promise<number> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(path.join(entry.parentPath, entry.name))).size)
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
}

/** A server of an installed package. */
export interface Served {
  readonly url: string
  /** How long it took until it listened, s. */
  readonly seconds: number
  output(): string
  /** Ends it as a signal does; it must exit with 0. */
  stop(): Promise<void>
}

/** A package that npm installed into a folder. */
export class Installed {
  readonly program: string
  constructor(readonly folder: string) {
    this.program = path.join(folder, 'bin', 'tailboard')
  }

  /** The environment of a person who has no clone. */
  private readonly env = (given: Env): NodeJS.ProcessEnv => ({
    ...{ PATH: `${path.join(this.folder, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: this.folder },
    NODE_ENV: 'development',
    ...given,
  })

  /** Runs its command to the end, as `run` does. */
  async command(args: readonly string[], env: Env = {}): Promise<string> {
    const { stdout } = await promisify(execFile)(this.program, [...args], { cwd: this.folder, env: this.env(env) })
    return stdout
  }

  /** Starts it on a free port, and waits until it is there. */
  async serve(args: readonly string[], env: Env = {}, command: readonly string[] = ['tailboard', 'serve']) {
    const [program = '', ...words] = command
    const child = spawn(program, [...words, ...args], {
      cwd: this.folder,
      env: this.env({ PORT: '0', ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return untilServed(child)
  }
}

async function untilServed(child: ChildProcess): Promise<Served> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)))
  const startedMs = performance.now()
  const sinceS = () => (performance.now() - startedMs) / 1_000
  for (;;) {
    const url = /Tailboard is at (http:[^\s"]+)/.exec(output)?.[1]
    if (url !== undefined) {
      const stop = async () => {
        child.kill('SIGTERM')
        await once(child, 'exit')
        expect(child.exitCode).toBe(0)
      }
      return { url, seconds: sinceS(), output: () => output, stop }
    }
    if (child.exitCode !== null || sinceS() > 120) {
      child.kill('SIGKILL')
      throw new Error(`It did not start:\n${output}`)
    }
    await sleep(20)
  }
}

/** Uploads two runs of one file's text; the paths of their pages. */
export async function uploadTwo(origin: string, headers: Env = {}): Promise<readonly string[]> {
  const text = await readFile('tests/fixtures/wrk-text/latency.txt', 'utf8')
  const pages: string[] = []
  for (const variant of ['plain', 'gzip']) {
    const address = `${origin}/api/v1/projects/mine/uploads?create=1&name=wrk.txt&variant=${variant}`
    const response = await fetch(address, { method: 'POST', body: `${text}\n# ${variant}\n`, headers })
    expect(response.status).toBe(201)
    pages.push(new URL((await response.text()).trim().split('\n')[0] ?? '').pathname)
  }
  return pages
}

/** The pages of two runs, with their styles, and that of their comparison. */
export async function expectPages(origin: string, pages: readonly string[], headers: Env = {}): Promise<void> {
  const [first = '', second = ''] = pages
  const page = await fetch(origin + first, { headers })
  expect(page.status).toBe(200)
  const html = await page.text()
  expect(html).toContain('plain')
  const style = /href="(\/_next\/static\/[^"]+\.css)"/.exec(html)?.[1] ?? ''
  expect((await fetch(origin + style)).status).toBe(200)
  const idOf = (place: string) => place.split('/').at(-1) ?? ''
  const compared = await fetch(`${origin}/p/mine/compare/${idOf(first)}...${idOf(second)}`, { headers })
  expect(compared.status).toBe(200)
  expect(await compared.text()).toContain('gzip')
}

/** A token for everything that the account of a session may do. */
export async function makeToken(origin: string, session: string): Promise<string> {
  const response = await fetch(`${origin}/api/v1/account/tokens`, {
    method: 'POST',
    headers: { ...cookieOf(session), origin, accept: 'application/json' },
    body: JSON.stringify({ name: 'CI', scope: 'admin', project: null, days: 1 }),
  })
  return z.object({ token: z.string() }).parse(await response.json()).token
}

export const cookieOf = (session: string): Env => ({ cookie: `__Host-tailboard=${session}` })

/** Signs in with a password; the status, and what is said of a refusal. */
export async function signIn(origin: string, email: string, password: string): Promise<readonly [number, string]> {
  const headers = { origin, accept: 'application/json' }
  const response = await fetch(`${origin}/api/v1/session`, {
    ...{ method: 'POST', headers },
    body: JSON.stringify({ email, password }),
  })
  return [response.status, await response.text()]
}
