import type { ImportedRun } from '../run/run'
import { haveSameFigures } from '../run/same-run'
import { tools } from '../run/tools'
import { areOneAttack, maxMerged } from './merge-runs'
import { mergedForm } from '../run/merged-form'
import { ranAtOnce, tookAsLong } from './merge-window'

/** A file with more runs is a history, not a test by several generators. */
const maxConsidered = 200

/**
 * Which runs of a file look like generators of one test: same tool, loop and address, same names, same time. Runs that
 * do not state when they began are only taken from separate files, like an archive of several machines' outputs: in one
 * document they more likely are repeats. Indices, rising, of the largest such group; empty: none.
 */
export function suggestParts(runs: readonly ImportedRun[]): readonly number[] {
  if (runs.length > maxConsidered) return []
  const groups: number[][] = []
  for (const [index, run] of runs.entries()) {
    if (run.form === mergedForm || tools[run.tool].kind === 'platform') continue
    const own = groups.find((group) =>
      group.every((at) => {
        const other = runs[at]
        return other !== undefined && fitTogether(other, run)
      }),
    )
    if (own === undefined) groups.push([index])
    else if (own.length < maxMerged) own.push(index)
  }
  const largest = groups.reduce<readonly number[]>((most, group) => (group.length > most.length ? group : most), [])
  return largest.length > 1 ? largest : []
}

function fitTogether(one: ImportedRun, other: ImportedRun): boolean {
  if (targetOf(one) !== targetOf(other)) return false
  const areOfFiles = (one.context.file ?? null) !== (other.context.file ?? null)
  const isOneTest = ranAtOnce(clocked(one), clocked(other)) ?? (areOfFiles && tookAsLong(one, other) === true)
  return isOneTest && !haveSameFigures(one, other) && !areOneAttack(one, other)
}

/** A date in a heading, or one given for all runs, is no clock. */
const clocked = (run: ImportedRun): ImportedRun =>
  run.proposal.sources['startedAt']?.endsWith('in the output') ? run : { ...run, startedAt: null }

/** What generators of one test have in common, whichever machine they are on. */
function targetOf({ tool, load, url, command, proposal }: ImportedRun): string {
  return JSON.stringify([tool, load.kind, url ?? command, proposal.scenario, proposal.variant])
}
