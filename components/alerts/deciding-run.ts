import type { RunNames } from '@/lib/history/stored-runs'

/** The last run before a change, as it is run again. */
export interface DecidingRun extends Pick<RunNames, 'scenario' | 'variant' | 'environment'> {
  readonly commit: string
  /** As its file states it. */
  readonly command: string
}

/** Commits that a shell takes for a word. */
const word = /^\w[\w./-]*$/

/**
 * The run that decides between the commit and the machine: the commit before, on today's machine. Null: its commit or
 * its command is not known, or takes more than a line.
 */
export function decidingRun({
  labels,
  imported: { command },
  ...run
}: Pick<RunNames, 'scenario' | 'variant' | 'environment'> & {
  readonly labels: Readonly<Record<string, string>>
  readonly imported: { readonly command: string | null }
}): DecidingRun | null {
  const { scenario, variant, environment } = run
  const commit = labels['commit']
  if (commit === undefined || !word.test(commit)) return null
  if (command === null || command.trim() === '' || /[\r\n>]/.test(command)) return null
  return { scenario, variant, environment, commit, command: command.trim() }
}

/** What a terminal runs for it. `origin`: the address of the server; `curl`: how it sends. */
export function decidingCommand(run: DecidingRun, origin: string, slug: string, hasAccounts: boolean): string {
  const { scenario, variant, environment, commit, command } = run
  const query = new URLSearchParams({ scenario })
  if (variant !== null) query.set('variant', variant)
  if (environment !== null) query.set('environment', environment)
  query.set('label', `commit=${commit}`)
  query.set('candidate', '1')
  query.set('gate', '1')
  const token = hasAccounts ? ' -H "Authorization: Bearer $TAILBOARD_TOKEN"' : ''
  return [
    `git checkout ${commit}`,
    `${command} > out.txt`,
    `curl -sS${token} -T out.txt \\\n  "${origin}/api/v1/projects/${slug}/uploads/out.txt?${query.toString()}"`,
  ].join('\n')
}
