/** Path to which providers send browsers back: registered with them. */
export const AUTHORIZED_PATH = '/services/authorized'
