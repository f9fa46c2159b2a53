import { parseArgs, type ParseArgsConfig } from 'node:util'

/** A command that cannot be carried out as it was typed: one line, exit code 2. */
export class UsageError extends Error {}

/** What a build does with the end of a command; `repeat` is EX_TEMPFAIL of sysexits.h: the same again, later. */
export const exits = { fine: 0, worse: 1, unreadable: 2, undecided: 3, repeat: 75 } as const

type Options = NonNullable<ParseArgsConfig['options']>

/** Options and other words of a command line. Throws UsageError for unknown ones. */
export function readArguments<const Known extends Options>(args: readonly string[], options: Known) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error
    throw new UsageError((error.message.split('. ')[0] ?? error.message).replace(/\.$/, ''))
  }
}
