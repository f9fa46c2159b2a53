import { useEffect, useState, type ComponentType } from 'react'
import { Frame } from './frame'
import type { Given } from './given-files'
import { StartPage } from './start-page'

/** The page once it was given something. */
export type ViewerOf = ComponentType<{ readonly makeWorker: () => Worker; readonly first: Given }>

interface Props {
  readonly load: () => ViewerOf
  readonly makeWorker: () => Worker
}

interface Loaded {
  readonly Viewer: ViewerOf
  readonly first: Given
}

/** The page with nothing on it, until it is given files or a link. */
export function Start({ load, makeWorker }: Props) {
  const begin = (first: Given): Loaded => ({ Viewer: load(), first })
  const [loaded, setLoaded] = useState(() => (hasLink() ? begin(nothing) : null))
  useEffect(() => {
    const onHash = () => {
      if (hasLink()) setLoaded((before) => before ?? { Viewer: load(), first: nothing })
    }
    window.addEventListener('hashchange', onHash)
    return () => window.removeEventListener('hashchange', onHash)
  }, [load])
  if (loaded !== null) return <loaded.Viewer makeWorker={makeWorker} first={loaded.first} />
  const take = (given: Given) => setLoaded(begin(given))
  return (
    <Frame take={take} canAdd={false}>
      {(choose) => <StartPage onChoose={choose} onTake={take} />}
    </Frame>
  )
}

const nothing: Given = { files: [], refused: [] }

/** Whether the address holds a comparison, of whatever version. */
const hasLink = (): boolean => /^#v\d/.test(window.location.hash)
