import { printingTools, toolNames } from '@/lib/run/tools'
import { Link } from '../ui/links/link'
import { LearnLink } from '../learn/learn-link'
import { IfAllowed } from '../ui/actions/access'
import { CurlLine } from '../ui/actions/curl-line'
import { EmptyState } from '../ui/empty-state'

/** A project without runs: how to upload the first one, and what makes a good test. */
export function NoRuns({ origin, slug }: { origin: string; slug: string }) {
  return (
    <EmptyState
      title="No runs yet"
      actions={
        <IfAllowed need="upload">
          <Link className="button button-primary" href={`/p/${slug}/upload`}>
            Upload or paste output
          </Link>
        </IfAllowed>
      }
    >
      <p>
        Drop the output of {printingTools('or')} anywhere in this window, or a Markdown file that quotes it. From a
        terminal or CI:
      </p>
      <CurlLine origin={origin} slug={slug} />
      <ul>
        <li className="muted">
          Run for minutes, not seconds: p99 of 60 requests is an anecdote. <LearnLink topic="percentile-plot" />
        </li>
        <li className="muted">
          Use a constant rate ({toolNames(({ loop }) => loop === 'open', ',')}) to see queueing;{' '}
          {toolNames(({ loop }) => loop === 'closed', 'and')} wait for slow responses, which hides it.{' '}
          <LearnLink topic="coordinated-omission" />
        </li>
        <li className="muted">
          Change one thing between runs, and repeat each. <LearnLink topic="one-run" />
        </li>
      </ul>
    </EmptyState>
  )
}

/** There are runs, but none matches the filters. */
export function NoMatch({ path }: { path: string }) {
  return (
    <EmptyState title="No matching runs">
      <p>
        Remove a filter, or <Link href={path}>show all runs</Link>.
      </p>
    </EmptyState>
  )
}
