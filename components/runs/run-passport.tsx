import { leadingLatency } from '@/lib/figures'
import { formatCount } from '@/lib/format'
import { passportOf, type Passport } from '@/lib/passport'
import type { StoredRun } from '@/lib/stored'
import styles from './fact-list.module.css'

const names: readonly (readonly [key: keyof Passport, name: string])[] = [
  ['loop', 'Loop'],
  ['rate', 'Rate'],
  ['errors', 'Errors'],
  ['quantiles', 'Percentiles'],
  ['resolution', 'Resolution'],
  ['sampleCap', 'Sample cap'],
  ['coordinatedOmission', 'Coordinated omission'],
]

/** How the figures came about: what to know before comparing them. */
export function RunPassport({ run }: { run: StoredRun }) {
  const passport = passportOf(run.imported)
  const { command, url, toolVersion, latencies } = run.imported
  const latency = leadingLatency({ latencies })
  return (
    <section className="card">
      <h2 className="section-title">How it was measured</h2>
      <dl className={styles.facts}>
        <Fact name="Tool" text={toolVersion === null ? run.tool : `${run.tool} ${toolVersion}`} />
        {names.map(([key, name]) => (
          <Fact key={key} name={name} text={passport[key]} />
        ))}
        {latency?.count ? <Fact name="Values" text={formatCount(latency.count)} /> : null}
        {command === null ? null : <Fact name="Command" text={command} isCode />}
        {command === null && url !== null ? <Fact name="URL" text={url} isCode /> : null}
      </dl>
    </section>
  )
}

function Fact({ name, text, isCode = false }: { name: string; text: string; isCode?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{isCode ? <code>{text}</code> : text}</dd>
    </div>
  )
}
