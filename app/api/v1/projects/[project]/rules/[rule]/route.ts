export { deleteRule as DELETE, replaceRule as PUT } from '@/app/_server/operations/rules'
