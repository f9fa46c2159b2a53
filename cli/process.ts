import { run } from './main'
import type { Terminal } from './terminal'

/** Where the program is, and how it loads what is not in its bundle. */
type Place = Pick<Terminal, 'root' | 'version' | 'tokens' | 'load'>

/** Runs the command line of this process, and sets its exit code. */
export async function start(place: Place): Promise<void> {
  const { stdin, stdout, stderr, env, argv } = process
  // A reader that has seen enough, such as head, is no failure.
  const endQuietly = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  }
  for (const stream of [stdout, stderr]) stream.on('error', endQuietly)
  const terminal: Terminal = {
    ...place,
    stdin,
    env,
    cwd: process.cwd(),
    isTerminal: stdout.isTTY === true,
    columns: stdout.isTTY === true ? stdout.columns : null,
    showsProgress: stderr.isTTY === true && env['TERM'] !== 'dumb',
    print: (text) => void stdout.write(text),
    report: (text) => void stderr.write(text),
  }
  process.exitCode = await run(argv.slice(2), terminal)
}
