import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { Terminal } from './terminal'
import { exits, readArguments, UsageError } from './usage'

/** `tailboard serve`: what `npm start` does, from any folder. It goes on until a signal ends the process. */
export async function serve(args: readonly string[], { cwd, env, root, load }: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, { port: { type: 'string' }, data: { type: 'string' } })
  if (positionals.length > 0) throw new UsageError(`serve takes no ${positionals[0] ?? ''}`)
  const { port, data } = values
  if (port !== undefined && !/^\d{1,5}$/.test(port)) throw new UsageError(`--port takes a number, not ${port}`)
  if (port !== undefined) process.env['PORT'] = port
  const folder = data === undefined ? env['TAILBOARD_DATA'] : data
  // A package's own folder is replaced by the next version.
  const isClone = existsSync(new URL('next.config.js', root))
  if (folder) process.env['TAILBOARD_DATA'] = path.resolve(cwd, folder)
  else if (!isClone) process.env['TAILBOARD_DATA'] = path.join(homedir(), '.tailboard')
  process.argv.splice(2)
  await load(new URL('scripts/start.js', root).href)
  return exits.fine
}
