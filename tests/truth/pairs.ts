/**
 * Writes generated pairs and what is right to say of them, as `npm run --silent why -- FOLDER` and its scorer read them:
 * `npm run bench:pairs -- SEED FOLDER [pairs a cause]` (8; of equal and unexplained ones three times as many).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { generatePair, plantedKinds, writeRows } from '../lib/explain/generated-pairs'

const [, , seedText = '', folder = '', countText = '8'] = process.argv
const [seed, count] = [Number(seedText), Number(countText)]
if (!Number.isInteger(seed) || folder === '' || !(count > 0)) {
  process.stderr.write('Usage: npm run bench:pairs -- SEED FOLDER [pairs a cause]\n')
  process.exit(2)
}
const extensions = { vegeta: 'vegeta.csv', hey: 'hey.csv', jmeter: 'jtl', k6: 'k6.csv' } as const
const labels: Record<string, unknown> = {}
for (const kind of plantedKinds) {
  const many = kind === 'nothing' || kind === 'not-explained' ? 3 * count : count
  for (let at = 0; at < many; at++) {
    const pair = generatePair(kind, seed * 1_000 + at)
    const id = `${kind}-${at + 1}`
    const place = path.join(folder, 'pairs', id)
    mkdirSync(place, { recursive: true })
    for (const [side, name] of ['base', 'head'].entries()) {
      const text = writeRows(pair, side === 0 ? pair.base : pair.head, side === 0 ? 0 : 1)
      writeFileSync(path.join(place, `${name}.${extensions[pair.tool]}.gz`), gzipSync(text))
    }
    labels[id] = pair.label
  }
}
writeFileSync(path.join(folder, 'labels.json'), JSON.stringify({ pairs: labels, join: {} }))
