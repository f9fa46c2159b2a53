export { createProject as POST, listProjects as GET } from '@/app/_server/operations/projects'
