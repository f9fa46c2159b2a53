import { Link } from '../ui/link'
import { counterpartForms } from '@/lib/judge/same-attack'
import type { RunRow, StoredRun } from '@/lib/run/stored'
import { tools } from '@/lib/run/tools'
import { runName } from '../runs/run-name'

/** What a form is called beside others of its tool. */
function formName({ tool, form }: RunRow): string {
  const forms = tools[tool].attackForms
  return forms?.results[form]?.name ?? forms?.reports[form] ?? form
}

/** Says that the same attack was uploaded in another form too, and which of them is exact. Nothing when it was not. */
export function SameAttack({ run, others }: { readonly run: StoredRun; readonly others: readonly RunRow[] }) {
  if (others.length === 0) return null
  const links = others.map((other, index) => (
    <span key={other.id}>
      {index > 0 ? ', ' : ''}
      <Link href={`/p/${other.projectSlug}/runs/${other.id}`}>
        {runName(other)} ({formName(other)})
      </Link>
    </span>
  ))
  return counterpartForms(run.imported).isExact ? (
    <p className="muted">A report of the same attack: {links}. This run is exact.</p>
  ) : (
    <p>Exact raw results of the same attack: {links}.</p>
  )
}
