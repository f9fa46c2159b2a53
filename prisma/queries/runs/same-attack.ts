import { counterpartForms, isSameAttack } from '../../../lib/judge/same-attack'
import type { RunRow, StoredRun } from '../../../lib/history/stored-runs'
import { tools } from '../../../lib/run/tools'
import { database } from '../../db'
import type { Prisma } from '../../generated/client'
import { runRowSelect, toRunRow } from '../../rows/run-rows'
import type { Granted } from '../../statements/access'
import { cachedImportedRuns } from '../../statements/imported-runs'

/** Candidates that are read at most: no one uploads this many runs of one attack. */
const maxCandidates = 12

type AttackRun = Pick<StoredRun, 'tool' | 'imported' | 'figures'>

/**
 * The runs of the same attack in another form, in the same project: for a report, the results that it was made from;
 * for results, the reports; newest first. Empty for forms that have no counterpart.
 */
export async function listSameAttack(project: Granted<'read'>, run: AttackRun): Promise<readonly RunRow[]> {
  const { forms, isExact } = counterpartForms(run.imported)
  const figure = sharedFigure(run)
  if (forms.length === 0 || figure === null) return []
  const found = await database().run.findMany({
    where: {
      ...{ projectId: project.id, deletedAt: null, complete: true, form: { in: [...forms] } },
      ...figure,
    },
    orderBy: [{ orderedAt: 'desc' }, { id: 'desc' }],
    take: maxCandidates,
    select: runRowSelect,
  })
  const imported = await cachedImportedRuns(
    database(),
    found.map((record) => record.id),
  )
  return found.flatMap((record) => {
    const candidate = imported.get(record.id)
    if (candidate === undefined) return []
    const isSame = isExact ? isSameAttack(run.imported, candidate) : isSameAttack(candidate, run.imported)
    return isSame ? [toRunRow(record)] : []
  })
}

/** A figure to find by an index, if the tool's forms share it. */
function sharedFigure({ tool, imported, figures }: AttackRun): Prisma.RunWhereInput | null {
  const forms = tools[tool].attackForms
  if (forms?.sharedFigure !== 'maxMs') return imported.requests === null ? null : { requests: imported.requests }
  if (figures.maxMs === null) return null
  // Half of the last place, plus floating-point error.
  const reachMs = forms.placeMs(figures.maxMs) * 0.51
  return { maxMs: { gte: figures.maxMs - reachMs, lte: figures.maxMs + reachMs } }
}
