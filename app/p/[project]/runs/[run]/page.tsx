import type { Metadata } from 'next'
import { RunPage } from '@/components/runs/run-page'
import { runName } from '@/components/runs/run-name'
import { loadRun, openRun } from './load-run'

type Props = { params: Promise<{ project: string; run: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, run } = await params
  return { title: runName(await openRun(project, run)) }
}

export default async function Page({ params }: Props) {
  const { project, run } = await params
  return <RunPage {...await loadRun(project, run)} nowMs={Date.now()} />
}
