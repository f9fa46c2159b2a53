import { memberOf, textOf } from './problem'

/** The ids of the runs in the answer to a saved draft; empty when the answer is not one. */
export function savedRunIds(answer: unknown): readonly string[] {
  const runs = memberOf(answer, 'runs')
  if (!Array.isArray(runs)) return []
  return runs.flatMap((run: unknown) => textOf(run, 'id') ?? [])
}
