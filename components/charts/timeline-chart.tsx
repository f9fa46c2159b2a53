'use client'

import { useMemo } from 'react'
import { unpackTimeline, type PackedTimeline } from './packed-timeline'
import { TableFold, type TableAddress } from './table-fold'
import { TimelineHover } from './timeline-hover'
import { prepareTimeline } from './timeline-plot'
import { TimelineSvg } from './timeline-svg'
import styles from './timeline.module.css'

/** The timeline of a run, drawn here from its numbers, on the server too, so that a page carries them once. */
export function TimelineChart({ sent, address }: { sent: PackedTimeline; address: TableAddress }) {
  const plot = useMemo(() => prepareTimeline(unpackTimeline(sent)), [sent])
  const drawing = useMemo(() => plot && <TimelineSvg plot={plot} />, [plot])
  if (plot === null) return null
  return (
    <>
      <TimelineHover binCount={plot.binCount} readings={plot.readings}>
        {drawing}
      </TimelineHover>
      <p className={styles.note}>
        {plot.note}
        {plot.heat !== null && ' Darker cells have more requests.'}
      </p>
      <TableFold id="over-time-table" title="Over time" address={address} table={plot.table} />
    </>
  )
}
