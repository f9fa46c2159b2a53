import type { ImportedRun } from '@/lib/run/run'
import { formatCount } from '@/lib/format'
import { chartViewHref, chooseDistributions, distributionName, type ChartView } from '../charts/chart-view'
import { ViewLinks } from '../charts/view-links'
import styles from '../charts/chart-frame.module.css'

/** Which requests the latency charts show; nothing where the run has one distribution. */
export function DistributionChoice({ run, view }: { run: ImportedRun; view: ChartView }) {
  const choices = chooseDistributions(run)
  const [leading] = choices
  if (leading === undefined || choices.length < 2) return null
  const chosen = view.of !== null && choices.includes(view.of) ? view.of : leading
  return (
    <div className={styles.bar}>
      <span>Latency of</span>
      <ViewLinks
        label="Latency of"
        choices={choices.map((of) => {
          const count = run.latencies.find((latency) => latency.of === of)?.count ?? null
          return {
            name: count === null ? distributionName(of) : `${distributionName(of)} (${formatCount(count)})`,
            href: chartViewHref(view, { of: of === leading ? null : of }),
            isChosen: of === chosen,
          }
        })}
      />
    </div>
  )
}
