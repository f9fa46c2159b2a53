import { formatCount, formatMs, formatNumber, formatPercent, plural } from '../format'
import { quantileName } from '../stats/quantile'
import type { Join, Matched } from './client-server'

/** A join in words: a sentence, a table and notes, none with a full stop. */
export interface JoinReport {
  readonly sentence: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly notes: readonly string[]
}

export function joinReport(join: Join): JoinReport {
  const none = { heads: [], rows: [], notes: [] }
  if (join.how === 'refused') return { sentence: `Client and server cannot be joined: ${join.why}`, ...none }
  if (join.how === 'clock') {
    const { offset, clientInLog, serverInRun } = join
    const clock = `the server's clock is ${formatNumber(offset.value)} s (${formatNumber(offset.low)}–${formatNumber(offset.high)}) after the client's`
    const counts = `${plural(clientInLog, 'request')} of the client and ${formatCount(serverInRun)} of the log lie in the common time`
    const note = 'Joined by the clock alone: which invocation is which request stays unknown'
    return { ...none, sentence: `By their times ${clock}; ${counts}`, notes: [note] }
  }
  return matchedReport(join)
}

function matchedReport(join: Matched): JoinReport {
  const { source, matched, clientOnly, serverOnly, repeatedIds, negativeRests, percentiles } = join
  const at = percentiles.find(({ q }) => q === 0.99)
  const share = at === undefined ? '' : `: at p99 the server's part is ${formatPercent(at.serverMs / at.clientMs)}`
  const how = join.how === 'request-id' ? 'by request id' : `by ${source}`
  const rows = `${plural(clientOnly, 'client row')} without ${join.how === 'request-id' ? 'an invocation' : 'a number'}`
  return {
    sentence: `${formatCount(matched)} requests matched ${how}${share}`,
    heads: ['around', 'client', 'server', 'rest', 'requests'],
    rows: percentiles.map(({ q, clientMs, serverMs, restMs, requests }) => [
      ...[quantileName(q), formatMs(clientMs), formatMs(serverMs), formatMs(restMs), formatCount(requests)],
    ]),
    notes: [
      join.how === 'request-id' ? `${rows}, ${plural(serverOnly, 'invocation')} without a client` : rows,
      'Means of the same requests: client = server + rest',
      ...(repeatedIds > 0 ? [`${plural(repeatedIds, 'row')} with an id that comes again: not joined`] : []),
      ...(negativeRests > 0
        ? [`${plural(negativeRests, 'request')} with a server part above the client's latency`]
        : []),
    ],
  }
}
