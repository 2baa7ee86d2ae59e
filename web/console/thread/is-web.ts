/** Tells whether it is an address of the web, to which anybody may be led: no script, whatever let it through. */
export const isWeb = (address: unknown): address is string => /^https?:/i.test(address as string)
