import { CopyButton } from './copy-button'
import styles from './curl-line.module.css'

/** A command for a terminal, ready to copy. `name` is what screen readers announce. */
export function CommandLine({ command, name }: { command: string; name: string }) {
  return (
    <div className={styles.line}>
      <pre tabIndex={0} aria-label={name}>
        {command}
      </pre>
      <CopyButton text={command} />
    </div>
  )
}

/** The command that sends a file to this project from a terminal or CI. `origin` is the address the browser used. */
export function CurlLine({ origin, slug }: { origin: string; slug: string }) {
  const command = `curl -sS --fail-with-body -T out.txt "${origin}/api/v1/projects/${slug}/uploads/out.txt?label=commit=abc"`
  return <CommandLine command={command} name="curl command" />
}
