import { runServerProgram } from './server-program'
import type { Terminal } from './terminal'
import { exits, readArguments, UsageError } from './usage'

/** `tailboard serve`: what `npm start` does, from any folder. It goes on until a signal ends the process. */
export async function serve(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, { port: { type: 'string' }, data: { type: 'string' } })
  if (positionals.length > 0) throw new UsageError(`serve takes no ${positionals[0] ?? ''}`)
  const { port, data } = values
  if (port !== undefined && !/^\d{1,5}$/.test(port)) throw new UsageError(`--port takes a number, not ${port}`)
  if (port !== undefined) process.env['PORT'] = port
  await runServerProgram('start.js', [], data, terminal)
  return exits.fine
}
