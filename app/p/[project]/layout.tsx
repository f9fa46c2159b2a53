import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { pageProjects } from '@/app/_server/pages/page-projects'

/** Titles of the pages of a project name it. */
export async function generateMetadata({ params }: { params: Promise<{ project: string }> }): Promise<Metadata> {
  const { project: slug } = await params
  const name = (await pageProjects()).find((one) => one.slug === slug)?.name
  return name === undefined ? {} : { title: { template: `%s · ${name} · Tailboard`, default: name } }
}

export default function ProjectLayout({ children }: { readonly children: ReactNode }) {
  return children
}
