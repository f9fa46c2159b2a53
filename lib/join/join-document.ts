import { quantileName } from '../stats/quantile'
import type { Join } from './client-server'

/** A join as a JSON document has it. Milliseconds; offsets in seconds. */
export function joinDocument(join: Join) {
  if (join.how === 'refused') return join
  if (join.how === 'clock') {
    const { how, offset, clientInLog, serverInRun } = join
    return { how, offset_s: offset, client_in_log: clientInLog, server_in_run: serverInRun }
  }
  const { how, source, matched, clientOnly, serverOnly, repeatedIds, negativeRests, percentiles } = join
  return {
    ...{ how, source, matched, client_only: clientOnly, server_only: serverOnly },
    ...{ repeated_ids: repeatedIds, negative_rests: negativeRests },
    percentiles: Object.fromEntries(
      percentiles.map(({ q, clientMs, serverMs, restMs, requests }) => [
        quantileName(q),
        { client: clientMs, server: serverMs, rest: restMs, requests },
      ]),
    ),
  }
}
