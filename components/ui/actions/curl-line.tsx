'use client'

import { CopyButton } from './copy-button'
import styles from './curl-line.module.css'
import { useAccess } from './access'

/** A command for a terminal, ready to copy. `name` is read out by screen readers. */
export function CommandLine({ command, name }: { command: string; name: string }) {
  return (
    <div className={`flex gap-8 ${styles.line}`}>
      <pre tabIndex={0} aria-label={name}>
        {command}
      </pre>
      <CopyButton text={command} />
    </div>
  )
}

/** Sends a file to a project; with accounts, with a token from the environment. Its lines are short, but the address. */
export function uploadCommand(origin: string, slug: string, hasAccounts: boolean): string {
  const token = hasAccounts ? ' -H "Authorization: Bearer $TAILBOARD_TOKEN"' : ''
  return `curl -sS --fail-with-body${token} \\\n  -T out.txt \\\n  "${origin}/api/v1/projects/${slug}/uploads/out.txt?label=commit=abc"`
}

/**
 * The command that sends a file to this project from a terminal or CI. `origin` is the address that the browser used.
 */
export function CurlLine({ origin, slug }: { origin: string; slug: string }) {
  const { hasAccounts } = useAccess()
  return <CommandLine command={uploadCommand(origin, slug, hasAccounts)} name="curl command" />
}
