/** Seconds by which a provider's clock may be wrong. */
export const CLOCK_TOLERANCE_SECONDS = 60
