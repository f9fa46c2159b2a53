import type { Metadata } from 'next'
import { LearnIndex } from '@/components/learn/learn-view'
import { PageBar } from '@/components/shell/page-bar'

export const metadata: Metadata = { title: 'How to read the results' }

export default function LearnPage() {
  return (
    <>
      <PageBar here="Learn" />
      <LearnIndex />
    </>
  )
}
