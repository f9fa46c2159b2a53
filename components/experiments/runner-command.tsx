'use client'

import { useAccess } from '../ui/actions/access'
import { CommandLine } from '../ui/actions/curl-line'

interface Props {
  readonly origin: string
  readonly slug: string
  readonly id: string
}

/** Asks what is to be run next; with accounts, with a token from the environment. */
export function RunnerCommand({ origin, slug, id }: Props) {
  const { hasAccounts } = useAccess()
  const token = hasAccounts ? ' -H "Authorization: Bearer $TAILBOARD_TOKEN"' : ''
  const command = `curl -sS --fail-with-body -X POST${token} \\\n  "${origin}/api/v1/projects/${slug}/experiments/${id}/next"`
  return <CommandLine command={command} name="curl command" />
}
