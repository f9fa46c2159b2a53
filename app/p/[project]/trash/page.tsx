import type { Metadata } from 'next'
import { SettingsBar } from '@/components/settings/settings-bar'
import { TrashView } from '@/components/settings/trash-view'
import { listTrash } from '@/prisma/queries/projects/trash'
import { openProject } from '../open-project'

type Props = { params: Promise<{ project: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project } = await openProject((await params).project)
  return { title: `Trash · ${project.name}` }
}

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
