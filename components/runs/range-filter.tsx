import styles from './run-filters.module.css'

const figures = [
  ['p99', 'p99, ms'],
  ['p50', 'p50, ms'],
  ['max', 'Max, ms'],
  ['rps', 'Requests/s'],
  ['errors', 'Error ratio, 0–1'],
] as const

/** Days and a range of one figure, folded away until they are used. */
export function RangeFilter({ params }: { params: URLSearchParams }) {
  const isUsed = ['from', 'to', 'figure', 'min', 'max'].some((name) => (params.get(name) ?? '') !== '')
  const field = (name: string, label: string, type: 'date' | 'number') => (
    <label className={styles.range}>
      {label}
      <input
        className="input"
        type={type}
        name={name}
        defaultValue={params.get(name) ?? ''}
        {...(type === 'number' ? { min: 0, step: 'any' } : {})}
      />
    </label>
  )
  return (
    <details className={styles.more} open={isUsed}>
      <summary>Dates and figures</summary>
      <div className={styles.ranges}>
        {field('from', 'From', 'date')}
        {field('to', 'To', 'date')}
        <label className={styles.range}>
          Figure
          <select className="select" name="figure" defaultValue={params.get('figure') ?? ''}>
            <option value="">Any</option>
            {figures.map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {field('min', 'Min', 'number')}
        {field('max', 'Max', 'number')}
      </div>
      <p className="muted">A range needs another filter, a date range, or sorting by the same figure.</p>
    </details>
  )
}
