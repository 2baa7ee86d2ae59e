/** The beginning of the keys of jobs by which closings make agents wrap up. */
export const WRAP_UP_KEY = 'staffing.wrapUp:'

/** Returns the key of a user's, which run in their order. */
export const wrapUpKey = (user: string): string => `${WRAP_UP_KEY}${user}`
