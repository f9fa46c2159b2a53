import type { Marker as MarkerShape } from './scale'

const shapes: Readonly<Record<MarkerShape, string>> = {
  circle: 'M-4 0a4 4 0 108 0a4 4 0 10-8 0z',
  square: 'M-3.5-3.5h7v7h-7z',
  diamond: 'M0-5L5 0L0 5L-5 0z',
  triangle: 'M0-5L4.5 4h-9z',
}

/** A measured point, centred on 0, 0. `hollow`: fewer than 10 values lie above it. */
export function Marker({ shape, color, hollow }: { shape: MarkerShape; color: string; hollow: boolean }) {
  return (
    <path
      d={shapes[shape]}
      fill={hollow ? 'var(--surface)' : color}
      stroke={hollow ? color : 'var(--surface)'}
      strokeWidth={hollow ? 1.5 : 1}
    />
  )
}
