import { filled, routeOf, type Asker, type Row } from './access-table'
import { newOutput, newSlug, type World } from './world'

/** The address of a row, for this project and thing. */
export function pathOf(
  key: string,
  row: Row,
  { project, thing }: { readonly project: string; readonly thing: string },
) {
  const [, pattern = ''] = routeOf(key).split(' ')
  const parts: Readonly<Record<string, string>> = {
    project,
    ...(row.thing === undefined ? {} : { [row.thing[0]]: thing }),
    ...row.parts,
  }
  const filledIn = pattern.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_whole, name: string) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`${key}: no ${name}`)
    return part
  })
  return row.query === undefined ? filledIn : `${filledIn}?${row.query}`
}

/** The body of a row for a requester. */
export async function bodyOf(world: World, row: Row, asker: Asker): Promise<unknown> {
  const person = world.personOf(asker)
  switch (row.body) {
    case filled.credentials: {
      // Each account gets five tries a minute.
      const { email, password } = await world.newcomer()
      return { email, password }
    }
    case filled.samePassword:
      return { current: person.password, password: person.password }
    case filled.invitation:
      return {
        token: await world.invitation(),
        email: `${newSlug()}@example.com`,
        name: 'N',
        password: 'long enough 1',
      }
    case filled.output:
      return newOutput()
    case filled.form:
      return new URLSearchParams({ text: newOutput() })
    case filled.comparison:
      return { name: 'C', kind: 'runs', refs: await world.thing('compared run', 'own', 'owner') }
    case filled.assignee:
      return { account: await world.accountOf(asker === 'admin token' ? world.people.viewer : person) }
    case filled.share:
      return world.share('own')
    case filled.bulk:
      return { action: 'edit', runs: [await world.thing('run', 'own', 'owner')] }
    case filled.merge:
      return { runs: await Promise.all([1, 2].map(() => world.make('part', world.places.own, 'owner', 'own'))) }
    case filled.newProject:
      return { name: 'New', slug: newSlug() }
    case filled.channel:
      return world.channel()
    case filled.move:
      return { project: world.places.own }
    default:
      return row.body
  }
}
