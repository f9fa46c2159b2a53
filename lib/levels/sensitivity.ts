import { alertSettings, type DetectorSettings } from '../detect/change-points'

/** How readily change points alert; costs and detection rates: `npm run bench:detector`, lib/detect/README.md. */
export const sensitivities = ['strict', 'balanced', 'sensitive'] as const
export type Sensitivity = (typeof sensitivities)[number]

const bounds: Readonly<Record<Sensitivity, Partial<DetectorSettings>>> = {
  strict: { alpha: 1e-5, rankOnlyAlpha: 1e-6 },
  balanced: {},
  sensitive: {
    alpha: 1e-3,
    alphaShares: [],
    rankAlpha: 5e-3,
    smallRankAlpha: 5e-3,
    rankOnlyAlpha: 1e-4,
    newestRankAlpha: 1,
    excursionChance: 1,
    modeShareAlpha: 1,
  },
}

/** The detector's settings for a metric. */
export function settingsFor(sensitivity: Sensitivity, minEffect: number): DetectorSettings {
  return { ...alertSettings, ...bounds[sensitivity], minEffect }
}

/** Bumped when the detector's code changes its results; stored with all of them. */
export const detectorVersion = 'rsd-6'
