import { describe, expect, it } from 'vitest'
import { commitUrl, diffUrl, readRepositoryUrl } from '@/lib/project/repository'

describe('the repository of a project', () => {
  it('is an https address to which a commit can be appended', () => {
    expect(readRepositoryUrl(' https://github.com/owner/name/ ')).toBe('https://github.com/owner/name')
    expect(readRepositoryUrl('https://git.example.com:8443/a/b.git')).toBe('https://git.example.com:8443/a/b')
    expect(readRepositoryUrl('HTTPS://GitHub.com/Owner/Name')).toBe('https://github.com/Owner/Name')
    for (const bad of [
      '',
      'github.com/owner/name',
      'http://github.com/owner/name',
      'javascript:alert(1)',
      'git@github.com:owner/name.git',
      'https://user:secret@github.com/owner/name',
      'https://github.com/owner/name?tab=readme',
      'https://github.com/owner/name#readme',
      'https://github.com/owner|name',
      `https://github.com/${'a'.repeat(500)}`,
    ])
      expect(readRepositoryUrl(bad), bad).toBeNull()
  })

  it('has its commits below it, if they look like a hash', () => {
    const repository = 'https://github.com/owner/name'
    expect(commitUrl(repository, 'abc1234')).toBe('https://github.com/owner/name/commit/abc1234')
    expect(commitUrl(repository, 'A'.repeat(40))).toBe(`https://github.com/owner/name/commit/${'A'.repeat(40)}`)
    expect(commitUrl(null, 'abc1234')).toBeNull()
    for (const text of ['abc123', 'a'.repeat(41), 'release-7', 'abc1234/..', 'main']) {
      expect(commitUrl(repository, text), text).toBeNull()
    }
  })
  it('shows the difference between two of them', () => {
    const repository = 'https://github.com/owner/name'
    expect(diffUrl(repository, 'a10f35b', '8de2d48')).toBe(`${repository}/compare/a10f35b...8de2d48`)
    expect(diffUrl(repository, 'a10f35b', 'a10f35b')).toBeNull()
    expect(diffUrl(repository, 'main', '8de2d48')).toBeNull()
    expect(diffUrl(null, 'a10f35b', '8de2d48')).toBeNull()
  })
})
