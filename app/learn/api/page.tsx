import type { Metadata } from 'next'
import { currentViewer } from '@/app/_server/pages/current-viewer'
import { apiReference } from '@/app/_server/openapi/reference'
import { settings } from '@/app/_server/settings'
import { ApiReference } from '@/components/learn/api-reference'
import { PageBar } from '@/components/shell/page-bar'

export const metadata: Metadata = { title: 'API' }

export default async function ApiPage() {
  await currentViewer()
  const { hasAccounts } = settings()
  return (
    <>
      <PageBar crumbs={[{ name: 'Learn', href: '/learn' }]} here="API" />
      <ApiReference {...apiReference(hasAccounts)} hasAccounts={hasAccounts} />
    </>
  )
}
