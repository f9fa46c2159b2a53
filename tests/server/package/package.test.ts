import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readDockerfile } from '../../dockerfile'
import { startPostgres } from '../../postgres'
import { startBucket } from '../../s3-server'
import { acceptOwner, accountsEnv } from '../../shared-servers'
import { startApp } from '../app'
import { cookieOf, expectPages, Installed, makeToken, run, signIn, sizeOf, uploadTwo } from './installed'

/** `npm run test:package`: what `npm run package` makes, installed into empty folders. Two minutes, so not in `npm test`. */
const isAsked = process.env['TAILBOARD_PACKAGE'] !== undefined
const maxPackedBytes = 40e6
const maxInstalledBytes = 150e6

const postgres = isAsked ? await startPostgres() : null
const wrk = path.resolve('tests/fixtures/wrk-text/latency.txt')
const dockerfile = await readDockerfile()
let folder = ''
let version = ''
let installed: Installed
/** Of an installation with accounts, on PostgreSQL and with raw files in a bucket. */
let backup = ''
const secrets = accountsEnv()

const say = (line: string) => void process.stdout.write(`${line}\n`)
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

describe.runIf(isAsked)('the package', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-installed-'))
    backup = path.join(folder, 'of-postgres.tar')
    version = z.object({ version: z.string() }).parse(JSON.parse(await readFile('package.json', 'utf8'))).version
    await run('npm', ['run', '-s', 'package'])
    const file = path.resolve(`tailboard-${version}.tgz`)
    const packed = (await stat(file)).size
    // The action's step installs as a person does.
    await run('bash', [path.resolve('action/install.sh')], folder, { TAILBOARD_PACKAGE: file, RUNNER_TEMP: folder })
    installed = new Installed(path.join(folder, 'tailboard'))
    const unpacked = await sizeOf(installed.folder)
    say(`${megabytes(packed)} packed, ${megabytes(unpacked)} installed`)
    expect(packed).toBeLessThanOrEqual(maxPackedBytes)
    expect(unpacked).toBeLessThanOrEqual(maxInstalledBytes)
  }, 400_000)
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
    if (postgres?.kind === 'running') await postgres.stop()
  })

  it('says its version, and compares files', async () => {
    expect(await installed.command(['--version'])).toBe(`${version}\n`)
    expect(await installed.command(['compare', wrk, wrk])).toContain('p99')
  })

  it('brings the script of the GitLab component', async () => {
    const script = path.join(installed.folder, 'lib/node_modules/tailboard/action/compare.sh')
    const env = { TAILBOARD_COMMAND: installed.program, TAILBOARD_BASE: wrk, TAILBOARD_HEAD: wrk }
    expect(await run('bash', [script], folder, env)).toContain('| Metric |')
  })

  it('serves: an upload, its page, a comparison, and its samples; backed up meanwhile, and restored', async () => {
    const server = await installed.serve(['--data', 'data'])
    say(`First start: ${server.seconds.toFixed(1)} s`)
    let pages: readonly string[] = []
    try {
      const { url } = server
      expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready', version })
      expect(await (await fetch(`${url}/api/v1/projects`)).json()).toMatchObject({ projects: { length: 5 } })
      pages = await uploadTwo(url)
      await expectPages(url, pages)
      expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok', version })
      expect((await (await fetch(`${url}/learn`)).text()).replaceAll('<!-- -->', '')).toContain(`Tailboard ${version}`)
      expect(await installed.command(['backup', 'one.tar', '--data', 'data'])).toContain('verified')
    } finally {
      await server.stop()
    }
    expect(await installed.command(['restore', 'one.tar', '--data', 'again'])).toMatch(/^Restored the backup of /)
    const again = await installed.serve(['--data', 'again'])
    say(`Next start: ${again.seconds.toFixed(1)} s`)
    await expectPages(again.url, pages).finally(() => again.stop())
    await expect(installed.command(['restore', 'one.tar', '--data', 'again'])).rejects.toMatchObject({ code: 78 })
  })

  it('opens the data of a clone', async () => {
    const dataFolder = path.join(folder, 'of-a-clone')
    const clone = await startApp({ dataFolder })
    const pages = await uploadTwo(clone.url).finally(() => clone.stop())
    const server = await installed.serve(['--data', dataFolder])
    await expectPages(server.url, pages).finally(() => server.stop())
  })

  it('runs as the Dockerfile says, with accounts, on PostgreSQL, with a bucket', async ({ skip }) => {
    if (postgres?.kind !== 'running') return skip()
    const place = path.join(folder, 'image')
    const [, install = ''] = dockerfile.runs
    await run('bash', ['-ec', install.replaceAll('/package/', `${process.cwd()}/`)], folder, {
      npm_config_prefix: place,
    })
    const image = new Installed(place)
    const data = path.join(place, 'data')
    const bucket = await startBucket()
    const env = {
      ...{ ...dockerfile.env, HOST: '127.0.0.1', TAILBOARD_DATA: data },
      ...{ DATABASE_URL: await postgres.createDatabase(), ...bucket.env, ...secrets },
    }
    try {
      const server = await image.serve([], env, dockerfile.command)
      say(`First start on PostgreSQL: ${server.seconds.toFixed(1)} s`)
      const { url } = server
      const [node = '', ...check] = dockerfile.healthCheck
      const isHealthy = () =>
        run(
          node,
          check.map((word) => word.replace('http://127.0.0.1:3000', url)),
        )
      try {
        await isHealthy()
        const session = await acceptOwner(url, server.output())
        const token = await makeToken(url, session)
        expect((await fetch(`${url}/api/v1/projects/mine/uploads`, { method: 'POST', body: 'x' })).status).toBe(401)
        const pages = await uploadTwo(url, { authorization: `Bearer ${token}` })
        await expectPages(url, pages, cookieOf(session))
        expect((await fetch(url + (pages[0] ?? ''), { redirect: 'manual' })).status).toBe(307)
        expect(await image.command(['backup', backup], env)).toContain('verified')
      } finally {
        await server.stop()
      }
      await expect(isHealthy()).rejects.toThrow()
    } finally {
      await bucket.stop()
    }
  })

  it('without argon2 and without a network: serves, with scrypt, and says what it cannot verify', async ({ skip }) => {
    if (postgres?.kind !== 'running') return skip()
    const place = path.join(folder, 'bare')
    const offline = ['--offline', '--omit=optional', '--cache', path.join(folder, 'no-cache'), '--prefix', place]
    await run('npm', ['install', '--global', ...offline, path.resolve(`tailboard-${version}.tgz`)], folder)
    const bare = new Installed(place)
    await expect(stat(path.join(place, 'lib/node_modules/tailboard/node_modules/@node-rs'))).rejects.toThrow()
    await bare.command(['restore', backup, '--data', 'restored'])
    const server = await bare.serve(['--data', 'restored'], { ...secrets, TAILBOARD_OWNER_LINK: '1' })
    try {
      const { url } = server
      const [status, said] = await signIn(url, 'first@example.com', 'the first has a long password')
      expect([status, said]).toEqual([401, expect.stringContaining('install @node-rs/argon2')])
      expect(server.output()).toMatch(/^Account \w+ could not sign in\. Its password was stored with argon2/m)
      const [, token = ''] = /\/invitations\/([\w-]{43})/.exec(server.output()) ?? []
      const second = { email: 'second@example.com', password: 'the second has one of scrypt' }
      const accepted = await fetch(`${url}/api/v1/invitations/accept`, {
        ...{ method: 'POST', headers: { origin: url, accept: 'application/json' } },
        body: JSON.stringify({ token, name: 'Second', ...second }),
      })
      expect(accepted.status).toBe(200)
      expect((await signIn(url, second.email, second.password))[0]).toBe(204)
    } finally {
      await server.stop()
    }
    const password = (await bare.command(['password', 'first@example.com', '--data', 'restored'])).trim()
    const again = await bare.serve(['--data', 'restored'], secrets)
    const [status] = await signIn(again.url, 'first@example.com', password).finally(() => again.stop())
    expect(status).toBe(204)
  })
})
