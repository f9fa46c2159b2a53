'use client'

import { Link } from '@/components/ui/links/link'

/** Replaces a page that failed. The digest finds the cause in the server's log. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div className="page">
      <h1 className="page-title">This page failed</h1>
      <p>
        Nothing was changed.{error.digest ? ` The server’s log has the cause under ${error.digest}.` : ''} Try again, or
        go to <Link href="/">all projects</Link>.
      </p>
      <button type="button" className="button button-primary" onClick={reset}>
        Try again
      </button>
    </div>
  )
}
