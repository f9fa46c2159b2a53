import type { RunFilter } from '../../lib/history/run-list'
import { storableText } from '../../lib/text'
import { Prisma } from '../generated/client'
import { sortColumn } from '../rows/figure-columns'
import { isId } from '../rows/ids'
import { isNewestOfRepeats } from './run-repeats'

const maxWords = 20
const maxWordLength = 40

/** A condition of a filter that runs are indexed by; `prefix`: any word that begins with it. */
export type WantedTerm =
  | {
      readonly kind: 'tool' | 'scenario' | 'variant' | 'environment' | 'label'
      readonly key: string
      readonly value: string
    }
  | { readonly kind: 'prefix'; readonly value: string }

const nameColumns = {
  tool: Prisma.sql`r.tool`,
  scenario: Prisma.sql`r.scenario`,
  variant: Prisma.sql`r.variant`,
  environment: Prisma.sql`r.environment`,
}
const names = ['tool', 'scenario', 'variant', 'environment'] as const

/** The words of a free text, lower-case; at most 20. */
export function wordsOf(text: string): readonly string[] {
  return storableText(text).toLowerCase().split(/\s+/u).filter(Boolean).slice(0, maxWords)
}

/** The indexed terms that every matching run has. */
export function wantedTerms(filter: RunFilter): readonly WantedTerm[] {
  const named = names.flatMap((kind) => (filter[kind] ? [{ kind, key: '', value: storableText(filter[kind]) }] : []))
  const labels = Object.entries(filter.labels ?? {}).map(([key, value]) => ({
    kind: 'label' as const,
    key: storableText(key),
    value: storableText(value),
  }))
  // Split like words in the database: at ASCII punctuation, at 40 characters, without single characters.
  const parts = wordsOf(filter.text ?? '').flatMap((word) => word.split(/[!-/:-@[-`{-~]+/))
  const prefixes = [...new Set(parts)].filter((part) => [...part].length > 1)
  return [
    ...named,
    ...labels,
    ...prefixes.map((part) => ({ kind: 'prefix' as const, value: [...part].slice(0, maxWordLength).join('') })),
  ]
}

/** A filter as conditions on the run `r`. Absent and empty fields do not narrow. */
export function runConditions(filter: RunFilter): readonly Prisma.Sql[] {
  const { range } = filter
  const said = [
    ...names.flatMap((name) =>
      filter[name] && name !== 'scenario' ? [Prisma.sql`${nameColumns[name]} = ${storableText(filter[name])}`] : [],
    ),
    ...Object.entries(filter.labels ?? {}).map(
      ([key, value]) => Prisma.sql`r.labels ->> ${storableText(key)}::text = ${storableText(value)}`,
    ),
    ...wordsOf(filter.text ?? '').map((word) => Prisma.sql`strpos(r.search_text, ${word}) > 0`),
  ]
  return [
    // It has indices of its own, for every sort key.
    ...(filter.scenario ? [Prisma.sql`r.scenario = ${storableText(filter.scenario)}`] : []),
    ...(filter.state ? [Prisma.sql`r.judged_state = ${filter.state}`] : []),
    // The planner takes each of these for far rarer than it is, and would read everything rather than walk an index.
    // What it cannot see into, it takes for half.
    ...(said.length === 0 ? [] : [Prisma.sql`CASE WHEN ${Prisma.join(said, ' AND ')} THEN TRUE ELSE FALSE END`]),
    ...(filter.withoutCandidates ? [Prisma.sql`NOT r.candidate`] : []),
    ...(filter.newestOfRepeats ? [isNewestOfRepeats()] : []),
    ...(filter.uploadId ? [idIn(Prisma.sql`r.upload_id`, [filter.uploadId])] : []),
    ...(filter.runIds?.length ? [idIn(Prisma.sql`r.id`, filter.runIds)] : []),
    ...(filter.from ? [Prisma.sql`r.ordered_at >= ${new Date(filter.from)}`] : []),
    ...(filter.to ? [Prisma.sql`r.ordered_at < ${new Date(filter.to)}`] : []),
    ...(range?.min === undefined ? [] : [Prisma.sql`${sortColumn(range.of)} >= ${range.min}`]),
    ...(range?.max === undefined ? [] : [Prisma.sql`${sortColumn(range.of)} <= ${range.max}`]),
  ]
}

function idIn(column: Prisma.Sql, ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`${column} = ANY(${ids.filter(isId)}::text[])`
}
