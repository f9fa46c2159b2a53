import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { readTables } from '@/components/charts/plot/address'
import { LearnView } from '@/components/learn/learn-view'
import { PageBar } from '@/components/shell/page-bar'
import { isLearnTopic, learnTopics } from '@/components/learn/topics'
import { currentViewer } from '../../_server/pages/current-viewer'
import { learnSamples } from '../../_server/learn-samples'

interface Props {
  readonly params: Promise<{ readonly topic: string }>
  readonly searchParams: Promise<{ readonly table?: string | string[] }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { topic } = await params
  return isLearnTopic(topic) ? { title: learnTopics[topic].title } : {}
}

export default async function LearnTopicPage({ params, searchParams }: Props) {
  await currentViewer()
  const { topic } = await params
  if (!isLearnTopic(topic)) notFound()
  const tables = readTables((await searchParams).table)
  return (
    <>
      <PageBar crumbs={[{ name: 'Learn', href: '/learn' }]} here={learnTopics[topic].title} />
      <LearnView topic={topic} samples={await learnSamples()} tables={tables} />
    </>
  )
}
