import { notFound } from 'next/navigation'

/** An address of a project that leads to nothing: said within the project's frame. */
export default function MissingPage() {
  notFound()
}
