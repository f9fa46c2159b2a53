import type { Metadata } from 'next'
import { LearnIndex } from '@/components/learn/learn-view'

export const metadata: Metadata = { title: 'How to read the results' }

export default function LearnPage() {
  return <LearnIndex />
}
