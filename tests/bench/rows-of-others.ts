import { closeSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'

const startMs = 1_795_311_079_661
const address = 'http://127.0.0.1:18201/api/items'
const jtlHeading =
  'timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect'

/** Log-normal latencies in ms, one in a hundred failed: the same at each call. */
function* requests(rows: number) {
  let seed = 7
  const draw = () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32
  for (let row = 0; row < rows; row++)
    yield { row, ms: Number((3 + Math.exp(2 + draw() * 1.5)).toFixed(6)), isGood: draw() >= 0.01, atMs: startMs + row }
}

/** Writes JMeter's CSV with its default settings; returns its path. */
export function writeJtl(folder: string, rows: number): string {
  return write(path.join(folder, 'results.jtl'), `${jtlHeading}\n`, rows, ({ row, ms, isGood, atMs }) => {
    const status = isGood ? '200,OK' : '503,Service Unavailable'
    const label = ['items', 'cart', 'checkout', 'mix'][row % 4] ?? ''
    const elapsed = Math.floor(ms)
    return `${atMs},${elapsed},${label},${status},shoppers 1-${1 + (row % 50)},text,${isGood},,1176,127,50,50,${address},${elapsed - 1},0,0\n`
  })
}

/** Writes k6's NDJSON, thirteen points per request; returns its path. */
export function writeK6Ndjson(folder: string, rows: number): string {
  const metric =
    '{"type":"Metric","data":{"name":"http_reqs","type":"counter","contains":"default","thresholds":[],"submetrics":null},"metric":"http_reqs"}\n'
  return write(path.join(folder, 'points.ndjson'), metric, rows, ({ ms, isGood, atMs }) => {
    const time = new Date(atMs).toISOString().replace('Z', '123456Z')
    const tags = `{"expected_response":"${isGood}","group":"","method":"GET","name":"${address}","proto":"HTTP/1.1","scenario":"default","status":"${isGood ? 200 : 503}","url":"${address}"}`
    const point = (name: string, value: number, own = tags) =>
      `{"metric":"${name}","type":"Point","data":{"time":"${time}","value":${value},"tags":${own}}}\n`
    const parts = ['blocked', 'connecting', 'tls_handshaking', 'sending', 'waiting', 'receiving']
    const others = ['data_sent', 'data_received', 'iteration_duration', 'iterations']
    return [
      point('http_reqs', 1),
      point('http_req_duration', ms),
      ...parts.map((part) => point(`http_req_${part}`, part === 'waiting' ? ms : 0.0123)),
      point('http_req_failed', isGood ? 0 : 1),
      ...others.map((name) => point(name, 101, '{"group":"","scenario":"default"}')),
    ].join('')
  })
}

type Request = ReturnType<typeof requests> extends Generator<infer One> ? One : never

function write(file: string, heading: string, rows: number, line: (request: Request) => string): string {
  const handle = openSync(file, 'w')
  let text = heading
  for (const request of requests(rows)) {
    text += line(request)
    if (text.length < 1 << 20) continue
    writeSync(handle, text)
    text = ''
  }
  writeSync(handle, text)
  closeSync(handle)
  return file
}
