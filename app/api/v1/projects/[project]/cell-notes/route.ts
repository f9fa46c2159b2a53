export { setCellNote as PUT } from '@/app/_server/operations/cell-notes'
