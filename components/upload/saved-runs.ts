/** The ids of the runs in the answer to a saved draft; empty when the answer is not one. */
export function savedRunIds(answer: unknown): readonly string[] {
  const runs: unknown = typeof answer === 'object' && answer !== null && 'runs' in answer ? answer.runs : null
  if (!Array.isArray(runs)) return []
  return runs.flatMap((run: unknown) =>
    typeof run === 'object' && run !== null && 'id' in run && typeof run.id === 'string' ? [run.id] : [],
  )
}
