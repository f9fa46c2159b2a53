/** The thread of the embedded database, whose log has no space as long as `noRoom` says so. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { getEnvironmentData } from 'node:worker_threads'
import { z } from 'zod'
import '../../../prisma/database-worker'

const { isFull, reserve } = z
  .object({ isFull: z.instanceof(Int32Array), reserve: z.string() })
  .parse(getEnvironmentData('noRoom'))
const { writeSync } = fs
const write = (...args: Parameters<typeof writeSync>): number => {
  // Only the reserve makes space.
  const hasNoRoom = Atomics.load(isFull, 0) === 1 && fs.existsSync(reserve)
  if (hasNoRoom && fs.readlinkSync(`/proc/self/fd/${args[0]}`).includes('/pg_wal/'))
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  return writeSync(...args)
}
Object.assign(fs, { writeSync: write })
syncBuiltinESMExports()
