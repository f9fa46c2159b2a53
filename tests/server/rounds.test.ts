import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { repeatsRef, writeSides } from '@/lib/judge/compare-url'
import { heyText } from './feed-series'
import { plantedHistory } from './planted-history'
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
      scenario: z.string(),
      variant: z.string(),
      startedAt: z.string(),
      labels: z.looseObject({ round: z.string(), rounds: z.string(), experiment: z.string() }),
    }),
  ),
})

it('docs/rounds.sh alternates two commands and uploads each output with its round', async () => {
  const files = await Promise.all(
    plantedHistory()
      .slice(0, 2)
      .map(async ({ body }, at) => {
        const file = path.join(folder, `${at}.txt`)
        await writeFile(file, body)
        return file
      }),
  )
  const project = `${app.url}/api/v1/projects/rounds`
  const env = { ...process.env, TAILBOARD: project, SCENARIO: 'GET /checkout & more' }
  const [one = '', two = ''] = files.map((file) => `cat ${file}`)
  await promisify(execFile)(path.resolve('docs/rounds.sh'), ['3', 'main', one, 'new branch', two], { env })
  const { rows } = rowsSchema.parse(await (await fetch(`${project}/runs`)).json())
  expect(rows.map(({ labels, variant }) => `${labels.round} ${variant}`).sort()).toEqual(
    ['1', '2', '3'].flatMap((round) => [`${round} main`, `${round} new branch`]),
  )
  expect(new Set(rows.map(({ labels }) => labels.experiment)).size).toBe(1)
  expect(rows.every(({ scenario, labels }) => scenario === 'GET /checkout & more' && labels.rounds === '3')).toBe(true)
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

/** The variant uploaded first in each round, recorded by a fake curl. */
async function drawnOrder(rounds: number, name: string): Promise<readonly string[]> {
  const bin = await mkdtemp(path.join(folder, 'bin-'))
  const calls = path.join(bin, 'calls')
  await writeFile(path.join(bin, 'curl'), '#!/bin/sh\nfor last; do :; done\necho "$last" >> "$CALLS"\n', {
    mode: 0o755,
  })
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH ?? ''}`, TAILBOARD: 'http://nowhere', CALLS: calls }
  await promisify(execFile)(path.resolve('docs/rounds.sh'), [String(rounds), 'main', 'true', name, 'true'], { env })
  const asked = (await readFile(calls, 'utf8')).trim().split('\n')
  const uploads = asked.map((url) => {
    const { searchParams } = new URL(url)
    return { variant: searchParams.get('variant') ?? '', labels: searchParams.getAll('label') }
  })
  expect(uploads).toHaveLength(2 * rounds)
  return Array.from({ length: rounds }, (_, at) => {
    const pair = uploads.slice(2 * at, 2 * at + 2)
    expect(pair.map(({ variant }) => variant).sort()).toEqual([name, 'main'].sort())
    for (const { labels } of pair)
      expect(labels).toEqual(expect.arrayContaining([`round=${at + 1}`, `rounds=${rounds}`, 'order=drawn']))
    return pair[0]?.variant ?? ''
  })
}

it('docs/rounds.sh randomises which side comes first: each in half of the rounds, anew each time', async () => {
  const orders = await Promise.all(Array.from({ length: 4 }, () => drawnOrder(40, 'new branch')))
  for (const order of orders) {
    expect(order.filter((first) => first === 'main')).toHaveLength(20)
    // A pattern could match the machine's: 40 rounds of ABAB or ABBA are not random.
    expect(order.filter((first, at) => at > 0 && first !== order[at - 1]).length).toBeLessThan(39)
  }
  expect(new Set(orders.map(String)).size).toBe(4)
  // With an odd number, either side starts one more.
  const odd = await drawnOrder(7, 'b')
  expect([3, 4]).toContain(odd.filter((first) => first === 'main').length)
})

it('stops at a command whose output cannot be read', async () => {
  const env = { ...process.env, TAILBOARD: `${app.url}/api/v1/projects/rounds` }
  const ran = promisify(execFile)(path.resolve('docs/rounds.sh'), ['2', 'a', 'echo nothing', 'b', 'echo nothing'], {
    env,
  })
  await expect(ran).rejects.toMatchObject({ code: 22 })
})
