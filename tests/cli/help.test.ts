import { expect, it } from 'vitest'
import { runCli } from './run-cli'

it.each([
  '',
  'compare',
  'open',
  'show',
  'parse',
  'upload',
  'capacity',
  'rounds',
  'bisect',
  'session',
  'why',
  'serve',
  'backup',
  'restore',
  'password',
])('the help of %s fits a screen', async (command) => {
  const { exit, out, err } = await runCli(['help', command])
  expect([exit, err]).toEqual([0, ''])
  const lines = out.split('\n')
  expect(lines.length).toBeLessThanOrEqual(24)
  for (const line of lines) expect([...line].length, line).toBeLessThanOrEqual(80)
  if (command !== '') expect((await runCli([command, '--help'])).out).toBe(out)
})

it('a command line without a command is explained, and exits with 2', async () => {
  expect(await runCli([])).toEqual({ ...(await runCli(['--help'])), exit: 2 })
  expect((await runCli(['--version'])).out).toBe('1.2.3\n')
})
