import { leadingLatency } from '@/lib/run/figures'
import { formatCount } from '@/lib/format'
import { measurementMethodOf, type MeasurementMethod } from '@/lib/judge/measurement-method'
import type { StoredRun } from '@/lib/history/stored-runs'
import { plainMethods } from '@/lib/run/quantile-method'
import { tools, versionWords } from '@/lib/run/tools'
import { LearnLink, ToolLink } from '../../learn/learn-link'
import type { LearnTopic } from '../../learn/topics'
import type { ReactNode } from 'react'
import styles from '../figures/fact-list.module.css'

const names: readonly (readonly [key: keyof MeasurementMethod, name: string])[] = [
  ['loop', 'Loop'],
  ['rate', 'Rate'],
  ['errors', 'Failures'],
  ['quantiles', 'Percentiles'],
  ['resolution', 'Resolution'],
  ['sampleCap', 'Sample cap'],
  ['coordinatedOmission', 'Coordinated omission'],
]

/** The meaning of the terms. */
const plainWords: Readonly<Record<string, string>> = {
  'open loop': 'open: requests are sent on schedule, whatever has returned',
  'closed loop': 'closed: each connection waits for its response',
  observed: 'observed: no load was offered',
}

const explained: Readonly<Partial<Record<keyof MeasurementMethod, LearnTopic>>> = {
  loop: 'open-and-closed-loop',
  quantiles: 'percentile-plot',
  coordinatedOmission: 'coordinated-omission',
}

/** How the figures were measured: what to know before comparing them. `canLearn`: with links to the explanations. */
export function RunMeasurementMethod({ run, canLearn = false }: { run: StoredRun; canLearn?: boolean }) {
  const method = measurementMethodOf(run.imported)
  const { command, url, toolVersion, latencies } = run.imported
  const latency = leadingLatency({ latencies })
  // A tool with words of its own needs no others.
  const isPlain = latency !== null && latency.quantiles.length > 0 && tools[run.tool].quantiles.words === null
  const plain = isPlain ? plainMethods[latency.method] : null
  return (
    <section className="card">
      <h2 className="section-title">How it was measured</h2>
      <dl className={styles.facts}>
        <Fact
          name="Tool"
          text={[tools[run.tool].name, toolVersion === null ? '' : versionWords(toolVersion)].filter(Boolean).join(' ')}
        >
          {canLearn && <ToolLink tool={run.tool} />}
        </Fact>
        {names.map(([key, name]) => {
          const learn = canLearn && explained[key] && <LearnLink topic={explained[key]}>More</LearnLink>
          return key === 'quantiles' && plain !== null ? (
            <Fact key={key} name={name} text={plain}>
              <details className={styles.rule}>
                <summary>More</summary>
                {method[key]} {learn}
              </details>
            </Fact>
          ) : (
            <Fact key={key} name={name} text={plainWords[method[key]] ?? method[key]}>
              {learn}
            </Fact>
          )
        })}
        {latency?.count ? <Fact name="Latencies counted" text={formatCount(latency.count)} /> : null}
        {command === null ? null : <Fact name="Command" text={command} isCode />}
        {command === null && url !== null ? <Fact name="URL" text={url} isCode /> : null}
      </dl>
    </section>
  )
}

interface FactProps {
  readonly name: string
  readonly text: string
  readonly isCode?: boolean
  /** A link to more. */
  readonly children?: ReactNode
}

function Fact({ name, text, isCode = false, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {isCode ? <code>{text}</code> : text} {children}
      </dd>
    </div>
  )
}
