import { formatCount, formatNumber } from '@/lib/format'
import type { Load } from '@/lib/run/run'

/** How requests were offered: `closed loop, 100 connections`. */
export function loadWords(load: Load): string {
  if (load.kind === 'open')
    return load.ratePerSecond === null ? 'open loop' : `open loop, ${formatNumber(load.ratePerSecond)} requests/s`
  if (load.kind === 'closed')
    return load.connections === null ? 'closed loop' : `closed loop, ${formatCount(load.connections)} connections`
  return load.kind === 'unstated' ? 'load not stated' : 'observed'
}
