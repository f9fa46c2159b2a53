'use client'

import { useMemo, useState } from 'react'
import { TableRegion } from './chart-table'
import { unpackTimeline, type PackedTimeline } from './packed-timeline'
import { TimelineHover } from './timeline-hover'
import { prepareTimeline } from './timeline-plot'
import { TimelineSvg } from './timeline-svg'
import styles from './timeline.module.css'

/** The timeline of a run, drawn here from its numbers, on the server too, so that a page carries them once. */
export function TimelineChart({ sent }: { sent: PackedTimeline }) {
  const plot = useMemo(() => prepareTimeline(unpackTimeline(sent)), [sent])
  const drawing = useMemo(() => plot && <TimelineSvg plot={plot} />, [plot])
  const [isOpen, setOpen] = useState(false)
  if (plot === null) return null
  return (
    <>
      <TimelineHover binCount={plot.binCount} readings={plot.readings}>
        {drawing}
      </TimelineHover>
      <p className={styles.note}>
        {plot.note}
        {plot.heat !== null && ' The darker a cell of the map, the more requests.'}
      </p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Show as table</summary>
        {isOpen && <TableRegion title="Over time" table={plot.table()} />}
      </details>
    </>
  )
}
