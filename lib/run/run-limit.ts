import { ImportError } from '../errors'

/** Runs that one upload may hold. */
export const maxRunsPerUpload = 10_000

/** The whole upload is refused, not one file of an archive. */
export class TooManyRunsError extends ImportError {}

/** The error for an upload with more runs than are read. `line`: 1-based, where the first excess run begins. */
export function tooManyRuns(line: number | null): TooManyRunsError {
  const most = maxRunsPerUpload.toLocaleString('en')
  return new TooManyRunsError('too-large', `it holds more than ${most} runs`, {
    line,
    hint: `Split it between two reports and upload the parts one by one: at most ${most} runs each.`,
  })
}
