import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** CPU of a process and of its children that have ended, ms; Linux counts hundredths of a second. */
export function cpuMsOf(pid: number | 'self', of: 'itself' | 'children'): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = of === 'itself' ? [11, 12] : [13, 14]
  return 10 * (Number(fields[user]) + Number(fields[system]))
}

/** CPU of `node -e 0`, ms: the mean of 20. */
export function emptyProgramMs(): number {
  const before = cpuMsOf('self', 'children')
  for (let at = 0; at < 20; at += 1) spawnSync(process.execPath, ['-e', '0'])
  return (cpuMsOf('self', 'children') - before) / 20
}
