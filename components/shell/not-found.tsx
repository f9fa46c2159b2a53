'use client'

import { useParams } from 'next/navigation'
import { Link } from '../ui/links/link'
import { PageBar } from './page-bar'

/** The page for an unknown address. Below a project, the way back is to it. */
export function NotFound() {
  const { project } = useParams<{ project?: string }>()
  return (
    <>
      <PageBar here="Not found" isHeading />
      <div className="page">
        <p>There is nothing at this address. It may have been deleted, moved to another project, or mistyped.</p>
        <p>
          {project === undefined ? null : (
            <>
              <Link href={`/p/${project}/runs`}>Runs of the project</Link> ·{' '}
              <Link href={`/p/${project}/trash`}>its trash</Link> ·{' '}
            </>
          )}
          <Link href="/">All projects</Link>
        </p>
      </div>
    </>
  )
}
