/**
 * `npm run --silent rounds-drive`: plans and judges experiments, sessions, searches and certificates run by run. JSON
 * lines on standard input and output: a driver sends cases and what each run printed.
 */
import { createInterface } from 'node:readline/promises'
import { playCase } from './labelled/play-rounds'

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

async function hear(): Promise<unknown> {
  const { value, done } = await lines.next()
  if (done === true) process.exit(0)
  return JSON.parse(value)
}

const say = (message: unknown): void => void process.stdout.write(`${JSON.stringify(message)}\n`)

for (;;) say({ done: await playCase(await hear(), { say, hear }) })
