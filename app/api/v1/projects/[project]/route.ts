export { deleteProject as DELETE, editProject as PATCH, getProject as GET } from '@/app/_server/operations/projects'
