import { writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Writes a CSV file of `rows` vegeta results (1,000 a second), the same on every run for the same `seed`: lognormal
 * latencies around `5 + seed` ms with a slow tail, so that every run has its own full histogram and timeline.
 */
export function writeVariedResults(folder: string, seed: number, rows: number): string {
  let state = 42 + seed * 7_919
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
  const lines = Array.from({ length: rows }, (_, seq) => {
    const normal = Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
    const ns = Math.round(random() < 0.002 ? 2e8 + random() * 1.8e9 : (5 + seed) * 1e6 * Math.exp(0.5 * normal))
    const at = `${1_795_226_400 + seed * 3_600 + Math.floor(seq / 1_000)}${String((seq % 1_000) * 1_000_000).padStart(9, '0')}`
    const isFailed = random() < 0.01
    return `${at},${isFailed ? 500 : 200},${ns},0,512,${isFailed ? '500 Internal Server Error' : ''},,run-${seed},${seq},GET,http://127.0.0.1:8080/items,\n`
  })
  const file = path.join(folder, `varied-${seed}.csv`)
  writeFileSync(file, lines.join(''))
  return file
}
