import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../run-cli'
import { emptyFolder, loadCommand } from './load-command'

async function begun(...args: readonly string[]) {
  const cwd = await emptyFolder()
  const run = async (given: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { exit, out, err } = await runCli(['session', ...given], { cwd, env: { NOISE: '0.01', ...env } })
    return { exit, err, out: out.replace(/\s+/g, ' ') }
  }
  const started = await run(['start', '--base', loadCommand(1), '--seed', 'test', ...args])
  expect([started.exit, started.err]).toEqual([0, ''])
  const attempt = (name: string, factor: number, more: readonly string[] = [], env = {}) =>
    run(['attempt', name, '--run', loadCommand(factor), ...more], env)
  return { cwd, run, attempt }
}

describe('tailboard session', () => {
  it('keeps a gain, reverts what brings none, and confirms the best against the original base', async () => {
    const { cwd, run, attempt } = await begun('--matters', '3%')
    const noop = await attempt('noop', 1, ['--digest', 'd1'])
    expect(noop.exit).toBe(1)
    expect(noop.out).toMatch(/revert: (more rounds would hardly show a gain|no gain was shown by the last round), p99 /)
    expect(noop.out).toMatch(
      /At this noise an attempt needs \d+ rounds to show 3 %\. \d+ runs; \d+ runs of the session are left\./,
    )
    const gain = await attempt('gain', 0.94, ['--digest', 'd2'])
    expect([gain.exit, gain.out]).toEqual([
      0,
      expect.stringMatching(/keep: p99 of gain −[567][\d.]* % against the best so far\./),
    ])
    // From now on, the best is the one that was kept: the same again is no gain.
    expect((await attempt('again', 0.94, ['--digest', 'd3'])).exit).toBe(1)
    expect(await attempt('copy', 0.9, ['--digest', 'd2'])).toMatchObject({
      exit: 1,
      out: expect.stringContaining('duplicate: it is the same change as gain') as string,
    })
    const end = await run(['conclude'])
    expect(end.exit).toBe(0)
    expect(end.out).toMatch(
      /Confirmed: p99 of the best −[567][\d.]* % \(−.+ to −.+\) against the original base in 16 fresh rounds; claimed −[567]/,
    )
    const log = await run(['log', '--json'])
    expect(
      (JSON.parse(log.out) as { name: string; verdict: string }[]).map(({ name, verdict }) => `${name} ${verdict}`),
    ).toEqual([...['noop revert', 'gain keep', 'again revert', 'copy duplicate']])
    expect(JSON.parse(await readFile(path.join(cwd, 'session-1/result.json'), 'utf8'))).toMatchObject({
      kept: ['gain'],
    })
  })

  it('suspects what does less, fails, or prints an old output', async () => {
    const { attempt } = await begun('--matters', '3%')
    const light = await attempt('light', 0.8, [], { FAULT_light: 'light@always' })
    expect([light.exit, light.out]).toEqual([
      4,
      expect.stringContaining('suspect: it does less: fewer bytes per response'),
    ])
    const fails = await attempt('fails', 0.5, [], { FAULT_fails: 'failing@always' })
    expect([fails.exit, fails.out]).toEqual([4, expect.stringContaining('suspect: it does less: more failures')])
    const old = await attempt('old', 0.5, [], { FAULT_old: 'reused@always' })
    expect([old.exit, old.out]).toEqual([4, expect.stringContaining('suspect: its output is an old one')])
  })

  it('holds back the runs that confirm the best, and says that no attempt gained', async () => {
    const { run, attempt } = await begun('--max-runs', '50')
    expect((await attempt('a', 1)).out).toContain('revert: ')
    expect(await attempt('b', 0.5)).toMatchObject({
      exit: 1,
      out: expect.stringContaining('not run: the runs that are left confirm the best') as string,
    })
    expect(await run(['conclude'])).toMatchObject({ exit: 3, out: 'No attempt gained: the best is base. ' })
  })

  it.each([
    [['start'], 'session start needs --base CMD'],
    [['attempt'], 'session attempt takes one name'],
    [['conclude', 'x'], 'session conclude takes no name'],
    [['go'], 'session takes start, attempt NAME, conclude or log'],
    [['log'], 'there is no session-1 here; --out names a folder'],
  ])('refuses %j', async (args, message) => {
    const { exit, err } = await runCli(['session', ...args], { cwd: await emptyFolder(), env: {} })
    expect([exit, err]).toEqual([2, `tailboard: ${message}. See: tailboard help session\n`])
  })

  it('refuses a second verdict on one attempt', async () => {
    const { attempt } = await begun('--max-runs', '50')
    await attempt('a', 1)
    expect((await attempt('a', 1)).err).toContain('a has its verdict: session log prints it')
    expect((await attempt('base', 1)).err).toContain('an attempt cannot be called base')
  })
})
