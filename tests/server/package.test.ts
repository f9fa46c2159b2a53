import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startApp } from './app'

/** `npm run test:package`: what `npm run package` makes, installed into an empty folder. Two minutes, so not in `npm test`. */
const isAsked = process.env['TAILBOARD_PACKAGE'] !== undefined
const maxPackedBytes = 40e6
const maxInstalledBytes = 150e6

let folder = ''
let version = ''
let port = 0
let program = ''

const run = (command: string, args: readonly string[], cwd = '.', env: Readonly<Record<string, string>> = {}) => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${status}: ${stdout}${stderr}`)
  return stdout
}

async function sizeOf(place: string): Promise<number> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(path.join(entry.parentPath, entry.name))).size)
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = z.object({ port: z.number() }).parse(server.address())
  server.close()
  await once(server, 'close')
  return address.port
}

/** Starts the installed server as a person does, in an environment that knows nothing of this clone. */
async function serve(data: string): Promise<ChildProcess> {
  const child = spawn(program, ['serve', '--data', data, '--port', String(port)], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const startedMs = performance.now()
  while (!output.includes('Tailboard is at')) {
    if (child.exitCode !== null || performance.now() - startedMs > 120_000)
      throw new Error(`It did not start:\n${output}`)
    await sleep(20)
  }
  process.stdout.write(`Up in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s\n`)
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(child.exitCode).toBe(0)
}

const at = (place: string) => `http://127.0.0.1:${port}${place}`
const wrk = 'tests/fixtures/wrk-text/latency.txt'

/** Uploads two runs of one file's text; the paths of their pages. */
async function uploadTwo(origin: string): Promise<readonly string[]> {
  const text = await readFile(wrk, 'utf8')
  const pages: string[] = []
  for (const variant of ['plain', 'gzip']) {
    const address = `${origin}/api/v1/projects/mine/uploads?create=1&name=wrk.txt&variant=${variant}`
    const response = await fetch(address, { method: 'POST', body: `${text}\n# ${variant}\n` })
    expect(response.status).toBe(201)
    pages.push(new URL((await response.text()).trim().split('\n')[0] ?? '').pathname)
  }
  return pages
}

async function expectPages([first = '', second = '']: readonly string[]): Promise<void> {
  const page = await fetch(at(first))
  expect(page.status).toBe(200)
  const html = await page.text()
  expect(html).toContain('plain')
  const style = /href="(\/_next\/static\/[^"]+\.css)"/.exec(html)?.[1] ?? ''
  expect((await fetch(at(style))).status).toBe(200)
  const idOf = (place: string) => place.split('/').at(-1) ?? ''
  const compared = await fetch(at(`/p/mine/compare/${idOf(first)}...${idOf(second)}`))
  expect(compared.status).toBe(200)
  expect(await compared.text()).toContain('gzip')
}

describe.runIf(isAsked)('the package', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-installed-'))
    version = z.object({ version: z.string() }).parse(JSON.parse(await readFile('package.json', 'utf8'))).version
    port = await freePort()
    run('npm', ['run', '-s', 'package'])
    const file = path.resolve(`tailboard-${version}.tgz`)
    const packed = (await stat(file)).size
    // The action's step installs as a person does.
    const place = path.join(folder, 'tailboard')
    run('bash', [path.resolve('action/install.sh')], folder, { TAILBOARD_PACKAGE: file, RUNNER_TEMP: folder })
    const installed = await sizeOf(place)
    process.stdout.write(`${(packed / 1e6).toFixed(1)} MB packed, ${(installed / 1e6).toFixed(1)} MB installed\n`)
    expect(packed).toBeLessThanOrEqual(maxPackedBytes)
    expect(installed).toBeLessThanOrEqual(maxInstalledBytes)
    program = path.join(place, 'bin', 'tailboard')
  }, 400_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('says its version, and compares files', () => {
    expect(run(program, ['--version'], folder)).toBe(`${version}\n`)
    const file = path.resolve(wrk)
    expect(run(program, ['compare', file, file], folder)).toContain('p99')
  })

  it('brings the script of the GitLab component', () => {
    const script = path.join(folder, 'tailboard/lib/node_modules/tailboard/action/compare.sh')
    const file = path.resolve(wrk)
    const env = { TAILBOARD_COMMAND: program, TAILBOARD_BASE: file, TAILBOARD_HEAD: file }
    expect(run('bash', [script], folder, env)).toContain('| Metric |')
  })

  it('serves: an upload, its page, a comparison, and its samples', async () => {
    const server = await serve('data')
    try {
      expect(await (await fetch(at('/readyz'))).json()).toMatchObject({ status: 'ready', version })
      expect(await (await fetch(at('/api/v1/projects'))).json()).toMatchObject({ projects: { length: 5 } })
      await expectPages(await uploadTwo(at('')))
      expect(await (await fetch(at('/healthz'))).json()).toEqual({ status: 'ok', version })
      expect((await (await fetch(at('/learn'))).text()).replaceAll('<!-- -->', '')).toContain(`Tailboard ${version}`)
    } finally {
      await stop(server)
    }
  })

  it('opens the data of a clone', async () => {
    const dataFolder = path.join(folder, 'of-a-clone')
    const clone = await startApp({ dataFolder })
    const pages = await uploadTwo(clone.url).finally(() => clone.stop())
    const server = await serve(dataFolder)
    try {
      await expectPages(pages)
    } finally {
      await stop(server)
    }
  })
})
