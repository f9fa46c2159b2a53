import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { Terminal } from './terminal'
import { UsageError } from './usage'

/**
 * Goes on as a program of the server. Its data is in `data`, else where `TAILBOARD_DATA` says, both relative to where the
 * command runs; else in `~/.tailboard`, or in a clone's own folder. Throws UsageError if the command is here alone.
 */
export async function runServerProgram(
  file: string,
  args: readonly string[],
  data: string | undefined,
  { cwd, env, root, load }: Terminal,
): Promise<void> {
  const program = new URL(`scripts/${file}`, root)
  if (!existsSync(program))
    throw new UsageError('this file reads results only: the package and a clone have the server')
  const folder = data ?? env['TAILBOARD_DATA']
  // A package's own folder is replaced by the next version.
  const isClone = existsSync(new URL('next.config.js', root))
  if (folder) process.env['TAILBOARD_DATA'] = path.resolve(cwd, folder)
  else if (!isClone) process.env['TAILBOARD_DATA'] = path.join(homedir(), '.tailboard')
  process.argv.splice(2, process.argv.length, ...args)
  await load(program.href)
}
