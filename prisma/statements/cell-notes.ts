import type { CellNote } from '../../lib/run/run'
import { storableText } from '../../lib/text'
import { newId } from '../rows/ids'
import { proposedName } from '../../lib/history/proposed-names'
import type { Db } from './access'
import type { RunToSave } from './save-runs'

/**
 * Replaces an upload's notes on empty cells. If all its runs of a proposed scenario, variant or environment now have
 * another common name, the note follows them.
 */
export async function replaceCellNotes(
  db: Db,
  upload: { readonly id: string; readonly projectId: string },
  notes: readonly CellNote[],
  runs: readonly RunToSave[],
): Promise<void> {
  const scenarios = renamesOf(runs, (run) => [run.imported.proposal.scenario, run.state.scenario])
  const variants = renamesOf(runs, (run) => [run.imported.proposal.variant, run.state.variant])
  const environments = renamesOf(runs, (run) => [run.imported.proposal.environment, run.state.environment])
  await db.cellNote.deleteMany({ where: { uploadId: upload.id } })
  await db.cellNote.createMany({
    data: notes.map((note) => ({
      id: newId(),
      projectId: upload.projectId,
      uploadId: upload.id,
      scenario: scenarios(note.scenario) ?? 'Untitled',
      variant: variants(note.variant),
      environment: environments(note.environment),
      text: storableText(note.text),
      line: note.line,
    })),
  })
}

function renamesOf(
  runs: readonly RunToSave[],
  names: (run: RunToSave) => readonly [proposed: string | null, final: string | null],
): (name: string | null) => string | null {
  const finals = new Map<string | null, Set<string | null>>()
  for (const run of runs) {
    const [proposed, final] = names(run)
    finals.set(proposed, (finals.get(proposed) ?? new Set()).add(final))
  }
  return (name) => {
    const [only, ...others] = finals.get(name) ?? []
    return only === undefined || others.length > 0 ? proposedName(name) : only
  }
}
