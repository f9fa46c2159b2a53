import type { Metadata } from 'next'
import { readChartView } from '@/components/run/chart-view'
import { RunPage } from '@/components/run/run-page'
import { runName } from '@/components/runs/run-name'
import { loadRun, openRun } from './load-run'

type Search = Record<string, string | string[] | undefined>
type Props = { params: Promise<{ project: string; run: string }>; searchParams: Promise<Search> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, run } = await params
  return { title: runName(await openRun(project, run)) }
}

export default async function Page({ params, searchParams }: Props) {
  const { project, run } = await params
  const search = Object.entries(await searchParams).flatMap(([key, value]) =>
    [value ?? []].flat().map((one) => [key, one]),
  )
  const view = readChartView(new URLSearchParams(search))
  return <RunPage {...await loadRun(project, run)} view={view} nowMs={Date.now()} />
}
