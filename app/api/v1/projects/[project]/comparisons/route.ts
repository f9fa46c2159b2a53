export { createComparison as POST, listComparisons as GET } from '@/app/_server/operations/comparisons'
