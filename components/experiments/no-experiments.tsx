'use client'

import { IfAllowed, useAccess } from '../ui/actions/access'
import { CommandLine } from '../ui/actions/curl-line'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/links/link'

/** What experiments are, and how to begin one: here, from a terminal, or with one's own runner. */
export function NoExperiments({ origin, slug }: { readonly origin: string; readonly slug: string }) {
  const { hasAccounts } = useAccess()
  const token = hasAccounts ? ' -H "Authorization: Bearer $TAILBOARD_TOKEN"' : ''
  const commands = [
    `tailboard rounds --base './bench main' --head './bench branch' \\\n  --control --on p99 --matters 5% --to ${origin} --project ${slug}`,
    `curl -sS --fail-with-body${token} \\\n  --json '{"question":"Is it faster?","base":"main","head":"branch","control":true}' \\\n  "${origin}/api/v1/projects/${slug}/experiments"`,
  ] as const
  return (
    <EmptyState
      title="No experiments"
      actions={
        <IfAllowed need="edit">
          <Link className="button button-primary" href={`/p/${slug}/experiments/new`}>
            New experiment
          </Link>
        </IfAllowed>
      }
    >
      <p>
        An experiment runs two builds in rounds, watches what the same build differs by from itself, and stops when it
        knows which is better, or that none is.
      </p>
      <p className="muted">From a terminal, which plans and judges it there, and uploads its runs to this project:</p>
      <CommandLine command={commands[0]} name="tailboard rounds" />
      <p className="muted">Planned and judged here, with a runner of yours that asks what to run next:</p>
      <CommandLine command={commands[1]} name="curl command" />
    </EmptyState>
  )
}
