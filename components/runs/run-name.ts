import type { RunNames } from '@/lib/stored'

/** `GET /ping ▸ Lambda Dispatcher`: what was tested, and in which form. */
export function runName({ scenario, variant }: Pick<RunNames, 'scenario' | 'variant'>): string {
  return variant === null ? scenario : `${scenario} ▸ ${variant}`
}
