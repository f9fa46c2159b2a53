import type { Metadata } from 'next'
import { headers } from 'next/headers'
import Link from 'next/link'
import { requestOrigin } from '@/app/_server/request-origin'
import { DeleteProject } from '@/components/home/delete-project'
import { RenameProject } from '@/components/home/rename-project'
import { RetentionForm } from '@/components/home/retention-form'
import styles from '@/components/home/settings.module.css'
import { UploadsTable } from '@/components/home/uploads-table'
import { CurlLine } from '@/components/ui/curl-line'
import { getProject, getRetention } from '@/prisma/queries/projects'
import { listUploadContents } from '@/prisma/queries/upload-contents'
import { listUploads } from '@/prisma/queries/uploads'
import { foundOr404, openProject } from '../open-project'

type Props = { params: Promise<{ project: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project } = await openProject((await params).project)
  return { title: `Settings · ${project.name}` }
}

export default async function SettingsPage({ params }: Props) {
  const { viewer, project } = await openProject((await params).project)
  const [uploads, retention, { runCount }] = await foundOr404(
    Promise.all([listUploads(viewer, project.id), getRetention(viewer, project.id), getProject(viewer, project.slug)]),
  )
  const contents = await listUploadContents(viewer, project.id, uploads)
  return (
    <div className="page">
      <h1 className="page-title">Settings</h1>
      <section className={styles.section}>
        <h2 className="section-title">Name</h2>
        <RenameProject slug={project.slug} name={project.name} />
      </section>
      <section className={styles.section}>
        <h2 className="section-title">Upload from a terminal or CI</h2>
        <CurlLine origin={requestOrigin(await headers())} slug={project.slug} />
      </section>
      <section className={styles.section}>
        <h2 className="section-title">Channels</h2>
        <p>
          <Link href={`/p/${project.slug}/channels`}>Where alerts are sent</Link>: Slack, webhooks, e-mail.
        </p>
      </section>
      <section className={styles.section}>
        <h2 className="section-title">Retention</h2>
        <RetentionForm slug={project.slug} retention={retention} />
      </section>
      <section className={styles.section}>
        <h2 className="section-title">Uploads</h2>
        <UploadsTable slug={project.slug} uploads={uploads} contents={contents} nowMs={Date.now()} />
      </section>
      <section className={styles.section}>
        <h2 className="section-title">Delete</h2>
        <DeleteProject slug={project.slug} runCount={runCount} />
      </section>
    </div>
  )
}
