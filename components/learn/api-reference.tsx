import type { ApiOperation, ApiType, ApiWords } from '@/lib/api-reference'
import styles from './api-reference.module.css'

/** Every operation of the API, and every type that it names, folded. */
export function ApiReference({ groups, types, hasAccounts }: ApiWords & { readonly hasAccounts: boolean }) {
  const names: ReadonlySet<string> = new Set(types.map(({ name }) => name))
  return (
    <div className="page">
      <h1 className="page-title">API</h1>
      <div className={`linked ${styles.intro}`}>
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
        <ul className={`flex wrap ${styles.parts}`}>
          {groups.map(({ name }) => (
            <li key={name}>
              <a href={`#${name}`}>{groupName(name)}</a>
            </li>
          ))}
          <li>
            <a href="#types">Types</a>
          </li>
        </ul>
      </nav>
      {groups.map(({ name, operations }) => (
        <section key={name} aria-labelledby={name}>
          <h2 id={name} className={`section-title ${styles.part}`}>
            {groupName(name)}
          </h2>
          {operations.map((operation) => (
            <Operation key={operation.id} {...operation} names={names} />
          ))}
        </section>
      ))}
      <section aria-labelledby="types">
        <h2 id="types" className={`section-title ${styles.part}`}>
          Types
        </h2>
        {types.map((type) => (
          <Type key={type.name} {...type} names={names} />
        ))}
      </section>
    </div>
  )
}

interface Naming {
  /** Of all types. */
  readonly names: ReadonlySet<string>
}

function Operation({ names, ...operation }: ApiOperation & Naming) {
  const { id, method, path, summary, needs, parameters, body, answers } = operation
  const given = parameters.filter(({ place }) => place !== 'path')
  return (
    <details id={id} className={`bare-summary ${styles.operation}`}>
      <summary>
        <span className={`break slim ${styles.address}`}>
          <b className={`bold ${styles.method}`}>{method}</b> {path}
        </span>
        <span className="muted">{summary}</span>
      </summary>
      <p className="muted">{needs}</p>
      {given.length > 0 && (
        <dl className={`linked grid gap-4 text-13 ${styles.facts}`}>
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
          <pre className={`linked ${styles.body}`}>
            <TypeText text={body} names={names} />
          </pre>
        </>
      )}
      <h3 className={styles.label}>Responses</h3>
      <dl className={`linked grid gap-4 text-13 ${styles.facts}`}>
        {answers.map(({ status, words, codes, json }) => (
          <div key={status}>
            <dt>
              <code>{status}</code>
            </dt>
            <dd>
              <Sentence text={words} /> {codes.length > 0 && <code className="muted">{codes.join(', ')}</code>}
              {json !== null && <Shape text={json} names={names} />}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** Shows what fits in a line; folds more. */
function Shape({ text, names }: { readonly text: string } & Naming) {
  if (!text.includes('\n'))
    return (
      <code>
        <TypeText text={text} names={names} />
      </code>
    )
  return (
    <details>
      <summary className={styles.shape}>JSON</summary>
      <pre className={`linked ${styles.body}`}>
        <TypeText text={text} names={names} />
      </pre>
    </details>
  )
}

function Type({ name, words, text, names }: ApiType & Naming) {
  return (
    <details className={`bare-summary ${styles.operation}`}>
      <summary>
        <span className={`break slim ${styles.address}`}>{name}</span>
        <span className="muted">{words !== null && <Sentence text={words} />}</span>
      </summary>
      {/* Inside the fold: a link to it opens the fold. */}
      <pre id={typeId(name)} className={`linked ${styles.body}`}>
        <TypeText text={text} names={names} />
      </pre>
    </details>
  )
}

const typeId = (name: string): string => `type-${name}`

/** A type whose names link to their definitions; the text after `//` describes it. */
function TypeText({ text, names }: { readonly text: string } & Naming) {
  return text.split(/(\b[A-Z]\w*|\/\/[^\n]*)/).map((part, at) => {
    if (part.startsWith('//'))
      return (
        <span key={at} className="muted">
          {part}
        </span>
      )
    return names.has(part) ? (
      <a key={at} href={`#${typeId(part)}`}>
        {part}
      </a>
    ) : (
      part
    )
  })
}

/** Text in backquotes is code. */
function Sentence({ text }: { readonly text: string }) {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))
}

/** `cell-notes` → `Cell notes`. */
function groupName(tag: string): string {
  if (tag === 'openapi.json') return 'OpenAPI'
  const words = tag.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
