import type { Metadata } from 'next'
import { Link } from '@/components/ui/link'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFoundPage() {
  return (
    <div className="page">
      <h1 className="page-title">Not found</h1>
      <p>There is nothing at this address. It may have been deleted, moved to another project, or mistyped.</p>
      <p>
        <Link href="/">All projects</Link>
      </p>
    </div>
  )
}
