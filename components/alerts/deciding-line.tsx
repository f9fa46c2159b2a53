'use client'

import { CommandLine } from '../ui/actions/curl-line'
import { useAccess } from '../ui/actions/access'
import { decidingCommand, type DecidingRun } from './deciding-run'

interface Props {
  readonly run: DecidingRun
  readonly origin: string
  readonly slug: string
}

/** The command that decides between the commit and the machine, and how its answer reads. */
export function DecidingLine({ run, origin, slug }: Props) {
  const { hasAccounts } = useAccess()
  return (
    <>
      <p className="below-4">
        Run the commit before on today’s machine. As slow as now: it is the machine. As before: it is the commit.
      </p>
      <CommandLine command={decidingCommand(run, origin, slug, hasAccounts)} name="The command that decides" />
    </>
  )
}
