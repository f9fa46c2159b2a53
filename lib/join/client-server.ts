import type { JoinRows, ServerRow } from '../cube/join-rows'
import { byPercentile, type PercentileOfBoth } from './by-percentile'
import type { ClockOffset } from './clock-offset'
import { fingerprint } from './fingerprint'
import { rateCurve } from './rate-curve'

/** Client and server of the same requests, matched one by one. */
export interface Matched {
  readonly how: 'header-number' | 'request-id'
  /** What the server's number is, in words. */
  readonly source: string
  readonly matched: number
  /** Of the client without a number or an invocation; of the server without a request. */
  readonly clientOnly: number
  readonly serverOnly: number
  /** The client's rows whose id comes more than once: they are among the unmatched. */
  readonly repeatedIds: number
  /** Matched requests whose server part is longer than what the client measured. */
  readonly negativeRests: number
  readonly percentiles: readonly PercentileOfBoth[]
}

/** Two distributions in a common time, never the same requests. */
export interface OnOneClock {
  readonly how: 'clock'
  readonly offset: ClockOffset
  /** Requests of each that lie within the time of the other. */
  readonly clientInLog: number
  readonly serverInRun: number
}

export interface RefusedJoin {
  readonly how: 'refused'
  readonly why: string
}

export type Join = Matched | OnOneClock | RefusedJoin

/** Joins a client's rows with a server's log, or (null) with the numbers in their own headers. */
export function joinRows(client: JoinRows, server: readonly ServerRow[] | null): Join {
  if (server === null) return byNumber(client)
  if (client.ids.some((id) => id !== null)) return byId(client, server)
  return byClock(client, server)
}

function byNumber({ count, latencyMs, serverMs, serverName }: JoinRows): Join {
  if (serverName === null) return { how: 'refused', why: 'no row says what the server needed, and there is no log' }
  const hits = indices(count).filter((row) => !Number.isNaN(serverMs[row]))
  const pairs = pairsOf(hits.map((row) => [latencyMs[row] ?? 0, serverMs[row] ?? 0]))
  return {
    ...{ how: 'header-number', source: serverName, matched: hits.length, clientOnly: count - hits.length },
    ...{ serverOnly: 0, repeatedIds: 0, ...pairs },
  }
}

function byId({ count, latencyMs, ids }: JoinRows, server: readonly ServerRow[]): Join {
  // An id twice in the log is one invocation: the first.
  const invocations = new Map<string, ServerRow>()
  for (const row of server) if (row.id !== null && !invocations.has(row.id)) invocations.set(row.id, row)
  const uses = new Map<string, number>()
  for (const id of ids) if (id !== null) uses.set(id, (uses.get(id) ?? 0) + 1)
  const isRepeated = (row: number) => (uses.get(ids[row] ?? '') ?? 0) > 1
  const found = (row: number) => invocations.get(ids[row] ?? '')
  const hits = indices(count).filter((row) => found(row) !== undefined && !isRepeated(row))
  const pairs = pairsOf(hits.map((row) => [latencyMs[row] ?? 0, found(row)?.serverMs ?? 0]))
  return {
    ...{ how: 'request-id', source: 'REPORT Duration and Init Duration', matched: hits.length },
    ...{ clientOnly: count - hits.length, serverOnly: invocations.size - hits.length },
    ...{ repeatedIds: indices(count).filter(isRepeated).length, ...pairs },
  }
}

function pairsOf(pairs: readonly (readonly [client: number, server: number])[]) {
  const client = Float64Array.from(pairs, ([ms]) => ms)
  const server = Float64Array.from(pairs, ([, ms]) => ms)
  return {
    negativeRests: pairs.filter(([one, other]) => other > one).length,
    percentiles: byPercentile(client, server),
  }
}

function byClock({ count, startMs, latencyMs }: JoinRows, server: readonly ServerRow[]): Join {
  const ends = server.flatMap(({ endMs }) => (endMs === null ? [] : [endMs / 1e3]))
  if (ends.length === 0) return { how: 'refused', why: 'the log has neither times nor request ids' }
  const log = Float64Array.from(ends).sort()
  const run = Float64Array.from(indices(count), (row) => ((startMs[row] ?? NaN) + (latencyMs[row] ?? 0)) / 1e3)
    .filter((end) => !Number.isNaN(end))
    .sort()
  if (run.length === 0) return { how: 'refused', why: 'the rows have no times' }
  const isFine = log.some((end) => Math.abs(end - Math.round(end)) > 1e-4)
  const offset = isFine ? fingerprint(run, log) : rateCurve(run, log)
  if (offset === null) return { how: 'refused', why: 'by their times alone the two cannot be laid over each other' }
  const within = (times: Float64Array, by: number, other: Float64Array) =>
    times.filter((time) => time + by >= (other[0] ?? 0) && time + by <= (other.at(-1) ?? 0)).length
  return {
    ...{ how: 'clock', offset },
    clientInLog: within(run, offset.value, log),
    serverInRun: within(log, -offset.value, run),
  }
}

const indices = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)
