import { expect, it } from 'vitest'
import { InvalidInputError } from '@/lib/errors'
import { localViewer } from '@/lib/viewer'
import { editProject, getProject, grant } from '@/prisma/queries/projects/projects'
import { getRun, updateRun } from '@/prisma/queries/runs/runs'
import { createDraft, replaceUploadRuns, saveDraft, saveImport } from '@/prisma/queries/uploads/uploads'
import { describeOnOneEngine } from '../engines'
import { sampleFile, sampleImport, sampleProject, sampleRun, toRead } from '../samples'

const candidateRule = { label: 'branch', isNot: 'main' }
const ofBranch = (branch: string | null) =>
  sampleRun({ proposal: { scenario: 'GET /ping', labels: branch === null ? {} : { branch } } })

describeOnOneEngine('the project rule for candidates', () => {
  it('is checked, stored as labels are, and removed', async () => {
    const granted = await grant(localViewer, await sampleProject(), 'administer')
    const { slug } = granted
    expect(await editProject(granted, { candidateRule: { label: ' git  branch ', isNot: 'main' } })).toMatchObject({
      candidateRule: { label: 'git branch', isNot: 'main' },
    })
    await editProject(granted, { name: 'x' })
    expect((await getProject(localViewer, slug)).candidateRule).toEqual({ label: 'git branch', isNot: 'main' })
    await expect(editProject(granted, { candidateRule: { label: ' ', isNot: 'main' } })).rejects.toThrow(
      InvalidInputError,
    )
    await editProject(granted, { candidateRule: null })
    expect((await getProject(localViewer, slug)).candidateRule).toBeNull()
  })

  it('reads the labels of new runs; the upload overrides it, and existing runs stay', async () => {
    const granted = await grant(localViewer, await sampleProject(), 'administer')
    const { id } = granted
    const [before] = (await saveImport(localViewer, sampleImport(id, sampleFile([ofBranch('old')])))).runs
    await editProject(granted, { candidateRule })

    const file = sampleFile([ofBranch('main'), ofBranch('fix'), ofBranch(null)])
    const candidatesOf = (runs: readonly { readonly candidate: boolean }[]) => runs.map(({ candidate }) => candidate)
    const saved = await saveImport(localViewer, sampleImport(id, file))
    expect(candidatesOf(saved.runs)).toEqual([false, true, false])
    const told = async (candidate: boolean) =>
      candidatesOf((await saveImport(localViewer, sampleImport(id, file, { names: { candidate } }))).runs)
    expect(await told(false)).toEqual([false, false, false])
    expect(await told(true)).toEqual([true, true, true])
    const given = await saveImport(localViewer, sampleImport(id, file, { labels: { branch: 'fix' } }))
    expect(candidatesOf(given.runs)).toEqual([true, true, true])
    expect((await getRun(await toRead(id), before?.id ?? '')).candidate).toBe(false)

    // Editing a label later moves no run, nor does another rule before a re-import; a new run follows it.
    const [main, fix] = saved.runs
    await updateRun(granted, fix?.id ?? '', { labels: { branch: 'main' } })
    await editProject(granted, { candidateRule: { label: 'branch', isNot: 'fix' } })
    const again = sampleFile([ofBranch('main'), ofBranch('fix'), ofBranch(null), ofBranch('main')])
    const runs = await replaceUploadRuns(granted, { uploadId: saved.upload.id, file: again })
    expect(runs.slice(0, 2).map((run) => run.id)).toEqual([main?.id, fix?.id])
    expect(candidatesOf(runs)).toEqual([false, true, false, true])
  })

  it('reads the labels that a draft is saved with, unless its edits override it', async () => {
    const granted = await grant(localViewer, await sampleProject(), 'administer')
    const { id } = granted
    await editProject(granted, { candidateRule })
    const file = sampleFile([ofBranch('main'), ofBranch('fix'), ofBranch('fix')])
    const draft = await createDraft(localViewer, sampleImport(id, file))
    const edits = [{ labels: { branch: 'fix' } }, { labels: {} }, { candidate: false }]
    const saved = await saveDraft(granted, { uploadId: draft.id, edits })
    expect(saved.map(({ candidate }) => candidate)).toEqual([true, false, false])
  })
})
