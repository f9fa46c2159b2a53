import type { Metadata } from 'next'
import { SettingsBar } from '@/components/settings/settings-bar'
import { TrashView } from '@/components/settings/trash-view'
import { listTrash } from '@/prisma/queries/projects/trash'
import { openProject } from '../open-project'

type Props = { params: Promise<{ project: string }> }

export const metadata: Metadata = { title: 'Trash' }

export default async function TrashPage({ params }: Props) {
  const { project, granted } = await openProject((await params).project)
  const trash = await listTrash(granted)
  return (
    <>
      <SettingsBar project={project} here="Trash" />
      <div className="page">
        <TrashView slug={project.slug} trash={trash} nowMs={Date.now()} />
      </div>
    </>
  )
}
