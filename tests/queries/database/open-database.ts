import { closeDatabase, openDatabase } from '@/prisma/db'
import { createProject, listProjects } from '@/prisma/queries/projects/projects'
import { localViewer } from '@/lib/viewer'

// A separate process for the data-folder tests: opens it, creates a project, and waits (or closes and exits).
const [dataFolder = '', slug = '', then = 'wait'] = process.argv.slice(2)
try {
  await openDatabase({ dataFolder })
  if (slug !== '') await createProject(localViewer, { slug, name: slug })
  const slugs = (await listProjects(localViewer)).map((project) => project.slug)
  process.stdout.write(`open ${process.pid} ${slugs.join(',')}\n`)
  if (then === 'close') await closeDatabase()
  else setInterval(() => undefined, 1_000)
} catch (error) {
  process.stdout.write(`refused ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
