'use client'

import { useParams } from 'next/navigation'
import { useAccess } from '../ui/actions/access'
import { Link } from '../ui/links/link'
import { PageBar } from './page-bar'

/** The page for an unknown address. Below a project that the viewer may see, the way back is to it. */
export function NotFound() {
  const { project: slug } = useParams<{ project?: string }>()
  const { project, hasAccounts } = useAccess()
  return (
    <>
      <PageBar {...(project === null ? {} : { project })} here="Not found" isHeading />
      <div className="page">
        <p>
          {slug === undefined || project !== null
            ? 'There is nothing at this address. It may have been deleted, moved to another project, or mistyped.'
            : `There is no project at this address${hasAccounts ? ', or you are not one of its members' : ''}.`}
        </p>
        <p>
          {project !== null && (
            <>
              <Link href={`/p/${project.slug}/runs`}>Runs of the project</Link> ·{' '}
              <Link href={`/p/${project.slug}/trash`}>its trash</Link> ·{' '}
            </>
          )}
          <Link href="/">All projects</Link>
        </p>
      </div>
    </>
  )
}
