import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleCli } from '@/scripts/bundle-commands'
import { emptyFolder, isRunning, loadCommand, storedRounds } from './load-command'

/** The bundled command in a process of its own, which gets real signals. */
let bundle = ''
beforeAll(async () => {
  bundle = await emptyFolder()
  await bundleCli(path.join(import.meta.dirname, '../../..'), bundle)
})
afterAll(() => rm(bundle, { recursive: true }))

interface Started {
  readonly child: ChildProcess
  readonly cwd: string
  /** All that it has printed. */
  text(): string
}

function start(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const child = spawn(process.execPath, [path.join(bundle, 'cli.mjs'), 'rounds', ...args], {
    cwd,
    env: { ...process.env, ...env },
  })
  let text = ''
  child.stdout.on('data', (chunk) => (text += String(chunk)))
  child.stderr.on('data', (chunk) => (text += String(chunk)))
  return { child, cwd, text: () => text }
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds() && tries < 600; tries += 1) await sleep(50)
  expect(holds()).toBe(true)
}

async function endOf({ child }: Started): Promise<number | string | null> {
  const [code, signal] =
    (child.exitCode ?? child.signalCode) === null ? await once(child, 'exit') : [child.exitCode, child.signalCode]
  return (code ?? signal) as number | string | null
}

const commands = ['--base', loadCommand(1), '--head', loadCommand(1.1), '--matters', '5%', '--seed', 'test']
const slow = { RUN_S: '0.2' }
const hasRound = (started: Started, round: number) => () =>
  new RegExp(`^ +${round} {2}[bh] [bh]`, 'm').test(started.text())

async function wholeOrders(): Promise<readonly (readonly string[])[]> {
  const whole = start(await emptyFolder(), commands)
  expect(await endOf(whole)).toBe(1)
  return (await storedRounds(path.join(whole.cwd, 'rounds-1'))).map(({ order }) => order)
}

describe('Ctrl-C', () => {
  it('ends after the current round; --resume goes on to the same end', async () => {
    const first = start(await emptyFolder(), commands, slow)
    await until(hasRound(first, 2))
    first.child.kill('SIGINT')
    expect(await endOf(first)).toBe(130)
    expect(first.text()).toMatch(
      /Interrupted: \d finished rounds are stored. To continue: tailboard rounds --resume --out rounds-1/,
    )
    const resumed = start(first.cwd, ['--resume'])
    expect(await endOf(resumed)).toBe(1)
    expect((await storedRounds(path.join(first.cwd, 'rounds-1'))).map(({ order }) => order)).toEqual(
      await wholeOrders(),
    )
  })

  it.each([
    ['twice', ['SIGINT', 'SIGINT']],
    ['as SIGTERM', ['SIGTERM']],
  ] as const)('%s kills what runs, and all that it started', async (_, signals) => {
    const hanging = start(await emptyFolder(), commands, { FAULT_head: 'hang@2' })
    await until(() => existsSync(path.join(hanging.cwd, 'hanging-head')))
    for (const signal of signals) {
      expect(hanging.child.exitCode).toBeNull()
      hanging.child.kill(signal)
      await sleep(200)
    }
    expect(await endOf(hanging)).toBe(130)
    expect(await isRunning(path.join(hanging.cwd, 'hanging-head'))).toBe(false)
    expect((await storedRounds(path.join(hanging.cwd, 'rounds-1'))).map(({ kind }) => kind)).toEqual(['valid'])
  })
})

it('loses no finished round to kill -9, and goes on', async () => {
  const killed = start(await emptyFolder(), commands, slow)
  await until(hasRound(killed, 3))
  killed.child.kill('SIGKILL')
  await endOf(killed)
  expect((await storedRounds(path.join(killed.cwd, 'rounds-1'))).length).toBeGreaterThanOrEqual(3)
  // What it ran is left: it writes into the folder of a round that is run again.
  await sleep(1_500)
  const resumed = start(killed.cwd, ['--resume'])
  expect(await endOf(resumed)).toBe(1)
  expect((await storedRounds(path.join(killed.cwd, 'rounds-1'))).map(({ order }) => order)).toEqual(await wholeOrders())
})

it('refuses a folder in which another process is at work', async () => {
  const one = start(await emptyFolder(), commands, slow)
  await until(hasRound(one, 1))
  const other = start(one.cwd, ['--resume'])
  expect(await endOf(other)).toBe(2)
  expect(other.text()).toMatch(/process \d+ is running the rounds in .*rounds-1/)
  one.child.kill('SIGTERM')
  expect(await endOf(one)).toBe(130)
})
