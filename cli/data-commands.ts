import path from 'node:path'
import { runServerProgram } from './server-program'
import type { Terminal } from './terminal'
import { exits, readArguments, UsageError } from './usage'

type Args = readonly string[]

/** `tailboard backup FILE`: what `npm run backup` does, from any folder. */
export const backup = (args: Args, terminal: Terminal) => runOnData('backup', args, terminal)

/** `tailboard restore FILE`: what `npm run restore` does, from any folder. */
export const restore = (args: Args, terminal: Terminal) => runOnData('restore', args, terminal)

/** `tailboard password EMAIL`: what `npm run password` does, from any folder. */
export const password = (args: Args, terminal: Terminal) => runOnData('password', args, terminal)

/** The program ends the process itself where it fails. */
async function runOnData(name: 'backup' | 'restore' | 'password', args: Args, terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, { data: { type: 'string' } })
  const [word, ...others] = positionals
  const isOfFile = name !== 'password'
  if (word === undefined || others.length > 0)
    throw new UsageError(`${name} takes one ${isOfFile ? 'file' : 'e-mail address'}`)
  const given = isOfFile ? path.resolve(terminal.cwd, word) : word
  await runServerProgram('run-built.js', [name, given], values.data, terminal)
  return exits.fine
}
