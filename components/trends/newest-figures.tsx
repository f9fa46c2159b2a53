import type { Trend } from '@/lib/levels/trend'
import { SideMarker } from '../charts/plot/legend'
import { seriesStyle } from '../charts/plot/scale'
import { Fact } from '../facts/fact'
import { newestFigure } from './scenario-trends'
import styles from './trends.module.css'

/** The newest figure of each profile, where there are too few for a line. */
export function NewestFigures({ trends, names }: { trends: readonly Trend[]; names: readonly string[] }) {
  const newest = trends.map((trend) => ({ ...newestFigure(trend), key: trend.profile.key }))
  return (
    <dl className={`grid gap-4 ${styles.newest}`}>
      {newest.map(({ key, fact, text }, at) => (
        <div key={key} className="flex between gap-12">
          <dt className="inline-row gap-6">
            <SideMarker style={seriesStyle(at)} />
            {names[at]}
          </dt>
          <Fact of={fact} as="dd" className="flush num">
            {text}
          </Fact>
        </div>
      ))}
    </dl>
  )
}
