import { TooManyRequestsError } from '@/lib/errors'
import type { Viewer } from '@/lib/viewer'
import type { Granted } from '@/prisma/queries/projects/projects'
import { readVersions } from '@/prisma/queries/projects/project-versions'
import { BusyError } from '../http/respond'
import { whenStopping } from '../lifecycle'
import { logDefect } from '../observe/log'
import { isDatabaseAway } from '../outage'
import { waitForDatabase } from '../watch-database'

/** How often the database is asked while anyone watches: once for all of them. */
const everyMs = 500
/** Of one account, in all of its browsers. */
const maxOfAccount = 50
/** Of this instance: each is a connection, and a row of the statement. */
const maxInAll = 1_000
const retrySeconds = 30

/** Someone who waits for the next version of a project. */
interface Watch {
  readonly project: Granted<'read'>
  readonly onVersion: (version: string) => void
  /** The viewer has lost the right, or the server stops. */
  readonly onEnd: () => void
}

interface Watches {
  readonly open: Set<Watch>
  isAsking: boolean
  isStopping: boolean
}

/** On globalThis: each route of Next has its own copy of this module in one process. */
const key = Symbol.for('tailboard.watches')
function watches(): Watches {
  const holder = globalThis as { [key]?: Watches }
  if (holder[key] === undefined) {
    const made: Watches = { open: new Set(), isAsking: false, isStopping: false }
    holder[key] = made
    whenStopping(() => {
      made.isStopping = true
      endAll([...made.open])
    })
  }
  return holder[key]
}

/**
 * Calls `onVersion` about twice a second at most, when the project has changed, and `onEnd` once when no more will come.
 * Returns what ends it. Throws BusyError, TooManyRequestsError when too many watch already.
 */
export function watchProject(watch: Watch): () => void {
  const all = watches()
  if (all.isStopping) throw new BusyError('The server is stopping.', 1)
  if (all.open.size >= maxInAll) throw new BusyError('Too many pages wait for changes on this server.', retrySeconds)
  const own = accountOf(watch.project.viewer)
  const isOwn = ({ project }: Watch) => accountOf(project.viewer) === own
  if (own !== null && [...all.open].filter(isOwn).length >= maxOfAccount)
    throw new TooManyRequestsError('Too many pages of this account wait for changes', retrySeconds)
  all.open.add(watch)
  if (!all.isAsking) void askWhileWatched(all)
  return () => void all.open.delete(watch)
}

const accountOf = (viewer: Viewer): string | null => ('accountId' in viewer ? viewer.accountId : null)

function endAll(ended: readonly Watch[]): void {
  for (const watch of ended) if (watches().open.delete(watch)) watch.onEnd()
}

async function askWhileWatched(all: Watches): Promise<void> {
  all.isAsking = true
  const known = new WeakMap<Watch, string>()
  while (all.open.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, everyMs).unref())
    // While it is away, they wait on.
    if (all.open.size > 0 && !isDatabaseAway()) await ask([...all.open], known).catch(noteFailure)
  }
  all.isAsking = false
}

async function noteFailure(error: unknown): Promise<void> {
  if (!(await waitForDatabase(error))) logDefect(error)
}

async function ask(open: readonly Watch[], known: WeakMap<Watch, string>): Promise<void> {
  const versions = await readVersions(
    open.map(({ project }) => project),
    new Date(),
  )
  for (const [at, watch] of open.entries()) {
    const version = versions[at] ?? null
    if (version === null) endAll([watch])
    else if (known.get(watch) !== version) {
      known.set(watch, version)
      if (watches().open.has(watch)) watch.onVersion(version)
    }
  }
}
