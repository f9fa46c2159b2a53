import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { PageBar } from '@/components/shell/page-bar'
import { ManyView } from '@/components/upload/many/many-view'
import { plural } from '@/lib/format'
import { openProject } from '../../open-project'
import { loadMany } from './load-many'

export const metadata: Metadata = { title: 'Upload of several files' }

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<{ readonly of?: string | string[] }>
}

export default async function ManyUploadsPage({ params, searchParams }: Props) {
  const { project, version, granted } = await openProject((await params).project)
  const upload = `/p/${project.slug}/upload`
  const [of = ''] = [(await searchParams).of].flat()
  const loaded = await loadMany(granted, of.split(','))
  const count = loaded.drafts.length
  if (count + loaded.saved.length === 0) redirect(upload)
  return (
    <>
      <PageBar
        project={project}
        crumbs={[{ name: 'Upload', href: upload }]}
        here={count === 0 ? 'Saved' : plural(count, 'file')}
      />
      <ManyView project={{ ...project, version }} here={`${upload}/many`} {...loaded} />
    </>
  )
}
