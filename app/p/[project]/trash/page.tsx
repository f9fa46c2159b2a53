import type { Metadata } from 'next'
import { Link } from '@/components/ui/link'
import { TrashView } from '@/components/settings/trash-view'
import { listTrash } from '@/prisma/queries/trash'
import { openProject } from '../open-project'

type Props = { params: Promise<{ project: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project } = await openProject((await params).project)
  return { title: `Trash · ${project.name}` }
}

export default async function TrashPage({ params }: Props) {
  const { viewer, project } = await openProject((await params).project)
  const trash = await listTrash(viewer, project.id)
  return (
    <div className="page">
      <Link href={`/p/${project.slug}/settings`} className="back">
        <span aria-hidden="true">‹ </span>Settings
      </Link>
      <h1 className="page-title">Trash</h1>
      <TrashView slug={project.slug} trash={trash} nowMs={Date.now()} />
    </div>
  )
}
