/** The smallest output of each tool that is recognised, the n-th slightly different from all others. */

export const heyHead = (index: number): string => `\nSummary:\n  Total:\t${index / 1000} secs\n`

export const heyReport = (index: number): string =>
  `\nSummary:\n  Total:\t1.${index} secs\n  Slowest:\t0.0100 secs\n  Fastest:\t0.0010 secs\n  Average:\t0.0020 secs\n  Requests/sec:\t10.5\n\nStatus code distribution:\n  [200]\t10 responses\n\n`

export const vegetaHead = (index: number): string =>
  `Requests      [total, rate, throughput]  ${index + 1}, 50.10, 50.09\n`

export const vegetaReport = (index: number): string =>
  `Requests      [total, rate, throughput]         ${index + 500}, 50.10, 50.09\nDuration      [total, attack, wait]             9.983s, 9.98s, 2.373ms\nLatencies     [min, mean, 50, 90, 95, 99, max]  1.216ms, 4.928ms, 4.087ms, 7.923ms, 10.91ms, 22.42ms, 64.609ms\nBytes In      [total, mean]                     512000, 1024.00\nBytes Out     [total, mean]                     0, 0.00\nSuccess       [ratio]                           100.00%\nStatus Codes  [code:count]                      200:${index + 500}  \nError Set:\n`

export const wrkHead = (index: number): string =>
  `Running 3s test @ http://127.0.0.1:18080/${index}\n  2 threads and 16 connections\n`

export const wrkReport = (index: number): string =>
  `Running 3s test @ http://127.0.0.1/${index}\n  2 threads and 16 connections\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency    11.30ms   12.98ms  41.28ms   80.74%\n    Req/Sec     1.35k   218.82     1.86k    65.00%\n  8038 requests in 3.01s, 8.65MB read\nRequests/sec:   2673.91\nTransfer/sec:      2.88MB\n`

export const wrk2Head = (index: number): string =>
  `Running 3s test @ http://127.0.0.1:18080/${index}\n  2 threads and 16 connections\n  Thread calibration: mean lat.: 2.1ms, rate sampling interval: 10ms\n`

export const requestId = (index: number): string => `c11bc1bf-8b42-40e7-bfad-${index.toString(16).padStart(12, '0')}`

export const lambdaReport = (index: number): string =>
  `REPORT RequestId: ${requestId(index)}\tDuration: 16.${index % 100} ms\tBilled Duration: 17 ms\tMemory Size: 128 MB\tMax Memory Used: 71 MB\t\n`

export const streamReport = (index: number): string =>
  `2026-11-21T02:00:02.087000+00:00 2026/11/21/function-${index}[$LATEST]f8e76873c42e1ca094cf6aba${index.toString(16).padStart(8, '0')} ${lambdaReport(index)}`

export const lambdaTable = (index: number): string =>
  `| Lambda | Duration [ms] | Memory [MB] |\n| --- | --- | --- |\n| f${index} | 1.5 | 4 |\n\n`

export const foreignTable = (index: number): string => `| a | b |\n| - | - |\n| ${index} | 1 |\n\n`

export const histTable = (index: number): string =>
  `Bucket           #    %       Histogram\n[0s,     2ms]    ${index}   3.00%   ##\n[2ms,    +Inf]   0    0.00%   \n`

/** A vegeta histogram with this many rows of 10 µs. */
export function histogramRows(count: number): string {
  const bound = (index: number) => (index === 0 ? '0s' : `${index * 10}\u00b5s`)
  const row = (index: number) =>
    `[${bound(index)}, ${index === count - 1 ? '+Inf' : bound(index + 1)}] ${index % 3} ${(((index % 3) / count) * 100).toFixed(2)}%\n`
  return `Bucket # % Histogram\n${Array.from({ length: count }, (_, index) => row(index)).join('')}`
}

export const hdrplotTable = (index: number): string =>
  `Value(ms)  Percentile  TotalCount  1/(1-Percentile)\n3.064764   0.000000    ${index}           1.000000\n64.608662  1.000000    ${index + 1}         +Inf\n`

export const hgrmTable = (index: number): string =>
  `       Value     Percentile TotalCount 1/(1-Percentile)\n\n       2.129 0.000000000000          1           1.00\n       9.129 1.000000000000  ${index + 2}\n#[Mean    =        3.1, StdDeviation   =        1.2]\n#[Max     =        9.1, Total count    =  ${index + 2}]\n#[Buckets =           12, SubBuckets     =         2048]\n`

export const vegetaJson = (index: number): string =>
  `{"latencies":{"total":2464133121,"mean":4928266,"50th":4086803,"90th":7923384,"95th":10910336,"99th":22420295,"max":64608662,"min":1216324},"bytes_in":{"total":512000,"mean":1024},"bytes_out":{"total":0,"mean":0},"earliest":"2026-11-21T02:13:41.640753001Z","latest":"2026-11-21T02:13:51.621154153Z","end":"2026-11-21T02:13:51.623526762Z","duration":9980401152,"wait":2372609,"requests":${index + 500},"rate":50.09,"throughput":50.08,"success":1,"status_codes":{"200":${index + 500}},"errors":[]}\n`

const at = (index: number): string => `179522724812${String(index).padStart(7, '0')}`

/** A row of `vegeta encode -to csv`. */
export const vegetaRow = (
  index: number,
  { code = 200, error = '', url = 'http://127.0.0.1/' }: { code?: number; error?: string; url?: string } = {},
): string => `${at(index)},${code},${500_000 + (index % 1_000)},0,0,"${error}",,,${index},GET,${url},\n`

/** A row of `vegeta encode -to json`. */
export const vegetaJsonRow = (index: number, url = 'http://127.0.0.1/'): string =>
  `{"attack":"","seq":${index},"code":200,"timestamp":"2026-11-21T02:14:37.${String(index % 1_000_000_000).padStart(9, '0')}Z","latency":4469056,"bytes_out":0,"bytes_in":1024,"error":"","body":null,"method":"GET","url":"${url}","headers":null}\n`
