/** Extension of a field of type ID that clients choose, and that need be no UUID: documents of the interface say so. */
export const OWN_ID = { isOwnId: true } as const
