import { helpOf } from './help'
import type { Terminal } from './terminal'
import { exits, UsageError } from './usage'

type Command = (args: readonly string[], terminal: Terminal) => Promise<number>

/** Each is loaded when it is called. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  compare: async () => (await import('./compare')).compare,
  open: async () => (await import('./open')).open,
  show: async () => (await import('./show')).show,
  parse: async () => (await import('./parse')).parse,
  upload: async () => (await import('./upload')).upload,
  capacity: async () => (await import('./capacity')).capacity,
  rounds: async () => (await import('./rounds/rounds')).rounds,
  bisect: async () => (await import('./rounds/bisect')).bisect,
  session: async () => (await import('./rounds/session')).session,
  why: async () => (await import('./why')).why,
  serve: async () => (await import('./serve')).serve,
  backup: async () => (await import('./data-commands')).backup,
  restore: async () => (await import('./data-commands')).restore,
  password: async () => (await import('./data-commands')).password,
}

/** Carries out a command line; returns the exit code. Never throws for what a user can cause. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args
  try {
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
      terminal.print(helpOf(rest[0]))
      return name === undefined ? exits.unreadable : exits.fine
    }
    if (name === '--version' || name === '-v' || name === 'version') {
      terminal.print(`${terminal.version}\n`)
      return exits.fine
    }
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (load === undefined) throw new UsageError(`There is no command ${name}`)
    if (rest.includes('--help') || rest.includes('-h')) {
      terminal.print(helpOf(name))
      return exits.fine
    }
    return await (
      await load()
    )(rest, terminal)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const about = name !== undefined && Object.hasOwn(commands, name) ? ` ${name}` : ''
    terminal.report(`tailboard: ${error.message}. See: tailboard help${about}\n`)
    return exits.unreadable
  }
}
