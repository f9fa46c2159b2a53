export { changeTrash as POST, listTrash as GET } from '@/app/_server/operations/trash'
