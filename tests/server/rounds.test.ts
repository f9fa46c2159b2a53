import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { repeatsRef, writeSides } from '@/lib/judge/compare-url'
import { loadCommand } from '../cli/rounds/load-command'
import { runCli } from '../cli/run-cli'
import { heyText } from './feed-series'
import { shareServer, type SharedServer } from '../shared-servers'

let app: SharedServer
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-rounds-'))
  app = await shareServer('plain')
  await fetch(`${app.url}/api/v1/projects`, {
    method: 'POST',
    body: JSON.stringify({ name: 'Rounds', slug: 'rounds' }),
  })
})
afterAll(() => rm(folder, { recursive: true }))

const rowsSchema = z.object({
  rows: z.array(
    z.looseObject({
      id: z.string(),
      scenario: z.string(),
      variant: z.string(),
      startedAt: z.string(),
      labels: z.looseObject({ round: z.string(), rounds: z.string(), experiment: z.string() }),
    }),
  ),
})

it('tailboard rounds uploads the runs of each finished round, which the server judges as rounds', async () => {
  const project = `${app.url}/api/v1/projects/rounds`
  const args = ['--base', loadCommand(1), '--head', loadCommand(1.2), '--seed', 'drawn', '--matters', '5%']
  const names = ['--scenario', 'GET /checkout & more', '--names', 'main,new branch', '--label', 'commit=abc']
  const ran = await runCli(['rounds', ...args, '--to', app.url, '--project', 'rounds', ...names], {
    cwd: folder,
    env: {},
  })
  expect([ran.exit, ran.err]).toEqual([1, ''])
  const { rows } = rowsSchema.parse(await (await fetch(`${project}/runs`)).json())
  const rounds = Array.from({ length: rows.length / 2 }, (_, at) => at + 1)
  expect(rounds.length).toBeGreaterThanOrEqual(6)
  expect(rows.map(({ labels, variant }) => `${labels.round} ${variant}`).sort()).toEqual(
    rounds.flatMap((round) => [`${round} main`, `${round} new branch`]).sort(),
  )
  expect(new Set(rows.map(({ labels }) => labels.experiment))).toEqual(new Set(['drawn']))
  expect(rows.every(({ scenario, labels }) => scenario === 'GET /checkout & more' && labels.rounds === '24')).toBe(true)
  const newest = (name: string) => rows.find(({ variant }) => variant === name)?.id ?? ''
  const sides = writeSides(['main', 'new branch'].map((name) => [repeatsRef(newest(name))]))
  const page = await (await fetch(`${app.url}/p/rounds/compare/${sides}`)).text()
  expect(/<h1[^>]*>([^<]*)</.exec(page)?.[1]).toMatch(/p99 is 1\d|2\d.% higher/)
  expect(page).toContain(`${rounds.length} rounds`)
})

it('tailboard rounds takes what matters from the project, and says what its environment shows', async () => {
  const rule = { kind: 'change-point', metricIds: ['mean'], direction: 'worse', leastEffectRatio: 0.08 }
  const made = await fetch(`${app.url}/api/v1/projects/rounds/rules`, {
    method: 'POST',
    body: JSON.stringify({ settings: { ...rule, confirmRuns: 1, sensitivity: 'balanced' }, scenario: 'zone' }),
  })
  expect(made.status).toBe(201)
  const hey = loadCommand(1, { tool: 'hey' })
  const ran = await runCli(
    [
      ...['rounds', '--base', hey, '--head', hey, '--control', '--on', 'mean', '--seed', 'zone', '--max', '6'],
      ...['--to', app.url, '--project', 'rounds', '--scenario', 'zone', '--environment', 'bench-1'],
    ],
    { cwd: folder, env: {} },
  )
  const out = ran.out.replace(/\s+/g, ' ')
  expect([ran.exit, ran.err]).toEqual([0, ''])
  expect(out).toContain('What matters: 8 % of Mean.')
  expect(out).toContain('bench-1: Not certified yet: 1 of 8 experiments on identical code.')
  const page = await (await fetch(`${app.url}/p/rounds/environments/bench-1`)).text()
  expect(page).toContain('Not certified yet: 1 of 8 experiments on identical code')
})

it('compares every round of a long experiment, by ids or by one run per side', async () => {
  const project = `${app.url}/api/v1/projects/rounds`
  const rounds = 25
  for (let round = 0; round < rounds; round += 1) {
    const order = [1, 2, 4, 7, 9, 12, 13, 18, 19, 21, 23, 24].includes(round) ? ['new', 'old'] : ['old', 'new']
    for (const [at, variant] of order.entries()) {
      const value = (variant === 'new' ? 120 : 100) * (1 + 0.01 * Math.sin(7 * round + at))
      const query = new URLSearchParams({ scenario: 'long', variant, again: '1' })
      query.set('startedAt', new Date(Date.UTC(2026, 10, 20, 0, 10 * round + 5 * at)).toISOString())
      for (const label of [`round=${round}`, `rounds=${rounds}`, 'order=drawn', 'experiment=long'])
        query.append('label', label)
      const sent = await fetch(`${project}/uploads?${query}`, { method: 'PUT', body: heyText(value) })
      expect(sent.status).toBe(201)
    }
  }
  const { rows } = z
    .object({ rows: z.array(z.looseObject({ id: z.string(), variant: z.string(), startedAt: z.string() })) })
    .parse(await (await fetch(`${project}/runs?scenario=long&limit=100`)).json())
  const inTime = rows.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
  const [base, head] = ['old', 'new'].map((name) => inTime.flatMap(({ id, variant }) => (variant === name ? id : [])))
  if (!base || !head) throw new Error('two sides expected')
  expect([base.length, head.length]).toEqual([rounds, rounds])
  const read = async (sides: readonly (readonly string[])[], headers = {}) => {
    const page = await fetch(`${app.url}/p/rounds/compare/${writeSides(sides)}`, { headers })
    expect(page.status).toBe(200)
    return (await page.text()).replaceAll(/[\u00a0\u202f]/g, ' ')
  }
  const heading = (page: string) => /<h1[^>]*>([^<]*)</.exec(page)?.[1]
  // Next sends the address that a page was opened from, encoded twice, along with its own.
  const long = await read([base, head], { 'next-router-state-tree': 'x'.repeat(20_000) })
  const short = await read([base, head].map((ids) => [repeatsRef(ids.at(-1) ?? '')]))
  for (const page of [long, short]) {
    expect(page).toContain('25 rounds')
    expect(page).toContain('Charts draw 40 of 50 runs')
    expect(page).not.toContain('Compare all')
  }
  expect(heading(long)).toBe(heading(short))
  expect(heading(short)).toMatch(/ on new$/)
  // Part of it, as matrices link it, links to the whole.
  const part = await read([base.slice(-20), head.slice(-20)])
  expect(part).toContain('20 rounds')
  const all = writeSides([base, head].map((ids) => [repeatsRef(ids.at(-1) ?? '')]))
  expect(part).toMatch(new RegExp(`href="/p/rounds/compare/${all}"[^>]*>Compare all (<!-- -->)?25 \\+ 25`))
  // Links on the page of a short address are short, too.
  expect(short).toContain(`/api/v1/projects/rounds/compare/${all}/`)
}, 240_000)
