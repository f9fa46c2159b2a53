export {
  deleteComparison as DELETE,
  getComparison as GET,
  updateComparison as PATCH,
} from '@/app/_server/operations/comparisons'
