import { notFound } from 'next/navigation'

/** An address in a project that leads nowhere: reported within the project's frame. */
export default function MissingPage() {
  notFound()
}
