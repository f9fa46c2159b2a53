import { Fragment } from 'react'
import { quantileMethods } from '@/lib/run/quantile-method'
import { toolIds, tools, type Tool, type ToolFacts } from '@/lib/run/tools'
import { formatMs } from '@/lib/format'
import { Link } from '../ui/links/link'
import styles from './learn.module.css'
import { LearnLink, toolTitle } from './learn-link'
import type { LearnTopic } from './topics'

const loops: Readonly<Record<ToolFacts['loop'], string>> = {
  open: 'open: requests are sent on schedule, whatever has returned',
  closed: 'closed: each connection waits for its response',
  observed: 'observed: no load was offered',
  'by-options': 'open or closed, as its options say; its output need not state them',
}

const states: Readonly<Record<'always' | 'in-some-forms' | 'never', string>> = {
  always: 'in every form',
  'in-some-forms': 'in some forms',
  never: 'never',
}

interface Fact {
  readonly name: string
  readonly text: string
  readonly topic?: LearnTopic
}

/** The meaning of its figures, in the words of the table of tools. */
function factsOf(facts: ToolFacts): readonly Fact[] {
  const { failures, quantiles, coordinatedOmission, sampleCap, timeoutMs } = facts
  return [
    { name: 'Loop', text: loops[facts.loop], topic: 'open-and-closed-loop' },
    { name: 'A latency spans', text: facts.latencies },
    { name: 'Counts as failed', text: failures.rule },
    { name: 'Failures in latencies', text: failures.words },
    {
      name: 'Percentiles',
      text: quantiles.words ?? quantiles.methods.map((method) => quantileMethods[method]).join('; '),
      topic: 'percentile-plot',
    },
    {
      name: 'Resolution',
      text:
        facts.finerResolution === null ? facts.resolution : `${facts.resolution}; in places ${facts.finerResolution}`,
    },
    { name: 'Sample cap', text: sampleCap.words },
    { name: 'Coordinated omission', text: coordinatedOmission.words, topic: 'coordinated-omission' },
    ...(timeoutMs === null ? [] : [{ name: 'Default timeout', text: formatMs(timeoutMs) }]),
    {
      name: 'Rate is over',
      text: facts.rateIsOver === 'durationMs' ? 'the whole run' : 'the time until the last request was sent',
    },
    { name: 'States its start', text: states[facts.states.start] },
    { name: 'States its rate', text: states[facts.states.rate] },
    { name: 'States its connections', text: states[facts.states.connections] },
  ]
}

/** The meaning of one tool's figures, and links to the other tools. */
export function ToolView({ tool }: { readonly tool: Tool }) {
  const facts = tools[tool]
  return (
    <div className="page">
      <h1 className="page-title">{toolTitle(tool)}</h1>
      <p className="muted">
        Read: {(facts.reads ?? '').replaceAll('`', '')}
        {facts.versions === null ? '' : ` (versions ${facts.versions})`}.
      </p>
      <dl className={styles.terms}>
        {factsOf(facts).map(({ name, text, topic }) => (
          <Fragment key={name}>
            <dt className="bold above-16">{name}</dt>
            <dd>
              {text} {topic !== undefined && <LearnLink topic={topic}>More</LearnLink>}
            </dd>
          </Fragment>
        ))}
      </dl>
      <nav aria-label="Other tools">
        <ToolList except={tool} />
      </nav>
    </div>
  )
}

/** Links to the pages on what each tool measures. */
export function ToolList({ except }: { readonly except?: Tool }) {
  return (
    <ul className={`flex wrap ${styles.others}`}>
      {toolIds
        .filter((id) => id !== except)
        .map((id) => (
          <li key={id}>
            <Link href={`/learn/tools/${id}`}>{tools[id].name}</Link>
          </li>
        ))}
    </ul>
  )
}
