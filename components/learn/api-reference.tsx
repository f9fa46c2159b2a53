import type { ApiGroup, ApiOperation } from '@/lib/api-reference'
import styles from './api-reference.module.css'

/** Every operation of the API, folded. */
export function ApiReference({
  groups,
  hasAccounts,
}: {
  readonly groups: readonly ApiGroup[]
  readonly hasAccounts: boolean
}) {
  return (
    <div className="page">
      <h1 className="page-title">API</h1>
      <div className={styles.intro}>
        <p>
          The same as OpenAPI 3.1: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>. These pages use it too.
        </p>
        <p>
          {hasAccounts ? (
            <>
              A program sends a token of its account: <code>Authorization: Bearer tailboard_…</code>. What its account
              may not know of is not found.
            </>
          ) : (
            'This server takes requests of its own machine alone, without a token.'
          )}{' '}
          Refusals are <code>application/problem+json</code>, with a <code>code</code>, a sentence and a hint.
        </p>
      </div>
      <nav aria-label="Parts of the API">
        <ul className={styles.parts}>
          {groups.map(({ name }) => (
            <li key={name}>
              <a href={`#${name}`}>{groupName(name)}</a>
            </li>
          ))}
        </ul>
      </nav>
      {groups.map(({ name, operations }) => (
        <section key={name} aria-labelledby={name}>
          <h2 id={name} className={`section-title ${styles.part}`}>
            {groupName(name)}
          </h2>
          {operations.map((operation) => (
            <Operation key={operation.id} {...operation} />
          ))}
        </section>
      ))}
    </div>
  )
}

function Operation({ id, method, path, summary, needs, parameters, body, answers }: ApiOperation) {
  const given = parameters.filter(({ place }) => place !== 'path')
  return (
    <details id={id} className={styles.operation}>
      <summary>
        <span className={styles.address}>
          <b className={styles.method}>{method}</b> {path}
        </span>
        <span className="muted">{summary}</span>
      </summary>
      <p className="muted">{needs}</p>
      {given.length > 0 && (
        <dl className={styles.facts}>
          {given.map(({ name, place, isRequired, words, type }) => (
            <div key={`${place} ${name}`}>
              <dt>
                <code>{name}</code>{' '}
                <span className="muted">{[place, isRequired && 'required'].filter(Boolean).join(', ')}</span>
              </dt>
              <dd>{words === null ? <code>{type}</code> : <Sentence text={words} />}</dd>
            </div>
          ))}
        </dl>
      )}
      {body !== null && (
        <>
          <h3 className={styles.label}>Body</h3>
          <pre className={styles.body}>{body}</pre>
        </>
      )}
      <h3 className={styles.label}>Responses</h3>
      <dl className={styles.facts}>
        {answers.map(({ status, words, codes }) => (
          <div key={status}>
            <dt>
              <code>{status}</code>
            </dt>
            <dd>
              <Sentence text={words} /> {codes.length > 0 && <code className="muted">{codes.join(', ')}</code>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** What stands in backquotes is code. */
function Sentence({ text }: { readonly text: string }) {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))
}

/** `cell-notes` → `Cell notes`. */
function groupName(tag: string): string {
  if (tag === 'openapi.json') return 'OpenAPI'
  const words = tag.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
