import { appendFile, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { Interrupts } from '@/cli/rounds/interrupts'
import { RoundRunner } from '@/cli/rounds/round-runner'
import { findMetric } from '@/lib/run/metrics'
import { runCli, terminalOf } from '../run-cli'
import { emptyFolder, isRunning, loadCommand, runRounds, storedRounds } from './load-command'

const sides = (factor: number, more?: Parameters<typeof loadCommand>[1]) => [
  ...['--base', loadCommand(1), '--head', loadCommand(factor, more)],
]

describe('tailboard rounds', () => {
  it('ends when head is worse, with exit 1, the interval and what was saved', async () => {
    const { exit, out, cwd } = await runRounds([...sides(1.12), '--matters', '5%'])
    expect(exit).toBe(1)
    expect(out).toContain('2 arms, order balanced and shuffled. Evaluated after 6, 8, 10 … 24 rounds.')
    const sentence =
      /worse: p99 of head \+1\d % \(\+[\d.]+ % to \+[\d.]+ %\), [45]\d[.\d]* to 5\d[.\d]* ms, decided at round \d+ of 24\./
    expect(out.replace(/\s+/g, ' ')).toMatch(sentence)
    expect(out).toMatch(/^\d+ of at most 24 rounds: \d+ runs and about .+ saved\.$/m)
    expect(out).toContain('Results: rounds-1')
    const rounds = await storedRounds(path.join(cwd, 'rounds-1'))
    expect(rounds.length).toBeLessThanOrEqual(12)
    expect((await readdir(path.join(cwd, 'rounds-1/round-01'))).sort()).toEqual([
      'base.err',
      'base.txt',
      'head.err',
      'head.txt',
    ])
    expect(await readFile(path.join(cwd, 'rounds-1/round-01/head.txt'), 'utf8')).toContain('Latency Distribution')
  })

  it('says the same of identical code, and stops early', async () => {
    const { exit, out } = await runRounds([...sides(1, { tool: 'wrk' }), '--matters', '5%', '--strict'])
    expect(exit).toBe(0)
    expect(out).toMatch(/^The same within 5 %: p99 of head [+−][\d.]+ % \(−[\d.]+ % to \+[\d.]+ %\)/m)
  })

  it('reads another tool, another metric and a control; --json is the result', async () => {
    const hey = { tool: 'hey' }
    const commands = ['--base', loadCommand(1, hey), '--head', loadCommand(0.85, hey)]
    const { exit, out, err, cwd } = await runRounds([
      ...commands,
      '--control',
      '--on',
      'mean',
      '--matters',
      '4%',
      '--json',
    ])
    const result = JSON.parse(out) as Record<string, unknown>
    expect([exit, result['verdict'], result['metricId'], result['exit']]).toEqual([0, 'decided-better', 'mean', 0])
    expect(result['control']).toMatchObject({ hasMoved: false })
    expect(err).toMatch(/^ {4}1 {2}[bhc] [bhc] [bhc] {4}/m)
    expect(JSON.parse(await readFile(path.join(cwd, 'rounds-1/result.json'), 'utf8'))).toEqual(result)
  })

  it('calls nothing proven where base differs from itself', async () => {
    const script = `if [ $TAILBOARD_ARM = control ]; then ${loadCommand(1.2)}; else ${loadCommand(1)}; fi`
    const { exit, out } = await runRounds([
      '--base',
      script,
      '--head',
      loadCommand(1.1),
      '--control',
      '--matters',
      '5%',
    ])
    expect(exit).toBe(4)
    expect(out).toMatch(/^Unproven: base against itself moved by \+\d+ %\. Nothing is said about\s+head\.$/m)
  })

  it('is undecided where noise is too much, and exits with 3 if it must decide', async () => {
    const { exit, out } = await runRounds([...sides(1.02), '--matters', '1%', '--max', '8', '--strict'], {
      NOISE: '0.1',
    })
    expect(exit).toBe(3)
    expect(out).toMatch(/^Not decided by 8 rounds: p99 of head /m)
  })

  it('names the step of printed values where rounds scatter less', async () => {
    const hey = { tool: 'hey' }
    const commands = ['--base', loadCommand(1, hey), '--head', loadCommand(1, hey)]
    const { exit, out } = await runRounds([...commands, '--on', 'p50', '--matters', '5%'], { NOISE: '0.0003' })
    expect(exit).toBe(0)
    expect(out.replace(/\s+/g, ' ')).toContain('p50 is printed in steps of 0.11 %: the intervals are wider by it.')
  })

  it('stops within its budget of runs, or of time', async () => {
    const { exit, out, cwd } = await runRounds([...sides(1.02), '--max-runs', '10'])
    expect([exit, (await storedRounds(path.join(cwd, 'rounds-1'))).length]).toEqual([0, 5])
    expect(out).toContain('Stopped by its budget: p99 of head')
    const timed = await runRounds([...sides(1.02), '--max-time', '900ms'], { RUN_S: '0.2' })
    expect([timed.exit, timed.out.includes('Stopped by its budget; ')]).toEqual([0, true])
  })

  it('runs a set-up before each run, with the arm that it is for', async () => {
    const setup = 'echo $TAILBOARD_ARM >> arms'
    const { cwd } = await runRounds([...sides(1.3), '--setup', setup, '--sleep', '1ms', '--matters', '5%'])
    const arms = (await readFile(path.join(cwd, 'arms'), 'utf8')).trim().split('\n')
    const orders = (await storedRounds(path.join(cwd, 'rounds-1'))).flatMap(({ order }) => order)
    expect(arms).toEqual(orders)
  })
})

describe('a round is void, by name, and repeated in its order', () => {
  it.each([
    ['exit@2', 'exit 7'],
    ['empty@2', 'no output'],
    ['prose@2', 'unreadable: '],
    ['other-tool@2', 'output of hey, before of wrk'],
    ['hang@2', 'timeout'],
  ])('%s: %s', async (fault, reason) => {
    const { exit, out, cwd } = await runRounds([...sides(1.2), '--matters', '5%', '--timeout', '4s'], {
      FAULT_head: fault,
    })
    expect(exit).toBe(1)
    expect(out).toContain(`void: head: ${reason}`)
    expect(out).toContain(', 1 void: ')
    const rounds = await storedRounds(path.join(cwd, 'rounds-1'))
    const at = rounds.findIndex(({ kind }) => kind === 'void')
    expect(rounds[at]).toMatchObject({ arm: 'head', order: rounds[at + 1]?.order })
    expect(rounds[at + 1]?.kind).toBe('valid')
  })

  it('leaves nothing running after a timeout', async () => {
    const { cwd } = await runRounds([...sides(1.2), '--timeout', '4s', '--matters', '5%'], { FAULT_head: 'hang@1' })
    expect(await isRunning(path.join(cwd, 'hanging-head'))).toBe(false)
  })

  it('three in a row end it with exit 2; finished rounds are stored', async () => {
    const command = `n=$(cat calls-head 2>/dev/null || echo 0); [ "$n" -lt 4 ] && ${loadCommand(1.001)} || exit 9`
    const { exit, out, cwd } = await runRounds(['--base', loadCommand(1), '--head', command, '--matters', '1%'])
    expect(exit).toBe(2)
    expect(out).toContain('Stopped: three rounds in a row were void (head: exit 9); 4 finished')
    expect((await storedRounds(path.join(cwd, 'rounds-1'))).map(({ kind }) => kind)).toEqual([
      ...Array<string>(4).fill('valid'),
      ...Array<string>(3).fill('void'),
    ])
  })

  it('another load', async () => {
    const { exit, out } = await runRounds(sides(1, { connections: 16 }))
    expect(exit).toBe(2)
    expect(out).toMatch(/void: (head|base): another load: (16|8) connections, before (8|16) connections/)
  })

  it('the same output again', async () => {
    const { exit, out } = await runRounds(sides(1), { FAULT_head: 'reused@always' })
    expect(exit).toBe(2)
    expect(out).toContain('void: head: the same output again as of head in round-01')
  })

  it('a head that fails its requests is failing, not faster', async () => {
    const { exit, out } = await runRounds(sides(0.5), { FAULT_head: 'failing@always' })
    expect(exit).toBe(1)
    expect(out).toMatch(/^Head fails, base does not, three rounds in a row: head: Failures: [\d ]+\s+of/m)
  })

  it('no such figure, few requests for it, several runs', async () => {
    const missing = await runRounds([...sides(1), '--on', 'p95'])
    expect([missing.exit, missing.out.includes('no p95 in its output; it has ')]).toEqual([2, true])
    const twice = await runRounds(['--base', `${loadCommand(1)}; ${loadCommand(1)}`, '--head', loadCommand(1)])
    expect([twice.exit, twice.out.includes('2 runs in its output')]).toEqual([2, true])
  })

  it('a full disk', async () => {
    const cwd = await emptyFolder()
    await mkdir(path.join(cwd, 'out'))
    await symlink('/dev/full', path.join(cwd, 'out/rounds.jsonl'))
    const { exit, out } = await runRounds([...sides(1), '--out', 'out'], {}, cwd)
    expect(exit).toBe(2)
    expect(out).toMatch(/three rounds in a row were void \((base|head): the disk is full\)/)
  })

  it('a clock that is set while a run is measured', async () => {
    const metric = findMetric('p99')
    if (metric === null) throw new Error('there is a p99')
    const cwd = await emptyFolder()
    const terminal = terminalOf({ cwd, env: { PATH: process.env['PATH'] } })
    const interrupts = new Interrupts(terminal)
    const commandOf = () => ({ text: loadCommand(1), cwd, env: {} })
    let calls = 0
    // An hour is added between the first and the second reading.
    const clocks = { wallMs: () => Date.now() + ((calls += 1) > 2 ? 3_600_000 : 0), steadyMs: () => performance.now() }
    const settings = { setup: null, sleepMs: 0, timeoutMs: 60_000, metric, commandOf }
    const runner = new RoundRunner(settings, terminal, interrupts, clocks)
    const round = await runner.measure(['base', 'head'], path.join(cwd, 'round-01'), 'round-01')
    interrupts.end()
    expect(round).toMatchObject({ kind: 'void', reason: 'the clock jumped by 3600.0 s' })
  })
})

describe('--resume', () => {
  it('goes on in the order that was drawn, without a line that a crash left behind', async () => {
    const whole = await runRounds([...sides(1.04), '--matters', '4%', '--max', '10'])
    const part = await runRounds([...sides(1.04), '--matters', '4%', '--max', '10', '--max-runs', '6'])
    const folder = path.join(part.cwd, 'rounds-1')
    // As a kill leaves it: the budget is no longer there, and a line is half written.
    const plan = JSON.parse(await readFile(path.join(folder, 'plan.json'), 'utf8')) as {
      plan: { maxRuns: number | null }
    }
    plan.plan.maxRuns = null
    await writeFile(path.join(folder, 'plan.json'), JSON.stringify(plan))
    await appendFile(path.join(folder, 'rounds.jsonl'), '{"kind":"valid","order":["ba')
    const resumed = await runCli(['rounds', '--resume'], { cwd: part.cwd, env: { PATH: process.env['PATH'] } })
    const [one, other] = [await storedRounds(path.join(whole.cwd, 'rounds-1')), await storedRounds(folder)]
    expect(other.map(({ order }) => order)).toEqual(one.map(({ order }) => order))
    expect(resumed.exit).toBe(whole.exit)
    expect(resumed.out.split('\n').filter((line) => /^ +\d+ /.test(line))).toHaveLength(one.length)
  })

  it('repeats the verdict of rounds that ended', async () => {
    const { cwd, exit, out } = await runRounds([...sides(1.3), '--matters', '5%'])
    const again = await runCli(['rounds', '--resume', '--out', 'rounds-1'], { cwd, env: {} })
    expect([again.exit, again.out]).toEqual([exit, out])
  })
})

it.each([
  [[], 'rounds needs --base CMD and --head CMD'],
  [['--base', 'a', '--head', 'b', '--on', 'p98'], 'no metric is called p98'],
  [['--base', 'a', '--head', 'b', '--matters', '5'], '--matters takes a share such as 5%, not 5'],
  [['--base', 'a', '--head', 'b', '--max', '3'], '--max takes a number from 4 on, not 3'],
  [['--base', 'a', '--head', 'b', '--timeout', '5'], '--timeout takes a time such as 2s or 5m, not 5'],
  [['--base', 'a', '--head', 'b', 'c'], 'rounds takes commands as --base and --head, not c'],
  [['--base', 'a', '--head', 'b', '--to', 'http://x'], '--to needs --project NAME'],
  [['--base', 'a', '--head', 'b', '--on', 'requests'], 'Requests is neither better nor worse'],
])('refuses %j', async (args, message) => {
  const { exit, err } = await runCli(['rounds', ...args], { cwd: await emptyFolder() })
  expect([exit, err]).toEqual([2, `tailboard: ${message}. See: tailboard help rounds\n`])
})

it('reports what a server does not take, and goes on', async () => {
  const { exit, err, cwd } = await runRounds([
    ...sides(1.3),
    '--matters',
    '5%',
    '--to',
    'http://127.0.0.1:1',
    '--project',
    'p',
  ])
  expect(exit).toBe(1)
  expect(err).toContain('round-01 base: not uploaded: http://127.0.0.1:1 cannot be reached')
  expect((await storedRounds(path.join(cwd, 'rounds-1'))).length).toBeGreaterThanOrEqual(6)
})

it('refuses a folder that has rounds, or none', async () => {
  const { cwd } = await runRounds([...sides(1.3), '--matters', '5%'])
  const run = (...args: string[]) => runCli(['rounds', ...args], { cwd, env: {} })
  expect((await run(...sides(1), '--out', 'rounds-1')).err).toContain('--resume continues them')
  expect((await run('--resume', '--out', 'nowhere')).err).toContain('there are no rounds in')
  expect((await run('--resume', '--base', 'a')).err).toContain('without --base')
})
