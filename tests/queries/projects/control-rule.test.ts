import { expect, it } from 'vitest'
import { InvalidInputError } from '@/lib/errors'
import { localViewer } from '@/lib/viewer'
import { editProject, getProject, grant } from '@/prisma/queries/projects/projects'
import { listEnvironments } from '@/prisma/queries/series/environments'
import { createDraft, replaceUploadRuns, saveDraft, saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleProject, sampleRun, toRead } from '../samples'

const controlRule = { label: 'kind', is: 'static' }
const run = (scenario: string, kind: string | null) =>
  sampleRun({ proposal: { scenario, environment: 'ci', labels: kind === null ? {} : { kind } } })

const controlsOf = async (id: string) =>
  (await listEnvironments(await toRead(id))).flatMap(({ series }) =>
    series.flatMap(({ scenario, isControl }) => (isControl ? [scenario] : [])),
  )

describeOnOneEngine('the project rule for controls', () => {
  it('is checked, stored as labels are, and removed', async () => {
    const granted = await grant(localViewer, await sampleProject(), 'administer')
    await editProject(granted, { controlRule: { label: ' a  kind ', is: 'static' } })
    await editProject(granted, { candidateRule: null })
    expect((await getProject(localViewer, granted.slug)).controlRule).toEqual({ label: 'a kind', is: 'static' })
    await expect(editProject(granted, { controlRule: { label: ' ', is: '' } })).rejects.toThrow(InvalidInputError)
    await editProject(granted, { controlRule: null })
    expect((await getProject(localViewer, granted.slug)).controlRule).toBeNull()
  })

  it('reads the labels of new runs: of uploads, drafts and runs that a re-import adds', async () => {
    const granted = await grant(localViewer, await sampleProject(), 'administer')
    const { id } = granted
    await saveImport(localViewer, sampleImport(id, sampleFile([run('before', 'static')])))
    await editProject(granted, { controlRule })
    const file = sampleFile([run('a', 'static'), run('b', 'dynamic'), run('c', null)])
    const { upload } = await saveImport(localViewer, sampleImport(id, file))
    expect(await controlsOf(id)).toEqual(['a'])
    const again = sampleFile([...file.runs, run('d', 'static')])
    await replaceUploadRuns(granted, { uploadId: upload.id, file: again })
    expect(await controlsOf(id)).toEqual(['a', 'd'])
    const draft = await createDraft(localViewer, sampleImport(id, sampleFile([run('e', null), run('f', null)])))
    await saveDraft(granted, { uploadId: draft.id, edits: [{ labels: { kind: 'static' } }] })
    expect(await controlsOf(id)).toEqual(['a', 'd', 'e'])
  })
})
