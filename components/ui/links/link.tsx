'use client'

import NextLink from 'next/link'
import type { ComponentProps } from 'react'

/**
 * A link within the app. Nothing is fetched before it is followed: our pages come whole or not at all, so what Next
 * prefetches for each visible link (a hundred in a list of runs) would hold nothing of them.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />
}
