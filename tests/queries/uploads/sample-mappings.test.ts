import { expect, it } from 'vitest'
import { ConflictError, InvalidInputError, NotFoundError } from '@/lib/errors'
import { columnMappingSchema } from '@/lib/run/column-mapping'
import { localViewer } from '@/lib/viewer'
import {
  deleteMapping,
  getMapping,
  getUploadMapping,
  listMappings,
  setMapping,
} from '@/prisma/queries/uploads/sample-mappings'
import { grant } from '@/prisma/queries/projects/projects'
import { getUpload, saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleProject, sampleRun, toRead, toEdit } from '../samples'

const csv = columnMappingSchema.parse({ kind: 'csv', latency: { column: 'took', unit: 'ms' } })
const json = columnMappingSchema.parse({ kind: 'json', latency: { column: 'dur', unit: 'ns' }, error: { column: 'e' } })
const now = new Date('2026-11-22T10:00:00.000Z')

describeOnOneEngine('column mappings', () => {
  it('are stored by name in their project, replaced, and deleted', async () => {
    const own = await grant(localViewer, await sampleProject(), 'edit')
    const other = await grant(localViewer, await sampleProject(), 'edit')
    const made = await setMapping(own, { name: 'own', mapping: csv }, now)
    expect(made).toEqual({ name: 'own', mapping: csv, setBy: null, setAt: now.toISOString() })
    await setMapping(own, { name: 'a.b_c-1', mapping: csv }, now)
    await setMapping(own, { name: 'own', mapping: json }, now)
    const kept = await listMappings(own)
    expect(kept.map(({ name, mapping }) => [name, mapping])).toEqual([
      ['a.b_c-1', csv],
      ['own', json],
    ])
    expect(await getUploadMapping(await toEdit(own.id), 'own')).toEqual({ name: 'own', mapping: json })
    expect(await listMappings(other)).toEqual([])
    await expect(getMapping(other, 'own')).rejects.toThrow(NotFoundError)
    await deleteMapping(own, 'own')
    await expect(getMapping(own, 'own')).rejects.toThrow(NotFoundError)
    await expect(deleteMapping(own, 'own')).rejects.toThrow(NotFoundError)
  })

  it('have names that fit into an address, and are limited to 200', async () => {
    const own = await grant(localViewer, await sampleProject(), 'edit')
    for (const name of ['', 'Own', 'a/b', '-a', 'a'.repeat(65), 'a\u0000'])
      await expect(setMapping(own, { name, mapping: csv }, now)).rejects.toThrow(InvalidInputError)
    for (let at = 0; at < 200; at++) await setMapping(own, { name: `m${at}`, mapping: csv }, now)
    await expect(setMapping(own, { name: 'more', mapping: csv }, now)).rejects.toThrow(ConflictError)
    await setMapping(own, { name: 'm7', mapping: json }, now)
    expect((await getMapping(own, 'm7')).mapping).toEqual(json)
  })

  it('stay with the uploads that they read', async () => {
    const { id } = await sampleProject()
    const mapping = { name: 'own', mapping: csv }
    const input = { ...sampleImport(id, sampleFile([sampleRun()])), names: { mapping } }
    const { upload } = await saveImport(localViewer, input)
    expect((await getUpload(await toRead(id), upload.id)).mapping).toEqual(mapping)
    const plain = await saveImport(localViewer, sampleImport(id, sampleFile([sampleRun()])))
    expect((await getUpload(await toRead(id), plain.upload.id)).mapping).toBeNull()
  })
})
