import type { StoredRun } from '@/lib/history/stored-runs'
import { LineLink, type LineHref } from './line-link'
import styles from '../figures/fact-list.module.css'

/** The author's text beside the block: facts and sentences, with their lines; and the environment. */
export function RunContextCard({ run, lineHref }: { run: StoredRun; lineHref: LineHref }) {
  const { facts, notes, headings } = run.imported.context
  const attributes = Object.entries(run.environmentAttributes)
  if (facts.length === 0 && notes.length === 0 && attributes.length === 0) return null
  return (
    <section className="card">
      <h2 className="section-title">From the document</h2>
      <dl className={styles.facts}>
        {headings.length > 0 ? (
          <div>
            <dt>Headings</dt>
            <dd>{headings.join(' › ')}</dd>
          </div>
        ) : null}
        {facts.map(({ key, value, line }, index) => (
          <div key={`${key}-${index}`}>
            <dt>{key}</dt>
            <dd>
              {value} <LineLink line={line} lineHref={lineHref} />
            </dd>
          </div>
        ))}
      </dl>
      {attributes.length > 0 ? (
        <>
          <h3>Environment {run.environment}</h3>
          <dl className={styles.facts}>
            {attributes.map(([key, value]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      ) : null}
      {notes.length > 0 ? (
        <>
          <h3>Author’s notes</h3>
          <ul className={`text-13 break ${styles.notes}`}>
            {notes.map(({ text, line }, index) => (
              <li key={index}>
                {text} <LineLink line={line} lineHref={lineHref} />
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  )
}
