import { Link } from '../ui/link'
import { counterpartForms } from '@/lib/judge/same-attack'
import type { RunRow, StoredRun } from '@/lib/run/stored'
import { runName } from '../runs/run-name'

const formNames: Readonly<Record<string, string>> = {
  'hey-csv': "hey's CSV",
  'hey-text': "hey's report",
  'vegeta-gob': 'vegeta results',
  'vegeta-csv': 'vegeta results (CSV)',
  'vegeta-results-json': 'vegeta results (JSON)',
  'vegeta-text': 'text report',
  'vegeta-json': 'JSON report',
  'vegeta-hist': 'histogram',
  'vegeta-hdrplot': 'HDR plot',
}

/** Says that the same attack was uploaded in another form too, and which of them is exact. Nothing when it was not. */
export function SameAttack({ run, others }: { readonly run: StoredRun; readonly others: readonly RunRow[] }) {
  if (others.length === 0) return null
  const links = others.map((other, index) => (
    <span key={other.id}>
      {index > 0 ? ', ' : ''}
      <Link href={`/p/${other.projectSlug}/runs/${other.id}`}>
        {runName(other)} ({formNames[other.form] ?? other.form})
      </Link>
    </span>
  ))
  return counterpartForms(run.imported).isExact ? (
    <p className="muted">A report of the same attack: {links}. This run is exact.</p>
  ) : (
    <p>Exact raw results of the same attack: {links}.</p>
  )
}
