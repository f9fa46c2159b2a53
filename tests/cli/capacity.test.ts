import { expect, it } from 'vitest'
import { runCli } from './run-cli'

const folder = 'tests/fixtures/capacity'
/** vegeta's report does not state the rate that it was asked for. */
const rates = (...loads: readonly number[]) =>
  loads.flatMap((rate) => [
    `--label`,
    `rate=${rate}`,
    `${folder}/${rate}-1.vegeta.json`,
    `${folder}/${rate}-2.vegeta.json`,
  ])
const objectives = ['--slo', 'p99<100ms', '--slo', 'success>99.9%']

it('answers with a bracket, a point, its levels and the next run', async () => {
  const { exit, out, err } = await runCli(['capacity', ...rates(220, 340, 400, 430), ...objectives])
  expect([exit, err]).toEqual([0, ''])
  const lines = out.split('\n')
  expect(lines[0]).toMatch(/^\d+ req\/s \(340–400\) within p99 < 100 ms, success > 99\.9 %; limited by p99$/)
  expect(lines[1]).toMatch(/^rate\/s +runs +p99 ms +success$/)
  expect(
    lines.slice(2, 6).map((line) => /^ +(\d+) +2 .*?(inside|not sure|outside: p99)$/.exec(line)?.slice(1)),
  ).toEqual([
    ...[
      ['220', 'inside'],
      ['340', 'inside'],
      ['400', 'outside: p99'],
      ['430', 'outside: p99'],
    ],
  ])
  expect(lines[6]).toMatch(/^Next: 3\d\d req\/s, \d runs?$/)
})

it('says how many instances a target takes, and what they cost', async () => {
  const args = ['capacity', ...rates(220, 340, 400), ...objectives, '--target', '2000', '--price', '0.17/h']
  const { out } = await runCli(args)
  expect(out.replaceAll('\n', ' ')).toMatch(
    /For 2 000 req\/s: 6 instances \(5–6\), 1\.02\/h; headroom −8\d(?:\.\d)? %\. Assumes that instances add up/,
  )
})

it('answers closed loops in served requests', async () => {
  const files = [2, 8, 24].flatMap((count) => ['--label', `connections=${count}`, `${folder}/${count}-1.hey.txt`])
  const { exit, out } = await runCli(['capacity', ...files, '--slo', 'p99<200ms'])
  expect(exit).toBe(0)
  expect(out).toMatch(/^At least \d+ req\/s served within p99 < 200 ms$/m)
  expect(out).toMatch(/^One run per load: /m)
  expect(out).toMatch(/^A closed loop offers no rate: /m)
})

it('prints the same as JSON and as Markdown', async () => {
  const args = ['capacity', ...rates(220, 340, 400, 430), ...objectives]
  const document = JSON.parse((await runCli([...args, '--json'])).out) as Record<string, unknown>
  expect(document).toMatchObject({
    groups: [{ kind: 'between', lowPerS: 340, highPerS: 400, limitedBy: 'p99', usl: null, warnings: [] }],
    runs: [
      { id: `${folder}/220-1.vegeta.json`, objectives: [{ metric: 'p99', met: true }, { met: true }] },
      ...Array.from({ length: 7 }, () => ({})),
    ],
  })
  const { out } = await runCli([...args, '--md'])
  expect(out).toMatch(/^\*\*\d+ req\/s \(340–400\) within p99 \\< 100/)
  expect(out).toMatch(/^\| rate\/s \| runs \| p99 ms \| success \| {2}\|$/m)
})

it('exits with 3 if it refuses, and says why', async () => {
  const { exit, out } = await runCli(['capacity', `${folder}/220-1.vegeta.json`, '--slo', 'p99<100ms'])
  expect([exit, out]).toEqual([3, 'No capacity: no run states its rate or its connections\n'])
  const mixed = ['a', 'b'].flatMap((machine, at) => ['--label', `machine=${machine}`, ...rates([220, 340][at] ?? 0)])
  expect(await runCli(['capacity', ...mixed, '--slo', 'p99<100ms'])).toMatchObject({
    ...{ exit: 3, out: expect.stringContaining('differ in more than the load') as string },
  })
})

it.each([
  [['--slo', 'p99>100ms'], /--slo takes/],
  [[], /capacity needs an objective/],
  [['--slo', 'p99<100ms', '--target', 'many'], /--target takes/],
  [['--slo', 'p99<100ms', '--price', 'much'], /--price takes/],
  [['--slo', 'p99<100ms', '--label', 'rate'], /--label takes/],
  [['--slo', 'p99<100ms', '--json', '--md'], /exclude each other/],
])('refuses %j', async (args, message) => {
  const { exit, err } = await runCli(['capacity', `${folder}/220-1.vegeta.json`, ...args])
  expect(exit).toBe(2)
  expect(err).toMatch(message)
})

it.each([40, 60, 80])('fits in %i columns', async (columns) => {
  const { out } = await runCli(['capacity', ...rates(220, 340, 400, 430), ...objectives], { columns })
  for (const line of out.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(columns)
})
