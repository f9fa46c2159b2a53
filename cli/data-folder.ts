import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { Terminal } from './terminal'

/**
 * Tells the server's programs, which this process goes on as, where the data is: as named, else by `TAILBOARD_DATA`, both
 * relative to where the command runs; else `~/.tailboard`, or in a clone its own folder.
 */
export function setDataFolder(named: string | undefined, { cwd, env, root }: Terminal): void {
  const folder = named ?? env['TAILBOARD_DATA']
  // A package's own folder is replaced by the next version.
  const isClone = existsSync(new URL('next.config.js', root))
  if (folder) process.env['TAILBOARD_DATA'] = path.resolve(cwd, folder)
  else if (!isClone) process.env['TAILBOARD_DATA'] = path.join(homedir(), '.tailboard')
}
