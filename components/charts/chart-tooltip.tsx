import styles from './chart-tooltip.module.css'

export interface TooltipRow {
  readonly name: string
  readonly color: string
  readonly value: string
}

/** What every chart shows at the pointer: one line a series, in the order of the lines. */
export function ChartTooltip({ title, rows }: { title: string; rows: readonly TooltipRow[] }) {
  return (
    <div className={styles.tooltip}>
      <div className={styles.title}>{title}</div>
      {rows.map((row) => (
        <div key={row.name} className={styles.row}>
          <span className={styles.swatch} style={{ background: row.color }} />
          <span>{row.name}</span>
          <span className={styles.value}>{row.value}</span>
        </div>
      ))}
    </div>
  )
}
