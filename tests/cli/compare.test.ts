import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparisonDataSchema } from '@/lib/export/comparison-data'
import { runCli } from './run-cli'
import { wrkReport } from './wrk-report'

let cwd = ''
const write = async (name: string, text: string) => {
  const file = path.join(cwd, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}
const compare = (args: readonly string[], given: Parameters<typeof runCli>[1] = {}) =>
  runCli(['compare', ...args], { cwd, ...given })

/** Which side ran first in each round, as drawn. */
const headFirst = [false, true, true, false, true, false, false, true]

beforeAll(async () => {
  cwd = await mkdtemp(path.join(os.tmpdir(), 'tailboard-cli-'))
  for (const [side, factor] of [
    ['base', 1],
    ['head', 1.2],
  ] as const)
    for (const [round, isHeadFirst] of headFirst.entries()) {
      const wander = 1 + 0.01 * Math.sin(round * 3 + factor)
      const file = await write(`${side}/run${round + 1}.txt`, wrkReport(factor * wander))
      const isSecond = (side === 'head') !== isHeadFirst
      const writtenS = 1_790_000_000 + 12 * (2 * round + (isSecond ? 1 : 0))
      await utimes(file, writtenS, writtenS)
    }
  await write('a.txt', wrkReport(1))
  await write('b.txt', wrkReport(3))
  await write('failing.txt', wrkReport(1, { failed: 4_000 }))
  await write('notes/README.md', 'Nothing of any tool.\n')
  await write('base-with-notes/one.txt', wrkReport(1))
  await write('base-with-notes/README.md', 'Nothing of any tool.\n')
})
afterAll(() => rm(cwd, { recursive: true }))

describe('repeats', () => {
  it('are judged in rounds by when their files were written, and a worse head exits with 1', async () => {
    const { exit, out, err } = await compare(['base', 'head'])
    expect(err).toBe('')
    expect(out).toMatch(/^p99, ms +5\.00 +6\.0\d +\+20\.0 % +\+19\.\d % to \+20\.\d % +worse, 8 rounds$/m)
    expect(out).toMatch(/^p99 is 20 % higher \(.*\) and Req\/s is 17 % lower/m)
    expect(exit).toBe(1)
    expect((await compare(['head', 'base'])).exit).toBe(0)
  })

  it('are the same as folders, globs and lists, whose options may follow', async () => {
    const { out } = await compare(['base', 'head', '--md'])
    expect((await compare(['base/*.txt', '--', 'head/*.txt', '--md'])).out).toBe(out)
    const files = (side: string) => headFirst.map((_, at) => `${side}/run${at + 1}.txt`)
    expect((await compare(['--md', ...files('base'), '--', ...files('head')])).out).toBe(out)
    expect(out).toMatch(
      /^\*\*p99 is 20\s% higher .* on head\.\*\*\n\n\| Metric \| base \(base\) \| head \| Change \| Verdict \|\n/,
    )
  })

  it('are not in rounds if all files were written at once', async () => {
    const now = new Date()
    for (const side of ['base', 'head'])
      for (const at of headFirst.keys()) {
        const text = wrkReport((side === 'head' ? 1.05 : 1) * (1 + 0.01 * Math.sin(at)))
        await utimes(await write(`checkout/${side}/${at}.txt`, text), now, now)
      }
    const { exit, out } = await compare(['checkout/base', 'checkout/head'])
    expect(out).toContain('The order of these runs is unknown')
    expect(exit).toBe(0)
  })
})

describe('one run a side', () => {
  it('is never worse, however far apart: it says what would decide, and exits with 0, or 3 with --strict', async () => {
    const { exit, out } = await compare(['a.txt', 'b.txt'])
    expect(exit).toBe(0)
    expect(out).not.toMatch(/\bworse\b/)
    expect(out).toMatch(/^p99, ms +5\.00 +15\.0 +\+200 % +n = 1$/m)
    expect(out.replaceAll('\n', ' ')).toMatch(/One run per side: .*8 rounds, a run of each side in turn, show how many/)
    expect((await compare(['a.txt', 'b.txt', '--md'])).out).toMatch(/^\| p99, ms .*\| n = 1 \|$/m)
    const { rows } = comparisonDataSchema.parse(JSON.parse((await compare(['a.txt', 'b.txt', '--json'])).out))
    expect(rows.find(({ metric }) => metric === 'p99')?.deltas).toMatchObject([{ word: 'n = 1', verdict: 'undecided' }])
    expect((await compare(['a.txt', 'b.txt', '--strict'])).exit).toBe(3)
    expect((await compare(['base', 'head', '--strict'])).exit).toBe(1)
  })

  it('fails if its requests fail', async () => {
    const { exit, out } = await compare(['a.txt', 'failing.txt'])
    expect(exit).toBe(1)
    expect(out).toContain('10 % of 40 000 requests failed on failing')
    expect((await compare(['failing.txt', 'a.txt'])).exit).toBe(0)
  })

  it('is compared with several', async () => {
    await write('slower.txt', wrkReport(1.2))
    const { exit, out } = await compare(['base', 'slower.txt'])
    expect(exit).toBe(0)
    expect(out).toMatch(/^base {2}base, 8 runs\nhead {2}slower\n/)
    expect(out).toMatch(/^Undecided: p99 \+20 % .* on slower; \d+ more rounds would decide\.$/m)
    expect(out).toContain('slower ran after base: a step of the machine')
  })
})

describe('what a reader must know first', () => {
  it('is that both sides are one file', async () => {
    const { exit, out } = await compare(['a.txt', 'a.txt'])
    expect(out).toContain('Two sides are the same file.')
    expect(exit).toBe(0)
  })

  it('is that tools or loads differ, above the table', async () => {
    await write('hey.txt', wrkReport(1, { connections: 64 }))
    const { out } = await compare(['a.txt', 'hey.txt'])
    expect(out).toMatch(/What differs: Connections 8 → 64\n\nmetric/)
  })
})

describe('output', () => {
  it('is the comparison of the API as JSON', async () => {
    const data = comparisonDataSchema.parse(JSON.parse((await compare(['base', 'head', '--json'])).out))
    expect(data.sides.map(({ name, runIds }) => [name, runIds.length])).toEqual([
      ['base', 8],
      ['head', 8],
    ])
    expect(data.rows.find(({ metric }) => metric === 'p99')?.deltas[0]).toMatchObject({ verdict: 'worse', rounds: 8 })
    expect(data.runs[0]?.id).toBe('base/run1.txt')
  })

  it('is also a page of its own, with charts and without scripts', async () => {
    expect((await compare(['base', 'head', '--html', 'out.html'])).exit).toBe(1)
    const page = await readFile(path.join(cwd, 'out.html'), 'utf8')
    expect(page).toMatch(/<h1>p99 is 20\s% higher/)
    expect(page).toContain('<svg')
    expect(page).toContain('--series-1')
    expect(page).not.toContain('<script')
    const refused = await compare(['base', 'head', '--html', 'nowhere/out.html'])
    expect(refused.exit).toBe(2)
    expect(refused.err).toMatch(/cannot be written: ENOENT/)
  })

  it('is opened in a browser', async () => {
    const { exit, out, err } = await runCli(['open', 'a.txt', 'b.txt'], { cwd, env: { BROWSER: 'true' } })
    expect([exit, err]).toEqual([0, ''])
    const page = out.trim().split('\n').at(-1) ?? ''
    expect(await readFile(page, 'utf8')).toContain('<svg')
    await rm(path.dirname(page), { recursive: true })
    const without = await runCli(['open', 'a.txt', 'b.txt'], { cwd, env: { BROWSER: '/nowhere/browser' } })
    expect(without.err).toBe('tailboard: no browser could be opened\n')
  })

  it.each([20, 40, 60, 80, 120])('fits in %i columns', async (columns) => {
    for (const args of [
      ['base', 'head'],
      ['a.txt', 'failing.txt'],
      ['a.txt', 'b.txt', 'failing.txt'],
    ]) {
      const { out } = await compare(args, { columns })
      for (const line of out.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(Math.max(columns, 24))
    }
  })

  it('draws the percentiles of two sides from 100 columns on', async () => {
    const { out } = await compare(['a.txt', 'b.txt'], { columns: 100 })
    expect(out).toMatch(/^ {5}1\.90 ms +27\.0 ms$/m)
    expect(out).toMatch(/^p50 {2}○─+●$/m)
    expect(out).toMatch(/^Max {3,}○─+●$/m)
    expect((await compare(['a.txt', 'b.txt'], { columns: 99 })).out).not.toContain('●')
    expect((await compare(['a.txt', 'b.txt', 'failing.txt'], { columns: 120 })).out).not.toContain('●')
  })

  it('is coloured on a terminal only, and not with NO_COLOR or a dumb terminal', async () => {
    const args = ['base', 'head'] as const
    const plain = (await compare(args)).out
    const coloured = (await compare(args, { isTerminal: true })).out
    expect(coloured).toContain('\u001b[31mworse, 8 rounds\u001b[39m')
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain)
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
      expect((await compare(args, { isTerminal: true, env })).out).toBe(plain)
  })

  it('pairs the runs of documents by their names', async () => {
    const sample = path.join(import.meta.dirname, '../../public/sample-data/zlib-gzip.md')
    const { out } = await compare([sample, sample])
    expect(out.match(/^metric/gm)).toHaveLength(4)
    expect(JSON.parse((await compare([sample, sample, '--json'])).out)).toMatchObject({ comparisons: { length: 4 } })
  })
})

describe('input', () => {
  it('is read from a pipe', async () => {
    const { exit, out } = await compare(['a.txt', '-'], { input: Buffer.from(wrkReport(1)) })
    expect(out).toContain('base  a\nhead  -\n')
    expect(exit).toBe(0)
  })

  it('may be two files of one name: their folders tell them apart', async () => {
    await write('old/out.txt', wrkReport(1))
    await write('new/out.txt', wrkReport(1.2))
    const { exit, out } = await compare(['old/out.txt', 'new/out.txt'])
    expect(out).toContain('base  old\nhead  new\n')
    expect(exit).toBe(0)
  })

  it('may have the line ends of Windows, and names with spaces and letters of any script', async () => {
    const name = 'vorher – nach/Läufe 1.txt'
    await write(name, wrkReport(1.2).replaceAll('\n', '\r\n'))
    await write('unix/Läufe 1.txt', wrkReport(1.2))
    const rowsOf = async (file: string) =>
      comparisonDataSchema.parse(JSON.parse((await compare(['a.txt', file, '--json'])).out)).rows
    expect(await rowsOf(name)).toEqual(await rowsOf('unix/Läufe 1.txt'))
    expect(await rowsOf(`.${path.sep}${name}`)).toEqual(await rowsOf(path.join(cwd, name)))
  })

  it('is read whatever happens to the page: where none can be written, one line says so', async () => {
    const file = path.join(cwd, 'a.txt', 'page.html')
    const { exit, err } = await compare(['a.txt', 'b.txt', '--html', 'a.txt/page.html'])
    expect(exit).toBe(2)
    expect(err).toMatch(/^tailboard: .* cannot be written: ENOTDIR.*\. See: tailboard help compare\n$/)
    expect(err).toContain(file)
  })

  it('may have other files beside results in a folder', async () => {
    const { exit, err } = await compare(['base-with-notes', 'a.txt'])
    expect([exit, err]).toEqual([0, ''])
  })

  it.each([
    [['notes', 'a.txt'], 'notes: There is no result in the folder.\n'],
    [['nowhere.txt', 'a.txt'], 'tailboard: There is no file nowhere.txt. See: tailboard help compare\n'],
    [['x*.txt', 'a.txt'], 'tailboard: There is no file x*.txt. See: tailboard help compare\n'],
    [['a.txt'], 'tailboard: compare needs two sides. See: tailboard help compare\n'],
    [['a.txt', '--'], 'tailboard: a side has no file. See: tailboard help compare\n'],
    [['a.txt', 'b.txt', '--fast'], "tailboard: Unknown option '--fast'. See: tailboard help compare\n"],
    [['a.txt', 'b.txt', '--metrics', 'p98'], 'tailboard: no metric is called p98. See: tailboard help compare\n'],
    [
      ['a.txt', 'b.txt', '--json', '--md'],
      'tailboard: --json and --md exclude each other. See: tailboard help compare\n',
    ],
  ])('%j is refused in one line, with 2', async (args, line) => {
    expect(await compare(args)).toEqual({ exit: 2, out: '', err: line })
  })
})
