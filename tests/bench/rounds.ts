/**
 * `npm run bench:rounds -- [count] [seed]`: what rounds promise, on simulated machines whose noise is normal and not:
 * shares of `count` experiments each (default 300), with their bars. Exits with 1 if one is missed beyond chance.
 */
import { isReached, noiseNames, promises, shareOf } from '../lib/experiment/promises'

const [, , count = '300', seed = '1'] = process.argv
const beganMs = performance.now()
let isMissed = false
console.log(`${'share'.padEnd(66)} ${noiseNames.map((name) => name.padStart(9)).join(' ')}      bar`)
for (const promised of promises) {
  const shares = noiseNames.map((noise) => {
    const { share, n } = shareOf(promised, noise, Number(count), 1_000_003 * Number(seed))
    const isFine = isReached(promised, share, n)
    isMissed ||= !isFine
    return `${(100 * share).toFixed(1)}${isFine ? ' ' : '!'}`.padStart(9)
  })
  const { bar } = promised
  const limit = 'atMost' in bar ? `≤ ${100 * bar.atMost}` : `≥ ${100 * bar.atLeast}`
  console.log(`${promised.name.padEnd(66)} ${shares.join(' ')}   ${limit} %`)
}
console.log(`${((performance.now() - beganMs) / 1_000).toFixed(1)} s`)
process.exitCode = isMissed ? 1 : 0
