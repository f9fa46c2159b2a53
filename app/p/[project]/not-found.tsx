import type { Metadata } from 'next'
import { NotFound } from '@/components/shell/not-found'

export const metadata: Metadata = { title: 'Not found' }

export default function ProjectNotFoundPage() {
  return <NotFound />
}
