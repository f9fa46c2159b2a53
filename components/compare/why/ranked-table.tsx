import type { RankedValue, Ranking } from '@/lib/explain/ranked-values'
import { formatMs, formatPercent, missing, plural } from '@/lib/format'
import { wholePercent } from '@/lib/explain/why-sentence'
import styles from './ranked-table.module.css'

/** Values by how much of the difference lies within their requests; what is not beyond chance is grey. */
export function RankedTable({ ranking, threshold }: { readonly ranking: Ranking; readonly threshold: string }) {
  const { values, attributes, looked, isBeyondShift } = ranking
  if (values.length === 0) return null
  return (
    <section aria-label="Values">
      <div className="row wrap gap-8">
        <h2 className={`flush ${styles.title}`}>Values, by what lies within their requests</h2>
        <span className="muted text-13">
          {plural(attributes, 'attribute')}, {plural(looked, 'value')}
        </span>
      </div>
      <div className={styles.scroll}>
        <table className={`text-13 ${styles.table}`}>
          <thead>
            <tr>
              <th scope="col">Value</th>
              <th scope="col" className="num">
                Traffic
              </th>
              <th scope="col" className={`num ${styles.wide ?? ''}`}>
                Above {threshold}, baseline
              </th>
              <th scope="col" className={`num ${styles.wide ?? ''}`}>
                candidate
              </th>
              <th scope="col" className="num">
                {isBeyondShift ? 'Beyond what all share' : 'Of the difference'}
              </th>
              <th scope="col" className={styles.wide}>
                <span className="visually-hidden">Drawn</span>
              </th>
              <th scope="col" className={`num ${styles.wide ?? ''}`}>
                p99, baseline
              </th>
              <th scope="col" className={`num ${styles.wide ?? ''}`}>
                candidate
              </th>
              <th scope="col" className={styles.wide}>
                <span className="visually-hidden">Note</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {values.map((one) => (
              <Row key={`${one.attribute} ${one.value}`} {...one} isBeyondShift={isBeyondShift} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="muted text-12">
        Grey: not beyond chance, with {plural(looked, 'value')} compared. Values overlap (a request has a target and a
        status), so their shares are not added.
      </p>
    </section>
  )
}

function Row(props: RankedValue & Pick<Ranking, 'isBeyondShift'>) {
  const { attribute, value, traffic, moved, baseSlow, headSlow, ofDifference, baseP99, headP99 } = props
  const share = (one: number | null) => (one === null ? missing : formatPercent(one))
  const ms = (one: number | null) => (one === null ? missing : formatMs(one))
  return (
    <tr className={ofDifference === null && moved === null ? 'muted' : undefined}>
      <th scope="row">
        <span className="muted">{attribute.replace(/^header:/, '')}</span> {value}
        <small className="muted">{noteOf(props)}</small>
      </th>
      <td className="num">{wholePercent(traffic)}</td>
      <td className={`num ${styles.wide ?? ''}`}>{share(baseSlow)}</td>
      <td className={`num ${styles.wide ?? ''}`}>{share(headSlow)}</td>
      <td className="num">{ofDifference === null ? missing : <b>{wholePercent(ofDifference)}</b>}</td>
      <td className={`${styles.drawn ?? ''} ${styles.wide ?? ''}`}>
        {ofDifference !== null && (
          <span className={styles.bar} style={{ width: `${Math.min(100, 100 * ofDifference)}%` }} aria-hidden="true" />
        )}
      </td>
      <td className={`num ${styles.wide ?? ''}`}>{ms(baseP99)}</td>
      <td className={`num ${styles.wide ?? ''}`}>{ms(headP99)}</td>
      <td className={styles.wide}>{noteOf(props)}</td>
    </tr>
  )
}

/** What else is to be known of it, in a few words. */
function noteOf({ isAlias, moved, ofDifference, isBeyondShift }: RankedValue & Pick<Ranking, 'isBeyondShift'>): string {
  if (isAlias) return 'the same requests'
  if (moved !== null) return `${formatPercent(moved.base)} to ${formatPercent(moved.head)} of the traffic`
  return ofDifference === null && isBeyondShift ? 'as all do' : ''
}
