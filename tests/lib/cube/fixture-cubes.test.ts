import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { importFile } from '@/importers'
import { decodeCube, encodeCube } from '@/lib/history/cube-codec'
import { cubeVersion } from '@/lib/cube/cube'
import digests from './fixture-cubes.json'
import { chunksOf } from './cube-of-text'

const folder = path.join(import.meta.dirname, '../../fixtures')

const digestOf = (of: string | Uint32Array): string => createHash('sha256').update(of).digest('hex').slice(0, 16)

/** What is stored of each cube of a file, shortened. */
async function cubesOf(file: string): Promise<string[]> {
  const read = await importFile(chunksOf(readFileSync(file)), null, { cube: true }).catch(() => null)
  const cubes = (read?.beside ?? []).flatMap((one) => one?.cube ?? [])
  return Promise.all(
    cubes.map(async (cube) => {
      const stored = await decodeCube(await encodeCube(cube))
      return digestOf(JSON.stringify(stored, (_, value) => (value instanceof Uint32Array ? digestOf(value) : value)))
    }),
  )
}

it('the cubes of all fixtures are those of this version; whoever changes what is counted raises it', async () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .sort()
  const found: Record<string, string> = {}
  for (const file of files) {
    const cubes = await cubesOf(path.join(folder, file))
    if (cubes.length > 0) found[file.split(path.sep).join('/')] = cubes.join(' ')
  }
  expect({ version: cubeVersion, files: found }).toEqual(digests)
}, 60_000)
