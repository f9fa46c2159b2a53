import { Link } from './link'

/** The page of an environment of a project. */
export const environmentHref = (slug: string, name: string): string =>
  `/p/${slug}/environments/${encodeURIComponent(name)}`

/** The name of an environment, leading to its page. */
export function EnvironmentLink({ slug, name }: { readonly slug: string; readonly name: string }) {
  return <Link href={environmentHref(slug, name)}>{name}</Link>
}
