/**
 * Longest settings of a project, in characters; most days of its retention. Apart from the schema: forms need no zod.
 */
export const settingLimits = { name: 100, repositoryUrl: 500, label: 100, labelValue: 200, days: 36_500 }
