'use client'

import { createContext, useContext, type ReactNode } from 'react'

/** What a picture says about itself, wherever it is taken to. */
export interface PictureCaption {
  /** Whose it is, and what was measured or compared. */
  readonly subject: string
  /** Empty: nothing was judged. */
  readonly verdict: string
  /** How sure that is, or what it rests on; empty: nothing to add. */
  readonly basis: string
  /** When and how it was measured. */
  readonly facts: string
}

const Caption = createContext<PictureCaption | null>(null)

/** What the plots below it say about themselves in pictures that are saved of them. */
export function PlotCaption({ caption, children }: { readonly caption: PictureCaption; readonly children: ReactNode }) {
  return <Caption value={caption}>{children}</Caption>
}

/** Null: the page is about several things. */
export const usePlotCaption = (): PictureCaption | null => useContext(Caption)
