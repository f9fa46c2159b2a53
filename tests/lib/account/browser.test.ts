import { expect, it } from 'vitest'
import { browserWords } from '@/lib/account/browser'

it('names browser and system, whatever else they claim to be', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  expect(browserWords(`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/140.0.0.0 Safari/537.36`)).toBe(
    'Chrome on Linux',
  )
  expect(browserWords(`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`)).toBe(
    'Edge on Windows',
  )
  expect(browserWords('Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe(
    'Firefox on macOS',
  )
  expect(
    browserWords('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1'),
  ).toBe('Safari on iPhone')
  expect(browserWords('curl/8.14.1')).toBe('curl')
  expect(browserWords('my-bot 1.0')).toBe('my-bot 1.0')
  expect(browserWords(' ')).toBe('Unknown browser')
})
