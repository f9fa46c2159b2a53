import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { currentViewer } from '@/app/_server/pages/current-viewer'
import { toolTitle } from '@/components/learn/learn-link'
import { ToolView } from '@/components/learn/tool-view'
import { PageBar } from '@/components/shell/page-bar'
import { isTool, toolIds, tools } from '@/lib/run/tools'

interface Props {
  readonly params: Promise<{ readonly tool: string }>
}

const isShown = (name: string) => isTool(name) && toolIds.includes(name)

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { tool } = await params
  return isTool(tool) && isShown(tool) ? { title: toolTitle(tool) } : {}
}

export default async function ToolPage({ params }: Props) {
  await currentViewer()
  const { tool } = await params
  if (!isTool(tool) || !isShown(tool)) notFound()
  return (
    <>
      <PageBar crumbs={[{ name: 'Learn', href: '/learn' }]} here={tools[tool].name} />
      <ToolView tool={tool} />
    </>
  )
}
