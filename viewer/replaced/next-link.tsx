import type { ComponentProps, MouseEvent } from 'react'
import { useRouter } from './next-navigation'

interface Props extends ComponentProps<'a'> {
  readonly prefetch?: boolean
  readonly scroll?: boolean
  readonly replace?: boolean
}

/** The viewer's `next/link`: changes the query of the page, whatever its address. */
export default function Link({ prefetch: _prefetch, scroll: _scroll, replace: _replace, onClick, ...rest }: Props) {
  const router = useRouter()
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    event.preventDefault()
    router.push(rest.href ?? '')
  }
  return <a {...rest} onClick={go} />
}
