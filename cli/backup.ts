import path from 'node:path'
import { runServerProgram } from './server-program'
import type { Terminal } from './terminal'
import { exits, readArguments, UsageError } from './usage'

/** `tailboard backup FILE`: what `npm run backup` does, from any folder. */
export const backup = (args: readonly string[], terminal: Terminal) => runWithFile('backup', args, terminal)

/** `tailboard restore FILE`: what `npm run restore` does, from any folder. */
export const restore = (args: readonly string[], terminal: Terminal) => runWithFile('restore', args, terminal)

/** The program ends the process itself where it fails. */
async function runWithFile(name: string, args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, { data: { type: 'string' } })
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new UsageError(`${name} takes one file`)
  await runServerProgram('run-built.js', [name, path.resolve(terminal.cwd, file)], values.data, terminal)
  return exits.fine
}
