import { stat } from 'node:fs/promises'
import { formatBytes, formatPercent } from '@/lib/format'
import type { Input } from './inputs'
import { printable, type Terminal } from './terminal'

/** Reading that takes less is over before anybody reads a line about it. */
const quietMs = 500
const betweenMs = 100

/** Shows how much of a file was read, on a terminal's standard error, and removes it when it is over. */
export async function watchProgress(
  { name, path }: Input,
  { showsProgress, report }: Terminal,
): Promise<{ add(bytes: number): void; end(): void }> {
  const nothing = { add: () => undefined, end: () => undefined }
  if (!showsProgress) return nothing
  const sizeBytes =
    path === null
      ? null
      : await stat(path).then(
          ({ size }) => size,
          () => null,
        )
  const beganMs = performance.now()
  let [readBytes, shownMs] = [0, 0]
  return {
    add(bytes) {
      readBytes += bytes
      const nowMs = performance.now()
      if (nowMs - beganMs < quietMs || nowMs - shownMs < betweenMs) return
      shownMs = nowMs
      const share = sizeBytes === null ? '' : `, ${formatPercent(Math.floor((100 * readBytes) / sizeBytes) / 100)}`
      report(`\r\u001b[K${printable(`Reading ${name}: ${formatBytes(readBytes)}${share}`)}`)
    },
    end: () => (shownMs === 0 ? undefined : report('\r\u001b[K')),
  }
}
