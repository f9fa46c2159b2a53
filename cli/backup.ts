import path from 'node:path'
import { setDataFolder } from './data-folder'
import type { Terminal } from './terminal'
import { exits, readArguments, UsageError } from './usage'

/** `tailboard backup FILE`: what `npm run backup` does, from any folder. */
export const backup = (args: readonly string[], terminal: Terminal) => runWithData('backup', args, terminal)

/** `tailboard restore FILE`: what `npm run restore` does, from any folder. */
export const restore = (args: readonly string[], terminal: Terminal) => runWithData('restore', args, terminal)

/** The program ends the process itself where it fails. */
async function runWithData(name: string, args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, { data: { type: 'string' } })
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new UsageError(`${name} takes one file`)
  setDataFolder(values.data, terminal)
  process.argv.splice(2, process.argv.length, name, path.resolve(terminal.cwd, file))
  await terminal.load(new URL('scripts/run-built.js', terminal.root).href)
  return exits.fine
}
