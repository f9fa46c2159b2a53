import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundleCli } from '@/scripts/bundle-commands'
import { wrkReport } from './wrk-report'

/** The steps of action/action.yml and action/gitlab.yml, in a shell with the variables that a build sets. */
const root = path.join(import.meta.dirname, '../..')
const action = path.join(root, 'action')
let bin = ''
let cwd = ''
let variables: ReadonlyMap<string, string>

/** The variable that a step reads each input from, as action.yml says. */
async function readVariables(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path.join(action, 'action.yml'), 'utf8')
  return new Map(
    [...text.matchAll(/^ +(\w+): \$\{\{ inputs\.([a-z-]+) \}\}$/gm)].map(([, name = '', input = '']) => [input, name]),
  )
}

const write = async (name: string, text: string) => {
  await mkdir(path.dirname(path.join(cwd, name)), { recursive: true })
  await writeFile(path.join(cwd, name), text)
}

/** Eight repeats, written in turn with those of the other side. */
async function writeSide(folder: string, factor: number, isHead: boolean): Promise<void> {
  for (const [round, isHeadFirst] of [false, true, true, false, true, false, false, true].entries()) {
    const file = `${folder}/run${round}.txt`
    await write(file, wrkReport(factor * (1 + 0.01 * Math.sin(round * 3 + factor))))
    const writtenS = 1_790_000_000 + 12 * (2 * round + (isHead === isHeadFirst ? 0 : 1))
    await utimes(path.join(cwd, file), writtenS, writtenS)
  }
}

interface Ended {
  readonly code: number | null
  readonly log: string
  readonly summary: string
  readonly outputs: string
}

const readOr = (file: string) => readFile(path.join(cwd, file), 'utf8').catch(() => '')

/** Runs the step that compares, with the action's inputs. */
async function compare(
  inputs: Readonly<Record<string, string>>,
  ci: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const given = Object.entries(inputs).map(([input, value]) => [variables.get(input) ?? `UNKNOWN_${input}`, value])
  const { status, stdout, stderr } = spawnSync('bash', [path.join(action, 'compare.sh')], {
    cwd,
    encoding: 'utf8',
    env: {
      ...{ PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: cwd, TAILBOARD_COMMAND: path.join(bin, 'cli.mjs') },
      ...{ GITHUB_ACTIONS: 'true', GITHUB_WORKFLOW_REF: 'me/mine/.github/workflows/load.yml@refs/pull/1/merge' },
      ...{ GITHUB_BASE_REF: 'main', GITHUB_STEP_SUMMARY: path.join(cwd, 'step-summary.md') },
      ...{ GITHUB_OUTPUT: path.join(cwd, 'outputs.txt') },
      ...Object.fromEntries(given),
      ...ci,
    },
  })
  const [summary, outputs] = [await readOr('step-summary.md'), await readOr('outputs.txt')]
  return { code: status, log: stdout + stderr, summary, outputs }
}

const git = (...args: string[]) => {
  const names = ['-c', 'user.name=a', '-c', 'user.email=a@b.example', '-c', 'init.defaultBranch=main']
  const { status, stderr } = spawnSync('git', [...names, ...args], { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

beforeAll(async () => {
  variables = await readVariables()
  bin = await mkdtemp(path.join(os.tmpdir(), 'tailboard-action-bin-'))
  await bundleCli(root, bin)
})
afterAll(() => rm(bin, { recursive: true }))
beforeEach(async () => {
  cwd = await mkdtemp(path.join(os.tmpdir(), 'tailboard-action-'))
  return () => rm(cwd, { recursive: true })
})

describe('a step with repeats of both sides', () => {
  beforeEach(async () => {
    await writeSide('base', 1, false)
    await writeSide('head', 1.2, true)
  })

  it('fails on a worse head: the table in the summary, an annotation, a page', async () => {
    const { code, log, summary, outputs } = await compare({ base: 'base', head: 'head/*.txt' })
    expect(log).toMatch(/^::error title=Tailboard::p99 is 20\s%25 higher/m)
    expect([code, outputs]).toEqual([1, 'verdict=worse\nsummary=tailboard.md\nhtml=tailboard.html\n'])
    expect(summary).toMatch(/^\*\*p99 is 20/)
    expect(summary).toContain('| Metric |')
    expect(await readOr('tailboard.html')).toContain('<table')
  })

  it('only warns with fail-on never, and passes a better one', async () => {
    const worse = await compare({ base: 'base', head: 'head', 'fail-on': 'never', html: 'out.html' })
    expect([worse.code, worse.log.match(/^::(\w+)/m)?.[1]]).toEqual([0, 'warning'])
    expect(worse.outputs).toContain('html=out.html\n')
    const better = await compare({ base: 'head', head: 'base' })
    expect([better.code, better.log.includes('::')]).toEqual([0, false])
    expect(better.outputs).toContain('verdict=passed\n')
  })

  it('takes the base of a branch, and passes where the branch has none', async () => {
    git('init', '--quiet')
    git('add', 'base')
    git('commit', '--quiet', '-m', 'base')
    await rm(path.join(cwd, 'base'), { recursive: true })
    const { code, log } = await compare({ base: 'base/*.txt', head: 'head', 'base-ref': 'main' })
    // A checkout writes all files at once.
    expect(log).toContain('The order of these runs is unknown')
    expect(log).toMatch(/^::warning title=Tailboard::Undecided: p99 \+20\s%25/m)
    expect(code).toBe(0)
    const none = await compare({ head: 'head', 'base-ref': 'main' })
    expect([none.code, none.log]).toEqual([0, '::notice title=Tailboard::main has no head: nothing to compare with.\n'])
    const unknown = await compare({ head: 'head', 'base-ref': 'nowhere' })
    expect([unknown.code, unknown.log]).toEqual([2, '::error title=Tailboard::There is no commit nowhere\n'])
  })

  it('takes the base of an artifact of the same workflow on the base branch', async () => {
    const gh = (list: string) => `#!/bin/sh
if [ "$2" = list ]; then echo "$*" >> gh.log; ${list}; exit; fi
[ "$3" = 77 ] && cp -rp base/. "$7"
`
    await writeFile(path.join(bin, 'gh'), gh('echo 77'))
    await chmod(path.join(bin, 'gh'), 0o755)
    const { code, log } = await compare({ head: 'head', 'base-artifact': 'results' })
    expect(log).toMatch(/^::error title=Tailboard::p99 is 20\s%25 higher/m)
    expect(code).toBe(1)
    expect(await readOr('gh.log')).toMatch(/^run list --branch main --workflow load\.yml --status success/)
    await writeFile(path.join(bin, 'gh'), gh('true'))
    const first = await compare({ head: 'head', 'base-artifact': 'results' })
    expect([first.code, first.outputs.endsWith('verdict=none\nsummary=tailboard.md\n')]).toEqual([0, true])
  })

  it('runs in GitLab, where a log has no annotations', async () => {
    const text = await readFile(path.join(action, 'gitlab.yml'), 'utf8')
    for (const name of text.match(/TAILBOARD_[A-Z_]+(?=:)/g) ?? []) expect([...variables.values()]).toContain(name)
    const ci = { GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '', GITHUB_OUTPUT: '' }
    const { code, log } = await compare({ base: 'base', head: 'head' }, ci)
    expect(log).toMatch(/^error: p99 is 20\s% higher/m)
    expect(code).toBe(1)
    expect(await readOr('tailboard.md')).toContain('| Metric |')
  })
})

describe('a step with one run of each side', () => {
  beforeEach(async () => {
    await write('a.txt', wrkReport(1))
    await write('b.txt', wrkReport(3))
  })

  it('warns that they decide nothing, and fails if that is asked for', async () => {
    const { code, log, outputs } = await compare({ base: 'a.txt', head: 'b.txt' })
    expect(log).toMatch(/^::warning title=Tailboard::Undecided: /m)
    expect([code, outputs.split('\n')[0]]).toEqual([0, 'verdict=undecided'])
    expect((await compare({ base: 'a.txt', head: 'b.txt', 'fail-on': 'undecided' })).code).toBe(3)
  })

  it.each([
    [{ base: 'a.txt', head: 'c.txt' }, 'c.txt'],
    [{ base: 'a.txt', head: '' }, 'head is missing'],
    [{ base: '', head: 'b.txt' }, 'base is missing'],
    [{ base: 'a.txt', head: 'b.txt', 'fail-on': 'always' }, 'fail-on is worse, undecided or never, not always'],
    [{ base: 'a.txt', head: 'b.txt', metrics: 'nothing' }, 'nothing'],
  ])('%j is refused', async (inputs, said) => {
    const { code, log, outputs } = await compare(inputs)
    expect(log).toMatch(/^::error title=Tailboard::/m)
    expect(log).toContain(said)
    expect([code, outputs.split('\n')[0]]).toEqual([2, 'verdict=unreadable'])
  })
})
