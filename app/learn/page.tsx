import type { Metadata } from 'next'
import { currentViewer } from '@/app/_server/pages/current-viewer'
import { version } from '@/app/_server/version'
import { LearnIndex } from '@/components/learn/learn-view'
import { PageBar } from '@/components/shell/page-bar'

export const metadata: Metadata = { title: 'How to read the results' }

export default async function LearnPage() {
  await currentViewer()
  return (
    <>
      <PageBar here="Learn" />
      <LearnIndex version={version} />
    </>
  )
}
