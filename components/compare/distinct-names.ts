import type { RunNames } from '@/lib/run/stored'

type Named = Pick<RunNames, 'scenario' | 'variant' | 'environment'>
type Field = keyof Named

const fields: readonly Field[] = ['variant', 'environment', 'scenario']

/**
 * What distinguishes runs, as short as it can be: the variant, else the environment, else the scenario, else more of
 * them.
 */
export function distinctNames(runs: readonly Named[]): readonly string[] {
  const differing = fields.filter((field) => new Set(runs.map((run) => run[field])).size > 1)
  const candidates = [...differing.map((field) => [field]), differing]
  const names = candidates
    .map((chosen) => runs.map((run) => nameBy(run, chosen)))
    .find((all) => all.every((name) => name !== '') && new Set(all).size === all.length)
  if (names) return names
  // Runs of the same thing: their position distinguishes them.
  const long = runs.map((run) => nameBy(run, differing) || nameBy(run, ['variant']) || run.scenario)
  return runs.length < 2 ? long : long.map((name, index) => `${name} (${index + 1})`)
}

function nameBy(run: Named, chosen: readonly Field[]): string {
  return chosen
    .map((field) => run[field])
    .filter((part) => part !== null && part !== '')
    .join(' · ')
}
