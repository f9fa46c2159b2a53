import { Fragment } from 'react'
import { plural } from '@/lib/format'
import type { KnownNames } from '@/lib/history/run-list'
import type { RunPast, RunRow } from '@/lib/history/stored-runs'
import { Link } from '../../ui/links/link'
import { ManyForm } from './many-form'
import { ManySaved } from './many-saved'
import { prepareMany, type SentDraft } from './prepare-many'
import styles from './many.module.css'

interface Props {
  readonly project: { readonly slug: string; readonly name: string; readonly version: string }
  /** The path of this page. */
  readonly here: string
  readonly drafts: readonly SentDraft[]
  /** Runs of those that are saved. */
  readonly saved: readonly RunRow[]
  /** The series of each of these up to it. */
  readonly pasts: ReadonlyMap<string, RunPast>
  readonly known: KnownNames
}

/** Several files that were sent together: one table from the start, and the same runs once they are saved. */
export function ManyView({ project, here, drafts, saved, pasts, known }: Props) {
  const { runs, columns, about, empty } = prepareMany(drafts)
  return (
    <div className="page grid gap-16 one-column">
      <header>
        <h1 className="page-title">
          {saved.length > 0
            ? `${plural(saved.length, 'run')} saved`
            : `${plural(drafts.length, 'file')}, ${plural(runs.length, 'run')}`}
        </h1>
        {drafts.length > 0 && (
          <p className={`muted flex wrap text-13 above-4 ${styles.about}`}>
            {about.map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
            {empty.length > 0 && (
              <span>
                no results in{' '}
                {empty.map(({ uploadId, name }, at) => (
                  <Fragment key={uploadId}>
                    {at > 0 && ', '}
                    <Link href={`/p/${project.slug}/upload/${uploadId}`}>{name}</Link>
                  </Fragment>
                ))}
              </span>
            )}
          </p>
        )}
      </header>
      {saved.length > 0 && <ManySaved project={project} runs={saved} pasts={pasts} />}
      {runs.length > 0 && <ManyForm slug={project.slug} here={here} runs={runs} columns={columns} known={known} />}
    </div>
  )
}
