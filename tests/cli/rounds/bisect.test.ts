import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../run-cli'
import { emptyFolder, loadCommand, storedRounds } from './load-command'

/** Of every commit: the names of commits decide the noise of their runs, and depend on it. */
const date = '2026-01-01T00:00:00Z'
const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  })

/** A repository of so many commits, in which the file `speed` is what latencies are multiplied by. */
async function repository(
  count: number,
  speedOf: (at: number) => number,
  brokenAt: readonly number[] = [],
): Promise<string> {
  const folder = await emptyFolder()
  git(folder, 'init', '--quiet')
  git(folder, 'config', 'user.email', 'a@example.com')
  git(folder, 'config', 'user.name', 'A')
  for (let at = 0; at < count; at += 1) {
    writeFileSync(path.join(folder, 'speed'), String(speedOf(at)))
    writeFileSync(path.join(folder, 'code'), brokenAt.includes(at) ? 'broken' : `code ${at}`)
    git(folder, 'add', '.')
    git(folder, 'commit', '--quiet', '--message', `change ${at}`)
  }
  return folder
}

const run = `${loadCommand(0).replace(/ wrk 0 /, ' wrk "$(cat speed)" ')}`
const bisect = (cwd: string, ...args: readonly string[]) =>
  runCli(['bisect', ...args, '--seed', 'test'], { cwd, env: {} })
const flat = (text: string) => text.replace(/\s+/g, ' ')

describe('tailboard bisect', () => {
  it('names the commit of a repository that made the change, and leaves the repository as it was', async () => {
    const cwd = await repository(30, (at) => (at >= 17 ? 1.1 : 1))
    const { exit, out } = await bisect(cwd, 'HEAD~29', 'HEAD', '--run', run)
    const sha = git(cwd, 'log', '-1', '--format=%h', 'HEAD~12').trim()
    expect(flat(out)).toContain(`The change is in ${sha} “change 17” (`)
    expect(exit).toBe(0)
    expect(out).toMatch(/^29 commits after [0-9a-f]+ \(GOOD\) to [0-9a-f]+ \(BAD\)\./)
    expect(flat(out)).toMatch(/From GOOD to BAD: p99 \+1?\d(\.\d)? % \(/)
    expect(git(cwd, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
    expect(git(cwd, 'status', '--porcelain')).toBe('?? bisect-1/\n')
    const result = JSON.parse(readFileSync(path.join(cwd, 'bisect-1/result.json'), 'utf8')) as Record<string, unknown>
    expect(result).toMatchObject({ verdict: 'found', commits: [sha], exit: 0 })
  })

  it('builds each commit once, and names those that nothing which builds separates', async () => {
    const cwd = await repository(14, (at) => (at >= 6 ? 0.85 : 1), [5, 6])
    const build = `grep -q code code && echo built >> "${cwd}/builds"`
    const { exit, out } = await bisect(cwd, 'HEAD~13', 'HEAD', '--run', run, '--build', build)
    expect(exit).toBe(0)
    expect(out).toContain('void: unbuildable')
    expect(flat(out)).toMatch(
      /The change is in one of 3 \(\S+ %\), which nothing that runs separates: \S+ “change 5”, \S+ “change 6”, \S+ “change 7”/,
    )
    const built = readFileSync(path.join(cwd, 'builds'), 'utf8').trim().split('\n').length
    const measured = new Set(
      (await storedRounds(path.join(cwd, 'bisect-1')))
        .filter(({ kind }) => kind === 'valid')
        .flatMap(({ order }) => order),
    )
    expect(built).toBe(measured.size)
  })

  it('takes an ordered list of names, without git, and skips those that exit with 125', async () => {
    const cwd = await emptyFolder()
    const names = Array.from({ length: 12 }, (_, at) => `v1.${at}`)
    writeFileSync(path.join(cwd, 'versions'), `${names.join('\n')}\n`)
    const speed = '$(case $TAILBOARD_COMMIT in v1.8|v1.9|v1.1[01]) echo 1.12;; *) echo 1;; esac)'
    const command = `[ $TAILBOARD_COMMIT != v1.5 ] || exit 125; ${run.replace('$(cat speed)', speed)}`
    const { exit, out } = await bisect(cwd, 'v1.0', 'v1.11', '--names', 'versions', '--run', command, '--json')
    expect([exit, JSON.parse(out)]).toEqual([0, expect.objectContaining({ verdict: 'found', commits: ['v1.8'] })])
  })

  it('says that nothing changed, or that this set-up does not show it', async () => {
    const cwd = await repository(6, () => 1)
    const same = await bisect(cwd, 'HEAD~5', 'HEAD', '--run', run, '--matters', '5%')
    expect([same.exit, flat(same.out).includes('BAD is as GOOD today')]).toEqual([3, true])
    const noisy = `NOISE=0.2; export NOISE; ${run}`
    const hopeless = await bisect(cwd, 'HEAD~5', 'HEAD', '--run', noisy)
    expect([
      hopeless.exit,
      flat(hopeless.out).includes('Not started: this set-up does not show the change, p99'),
    ]).toEqual([3, true])
  })

  it('needs no run where there is one commit, and stops where GOOD cannot be run', async () => {
    const cwd = await repository(5, () => 1)
    const one = await bisect(cwd, 'HEAD~1', 'HEAD', '--run', 'exit 9')
    expect([one.exit, flat(one.out).includes('“change 4” (100 %)')]).toEqual([0, true])
    const good = git(cwd, 'log', '-1', '--format=%h', 'HEAD~4').trim()
    const failing = await bisect(cwd, 'HEAD~4', 'HEAD', '--run', `[ $TAILBOARD_COMMIT != ${good} ] || exit 1; ${run}`)
    expect([failing.exit, flat(failing.out).includes('Stopped: GOOD or BAD cannot be run')]).toEqual([2, true])
  })

  it('resumes from the rounds that are stored', async () => {
    const cwd = await repository(12, (at) => (at >= 4 ? 1.15 : 1))
    const whole = await bisect(cwd, 'HEAD~11', 'HEAD', '--run', run, '--out', 'whole')
    const again = await runCli(['bisect', '--resume', '--out', 'whole'], { cwd, env: {} })
    expect([again.exit, again.out]).toEqual([whole.exit, whole.out])
    const lines = readFileSync(path.join(cwd, 'whole/rounds.jsonl'), 'utf8').trim().split('\n')
    await bisect(cwd, 'HEAD~11', 'HEAD', '--run', 'exit 1', '--out', 'part')
    writeFileSync(path.join(cwd, 'part/plan.json'), readFileSync(path.join(cwd, 'whole/plan.json')))
    writeFileSync(path.join(cwd, 'part/rounds.jsonl'), `${lines.slice(0, 7).join('\n')}\n`)
    appendFileSync(path.join(cwd, 'part/rounds.jsonl'), lines.at(8)?.slice(0, 40) ?? '')
    const resumed = await runCli(['bisect', '--resume', '--out', 'part'], { cwd, env: { NOISE_SEED: 'other' } })
    expect(flat(resumed.out)).toContain('“change 4”')
    expect(existsSync(path.join(cwd, 'part/checkouts')) ? await readdir(path.join(cwd, 'part/checkouts')) : []).toEqual(
      [],
    )
  })

  it.each([
    [['HEAD~1'], 'bisect needs GOOD and BAD'],
    [['HEAD~1', 'HEAD'], 'bisect needs --run CMD'],
    [['HEAD', 'HEAD', '--run', 'a'], 'HEAD and HEAD are one commit'],
    [['HEAD', 'HEAD~1', '--run', 'a'], 'HEAD is no ancestor of HEAD~1'],
    [['none', 'HEAD', '--run', 'a'], 'fatal: Needed a single revision'],
    [['a', 'b', '--run', 'a', '--names', 'missing'], 'there is no file missing'],
  ])('refuses %j', async (args, message) => {
    const cwd = await repository(2, () => 1)
    const { exit, err } = await runCli(['bisect', ...args], { cwd, env: {} })
    expect([exit, err]).toEqual([2, `tailboard: ${message}. See: tailboard help bisect\n`])
  })
})
