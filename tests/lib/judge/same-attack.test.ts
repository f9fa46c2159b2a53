import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { importFile } from '@/importers/index'
import { counterpartForms, isSameAttack } from '@/lib/judge/same-attack'
import type { ImportedRun } from '@/lib/run/run'

interface Known {
  readonly name: string
  readonly attack: string
  readonly run: ImportedRun
}

const root = path.join(import.meta.dirname, '../../fixtures')
const folders = [
  'hey-csv',
  'hey-text',
  'vegeta-gob',
  'vegeta-csv',
  'vegeta-results-json',
  'vegeta-text',
  'vegeta-json',
  'vegeta-hist',
  'vegeta-hdrplot',
]

/** Every fixture that measured one known attack, complete. */
async function readKnown(): Promise<Known[]> {
  const known: Known[] = []
  for (const folder of folders)
    for (const name of readdirSync(path.join(root, folder)).filter((file) => file.endsWith('.truth.json'))) {
      const truth: unknown = JSON.parse(readFileSync(path.join(root, folder, name), 'utf8'))
      const attack = readText(truth, 'attack_id')
      if (attack === null || readText(truth, 'expected_import') !== 'full') continue
      const bytes = readFileSync(path.join(root, folder, name.replace('.truth.json', '')))
      const { runs } = await importFile(
        (async function* () {
          yield bytes
        })(),
      )
      const [run] = runs
      // hey's CSV of an attack without responses contains nothing to compare.
      if (run !== undefined && runs.length === 1 && run.latencies.length > 0)
        known.push({ name: `${folder}/${name}`, attack, run })
    }
  return known
}

function readText(value: unknown, key: string): string | null {
  const found: unknown =
    typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : null
  return typeof found === 'string' ? found : null
}

it('pairs every report with the results it was made from, and with no others', async () => {
  const known = await readKnown()
  const wrong: string[] = []
  const pairs = new Map<string, number>()
  let strangers = 0
  for (const results of known.filter(({ run }) => counterpartForms(run).isExact))
    for (const report of known.filter(({ run }) => counterpartForms(results.run).forms.includes(run.form))) {
      const isSame = isSameAttack(results.run, report.run)
      const isMeant = results.attack === report.attack
      if (isSame !== isMeant) wrong.push(`${results.name} and ${report.name}: ${isSame}`)
      else if (isMeant) pairs.set(report.run.form, (pairs.get(report.run.form) ?? 0) + 1)
      else strangers++
    }
  expect(wrong).toEqual([])
  expect(strangers).toBeGreaterThan(100)
  expect([...pairs.keys()].sort()).toEqual(['hey-text', 'vegeta-hdrplot', 'vegeta-hist', 'vegeta-json', 'vegeta-text'])
})
