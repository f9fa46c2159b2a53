/** A report of wrk in which every percentile is `factor` times as long, of 10 s on 8 connections. */
export function wrkReport(factor: number, { connections = 8, failed = 0 } = {}): string {
  const ms = (value: number) => `${(value * factor).toFixed(2)}ms`
  const requests = Math.round(40_000 / factor)
  const bad = failed === 0 ? '' : `  Non-2xx or 3xx responses: ${failed}\n`
  return `Running 10s test @ http://127.0.0.1:8080/
  2 threads and ${connections} connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   ${ms(2)}  ${ms(0.5)}  ${ms(9)}   80.00%
    Req/Sec     2.00k    50.00     2.10k    70.00%
  Latency Distribution
     50%    ${ms(1.9)}
     75%    ${ms(2.2)}
     90%    ${ms(3)}
     99%    ${ms(5)}
  ${requests} requests in 10.00s, 10.00MB read
${bad}Requests/sec:   ${(requests / 10).toFixed(2)}
Transfer/sec:      1.00MB
`
}
