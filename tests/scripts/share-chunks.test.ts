import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { shareChunks } from '../../scripts/share-chunks'

test('chunks that differ only in the name of their map are one module', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tailboard-chunks-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const write = (name: string, code: string) =>
    writeFile(path.join(folder, name), `${code}\n\n//# sourceMappingURL=${name}.map`)
  await write('_a._.js', 'module.exports=[1,()=>"shared"]')
  await write('_b._.js', 'module.exports=[1,()=>"shared"]')
  await write('_c._.js', 'module.exports=[2,()=>"its own"]')
  await writeFile(path.join(folder, '_b._.js.map'), '{}')

  await shareChunks(folder)
  await shareChunks(folder)

  const load = createRequire(path.join(folder, 'load.js'))
  expect(load('./_b._.js')).toBe(load('./_a._.js'))
  expect((load('./_b._.js') as [number, () => string])[1]()).toBe('shared')
  expect((load('./_c._.js') as [number, () => string])[1]()).toBe('its own')
  expect(await readFile(path.join(folder, '_b._.js'), 'utf8')).toBe('module.exports=require("./_a._.js")\n')
})
